#pragma once
/// What is to be run: a scenario, the factors that are varied, and how often each of their cells is tried.
///
/// A trial is a pure function of (plan, cell, trial): the scenario with the cell's values, with what is drawn
/// for this trial, and with its own random streams. Threads, ranks and a replay all make it the same way.
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/sim/scenario.hpp"
#include "scree/study/measure.hpp"
#include "scree/study/trials.hpp"

namespace scree {

/// One value of a factor: what it is called, and what it changes, as --set.
struct Level {
  std::string label;
  std::vector<std::string> set;
};
struct Factor {
  std::string name;
  std::vector<Level> levels;
};

/// A key that is drawn anew for every trial.
struct TrialDraw {
  std::string key;
  std::string kind = "uniform";  ///< uniform | normal
  double low = 0, high = 1;      ///< uniform
  double mean = 0, spread = 1;   ///< normal: its standard deviation
};

/// An event that ends a trial, and what that means. The kind "time_out" is the end of the scenario's time.
struct Rule {
  bool success = false;
  EventSettings event;
};

/// Whoever looks at a trial while it runs, and adds to its row at the end.
class Witness : public Sink {
 public:
  bool wants_state(double) const override { return false; }
  virtual void report(TrialRow& row) const = 0;
};

struct Plan {
  std::filesystem::path scenario;      ///< a file, or a name of `scree list scenarios`
  std::string scenario_text;           ///< instead of what the file holds now, where not empty
  std::vector<std::string> overrides;  ///< for every trial, as --set
  std::vector<Factor> factors;
  /// Levels of the factors, a row a cell; empty: every combination, the last factor fastest.
  std::vector<std::vector<int>> design;
  int trials = 1;  ///< a cell
  enum class Seeds {
    next,  ///< trial n has the scenario's seed + n
    same,  ///< trial n has the same random streams in every cell: differences between cells are theirs
    own,   ///< every cell draws its own
  } seeds = Seeds::next;
  std::vector<TrialDraw> draws;
  std::vector<Rule> rules;        ///< none: a run that lasts to its end is a success
  std::vector<Measure> measures;  ///< empty: the usual ones that the scenario has
  /// Further witnesses of a trial.
  std::function<std::unique_ptr<Witness>(const Scenario&)> witness = {};

  std::size_t cells() const;
  std::size_t size() const { return cells() * static_cast<std::size_t>(trials); }
  std::vector<int> levels_of(std::size_t cell) const;
  /// The labels of a cell's levels, one a factor.
  std::vector<std::string> values_of(std::size_t cell) const;
};

/// Number of a trial among all of its plan: first trial 0 of every cell, then trial 1 ... More trials leave
/// the numbers of the earlier ones as they are.
struct TrialPlace {
  std::size_t cell = 0;
  int trial = 0;
};
inline TrialPlace place_of(std::size_t number, std::size_t cells) {
  return {number % cells, static_cast<int>(number / cells)};
}
inline std::size_t number_of(const TrialPlace& place, std::size_t cells) {
  return static_cast<std::size_t>(place.trial) * cells + place.cell;
}

/// A plan made ready: its scenario is read once. Constant; any thread may run trials.
class TrialRunner {
 public:
  /// Throws InputError where the file or the changes of every trial cannot be used.
  explicit TrialRunner(Plan plan);
  ~TrialRunner();
  TrialRunner(const TrialRunner&) = delete;
  TrialRunner& operator=(const TrialRunner&) = delete;

  const Plan& plan() const { return plan_; }
  /// Never throws for what a cell's values do: the row says so.
  TrialRow run(const TrialPlace& place) const;
  /// The scenario of a trial. Throws InputError.
  Scenario scenario(const TrialPlace& place) const;
  Document document(const TrialPlace& place) const;
  /// The scenario file as it was read, with the changes of every trial.
  std::string base_text() const { return base_.text(); }
  std::uint64_t seed() const { return seed_; }
  /// Tries the first trial of the first cell, and that its signals have all that is measured: a misspelt key
  /// is told before anything runs. Throws InputError.
  void check() const;

 private:
  Verdict judge(const std::string& outcome) const;

  Plan plan_;
  std::filesystem::path file_;
  Document base_;
  std::uint64_t seed_ = 1;
  std::unique_ptr<ModelCache> models_;
};

/// All trials of a plan by cells and numbers, whatever the number of threads.
std::vector<TrialRow> run_plan(const Plan& plan, const TrialControl& control = {});

/// Settings of a Latin hypercube: as many cells as wanted, each factor's levels used equally often.
/// `levels` of each factor must divide the work: a factor with as many levels as cells meets each once.
std::vector<std::vector<int>> latin_design(int cells, const std::vector<int>& levels, std::uint64_t seed);

}  // namespace scree
