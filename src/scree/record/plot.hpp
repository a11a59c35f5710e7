#pragma once
/// Figures of recorded runs, drawn by the `gnuplot` program through a pipe.
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "scree/record/run_folder.hpp"

namespace scree {

/// One line of a panel.
struct Curve {
  std::string label;
  std::vector<double> x, y;
};

struct Panel {
  std::string x_label, y_label;  ///< with unit: "speed [m/s]"
  std::vector<Curve> curves;
};

struct Figure {
  std::string title;
  std::vector<Panel> panels;
  int panel_width = 900, panel_height = 260;  ///< px
  int columns = 0;                            ///< panels side by side; 0 chooses
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
