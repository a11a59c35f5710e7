#pragma once
/// Figures of recorded runs, drawn by the `gnuplot` program through a pipe.
#include <filesystem>
#include <limits>
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
  std::string title = {};
  std::vector<double> x_range = {}, y_range = {};  ///< lowest and highest; empty: as the data needs
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
