#pragma once
/// Figures, drawn by the `gnuplot` program through a pipe. This is the only way to draw: names, titles,
/// labels and numbers reach gnuplot as data and never as part of its commands, and no shell is between
/// (Program).
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scree/record/run_folder.hpp"

namespace scree {

/// How a curve is drawn.
enum class Mark { line, points, boxes };

/// One set of points of a panel, x and y of the same length.
struct Curve {
  std::string label;  ///< empty: not in the legend
  std::vector<double> x, y;
  Mark mark = Mark::line;
  int colour = -1;              ///< 0xRRGGBB; -1: by its place in the panel
  double box_x = 1, box_y = 1;  ///< size of a box
};

/// Text at a point of a panel.
struct Note {
  double x = 0, y = 0;
  std::string text;
};

struct Panel {
  std::string x_label, y_label;  ///< with unit: "speed [m/s]"
  std::vector<Curve> curves;
  std::string title = {};
  bool log_x = false, log_y = false;
  std::vector<double> x_range = {}, y_range = {};  ///< lowest and highest; empty: as the data needs
  std::vector<Note> notes = {};
};

struct Figure {
  std::string title;
  std::vector<Panel> panels;
  int panel_width = 900, panel_height = 260;  ///< px
  int columns = 0;                            ///< panels side by side; 0 chooses
  bool legend_inside = false;                 ///< in the panel's corner instead of beside it
};

/// Writes the figure; .png, .svg and .pdf are known. Throws InputError for another ending or an empty figure,
/// RunError when gnuplot is missing or fails. The file is whole or absent.
void draw_figure(const Figure& figure, const std::filesystem::path& file);

struct PlotSettings {
  std::vector<std::string> signals;  ///< patterns; empty takes the usual ones that the log has
  std::string title;                 ///< empty: the names of the runs
};

/// Time series of chosen signals of one or several runs: a panel for signals that share unit and last name
/// (all wheels' normal forces), runs laid over each other.
Figure time_series(std::span<const RunFolder> runs, const PlotSettings& settings = {});

/// Keeps the shape of a long curve with fewer points: the lowest and highest of each of `buckets` stretches.
Curve thinned(const Curve& curve, std::size_t buckets);

}  // namespace scree
