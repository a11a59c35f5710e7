#pragma once
/// One scenario over a grid of values of its keys, each cell several times with other seeds.
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/record/plot.hpp"
#include "scree/study/measure.hpp"
#include "scree/study/plan.hpp"
#include "scree/study/trials.hpp"

namespace scree {

/// A key and the values that it takes.
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;  ///< as --set takes them
};
/// Reads "key=a:b:n" (n values from a to b) or "key=v1,v2,v3". Throws InputError.
SweepAxis parse_axis(const std::string& text);

struct SweepPlan {
  std::filesystem::path scenario;      ///< a file, or a name of `scree list scenarios`
  std::vector<std::string> overrides;  ///< for every trial, as --set
  std::vector<SweepAxis> axes;         ///< the cells are their product, the last axis fastest
  int trials = 1;                      ///< a cell; trial n runs with the scenario's seed + n
  std::vector<Measure> measures;       ///< empty: the usual ones that the scenario has

  std::size_t cells() const { return plan().cells(); }
  std::size_t size() const { return plan().size(); }
  /// The values of a cell, one an axis.
  std::vector<std::string> values_of(std::size_t cell) const { return plan().values_of(cell); }
  /// The same for the engine.
  Plan plan() const;
};

using SweepRow = TrialRow;

/// One trial: a pure function of plan, cell and number. Never throws InputError for the values of a cell: the
/// row says so.
SweepRow run_sweep_trial(const SweepPlan& plan, std::size_t cell, int trial);

/// All trials, in the order of cells and numbers, whatever the number of threads. The first cell is tried
/// before all others: a misspelt key throws InputError at once.
std::vector<SweepRow> run_sweep(const SweepPlan& plan, const TrialControl& control = {});

/// Columns: the varied keys, trial, seed, outcome, simulated time, state hash, numbers with their units.
std::string sweep_csv(const SweepPlan& plan, const std::vector<SweepRow>& rows);
/// The same as members of an object: "vary", "rows".
std::string sweep_json(const SweepPlan& plan, const std::vector<SweepRow>& rows);
/// The same for people: one line a cell, means over its trials.
std::string sweep_text(const SweepPlan& plan, const std::vector<SweepRow>& rows);
/// Means over the trials of a cell, over the first axis of numbers, a curve for each value of the others, a
/// panel a measure. Nothing when no axis is numeric.
std::optional<Figure> sweep_figure(const SweepPlan& plan, const std::vector<SweepRow>& rows);

}  // namespace scree
