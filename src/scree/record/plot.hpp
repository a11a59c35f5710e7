#pragma once
/// Figures, drawn by the `gnuplot` program through a pipe. This is the only way to draw: names, titles,
/// labels and numbers reach gnuplot as data and never as part of its commands, and no shell is between
/// (Program).
#include <cstdint>
#include <filesystem>
#include <limits>
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

/// A picture with axes, and the scale of its colours.
struct Raster {
  int width = 0, height = 0;      ///< px; 0: none
  std::vector<std::uint8_t> rgb;  ///< row by row, that of least y first
  double x_min = 0, x_max = 1, y_min = 0, y_max = 1;
  double low = 0, high = 1;  ///< of the colours
  std::vector<int> colours;  ///< 0xRRGGBB from low to high, at equal distances
  std::string label;         ///< of the colours, with unit
};

struct Panel {
  std::string x_label, y_label;  ///< with unit: "speed [m/s]"
  std::vector<Curve> curves;
  std::string title = {};
  bool log_x = false, log_y = false;
  std::vector<double> x_range = {}, y_range = {};  ///< lowest and highest; empty: as the data needs
  std::vector<Note> notes = {};
  Raster raster = {};  ///< below the curves; x and y have one scale then
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
  /// Part of the time that is drawn [s].
  double from = -std::numeric_limits<double>::infinity(), to = std::numeric_limits<double>::infinity();
  std::vector<double> y_limits = {};  ///< lowest and highest of every panel; empty: as the data needs
  bool whole = false;                 ///< no robust scaling: every spike is inside
};

/// Time series of chosen signals of one or several runs, runs laid over each other. Signals of one unit share
/// a panel (all forces); numbers without a unit do so when they share their last name (all slips). Where a
/// few spikes would flatten the rest, a panel shows 99 % of the values and its title says how far they go.
Figure time_series(std::span<const RunFolder> runs, const PlotSettings& settings = {});

/// Keeps the shape of a long curve with fewer points: the lowest and highest of each of `buckets` stretches.
Curve thinned(const Curve& curve, std::size_t buckets);

}  // namespace scree
