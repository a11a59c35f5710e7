#pragma once
/// A study from its file to its table.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scree/record/plot.hpp"
#include "scree/study/store.hpp"
#include "scree/study/study_file.hpp"
#include "scree/study/wilson.hpp"

namespace scree {

/// Opens the results: a new file, or with `resume` one that is gone on with (it is made where there is none).
/// Throws InputError when the file holds another study, or this one as it no longer is.
StudyStore open_results(const Study& study, const TrialRunner& runner, const std::filesystem::path& file,
                        bool resume, bool force);

/// What one pass over a study did: from its start, or from where an earlier one stopped.
struct StudyPass {
  std::size_t before = 0, run = 0;  ///< trials that were there, and that were run
  bool stopped = false;             ///< before all were
  double cpu_s = 0;                 ///< of the trials that were run
};

/// Runs every trial that the file does not hold yet, in batches. An exception leaves the file with all
/// batches before it. `engine` runs the trials: none given, threads of this program.
StudyPass run_study(const Study& study, const TrialRunner& runner, StudyStore& store,
                    const TrialControl& control, const TrialEngine& engine = {});

/// A trial of a study, to be run or looked at once more.
struct StudyTrial {
  std::size_t number = 0;
  Document document;  ///< its scenario
  std::filesystem::path file;
  std::optional<TrialRow> recorded;
};
/// The file of results that a user means: itself, or the folder that holds study.db; empty: neither.
std::filesystem::path study_results(const std::filesystem::path& given);
/// `changes` are laid over its scenario. Throws InputError when there is no such trial.
StudyTrial find_trial(const std::filesystem::path& results, std::size_t number,
                      const std::vector<std::string>& changes = {});

/// What came of one cell.
struct CellResult {
  std::size_t cell = 0;
  std::vector<std::string> values;
  std::uint64_t trials = 0, judged = 0, successes = 0;
  std::map<std::string, std::uint64_t> outcomes;
  double simulated_s = 0;  ///< mean over the judged trials
  /// Means over the judged trials that have them, by name with unit, sorted.
  std::map<std::string, std::pair<double, std::uint64_t>> sums;
  double rate() const {
    return judged > 0 ? static_cast<double>(successes) / static_cast<double>(judged) : 0;
  }
  Interval interval() const { return wilson(successes, judged); }
};
struct StudyResults {
  std::vector<CellResult> cells;
  std::uint64_t trials = 0, broken = 0;
  std::string first_error;  ///< of the broken trial with the lowest number
};
StudyResults results_of(const Study& study, const StudyStore& store);

/// The table for people, as CSV, and as members of a JSON object.
std::string study_text(const Study& study, const StudyResults& results);
std::string study_csv(const Study& study, const StudyResults& results);
std::string study_json(const Study& study, const StudyResults& results);
/// Every trial as CSV, by number; no column depends on the machine.
std::string trials_csv(const Study& study, const StudyStore& store);
/// Success over two factors, a panel for each combination of the others; over one, as a curve with its
/// interval. Nothing without factors.
std::optional<Figure> study_figure(const Study& study, const StudyResults& results);

}  // namespace scree
