#include "scree/study/study.hpp"

#include <fmt/format.h>

#include <chrono>

#include "scree/core/errors.hpp"

namespace scree {
namespace {

constexpr double kBatchSeconds = 0.25;  // between commits, which take about 10 ms of the writing thread

}  // namespace

StudyStore open_results(const Study& study, const TrialRunner& runner, const std::filesystem::path& file,
                        bool resume, bool force) {
  std::error_code status;
  const StudyStamp now = stamp_of(study, runner);
  // An empty file is what a pass leaves that was ended before its first word.
  const bool there = std::filesystem::exists(file, status) && std::filesystem::file_size(file, status) > 0;
  if (there && resume) {
    StudyStore store(file, StudyStore::Mode::write);
    if (store.fresh()) {
      store.write_stamp(now, study.plan);
      return store;
    }
    const StudyStamp kept = store.read_stamp();
    const std::string differs = difference_of(kept, now);
    if (!differs.empty())
      input_error("{}: cannot be resumed, {}; --force begins anew", file.string(), differs);
    if (kept.study_text != now.study_text) store.renew(now);
    return store;
  }
  if (there && !force)
    input_error("{}: holds an earlier study; --resume goes on with it, --force replaces it", file.string());
  if (there) {
    if (!is_study_file(file)) input_error("{}: is not a file of a study; it is left alone", file.string());
    std::filesystem::remove(file, status);
    if (status) input_error("{}: cannot be replaced: {}", file.string(), status.message());
  }
  StudyStore store(file, StudyStore::Mode::create);
  store.write_stamp(now, study.plan);
  return store;
}

StudyPass run_study(const Study& study, const TrialRunner& runner, StudyStore& store,
                    const TrialControl& control, const TrialEngine& engine) {
  using Clock = std::chrono::steady_clock;
  const std::size_t cells = study.plan.cells();
  StudySchedule schedule(cells, study.plan.trials, study.sequential);
  store.each([&](std::size_t, const TrialRow& row) {
    schedule.remember({row.cell, row.trial}, row.verdict);
  });
  schedule.begin();
  StudyPass pass;
  pass.before = schedule.ended_trials();
  auto last = Clock::now();
  const TrialFunction trial = [&](std::size_t number) { return runner.run(place_of(number, cells)); };
  const TrialTaker take = [&](std::size_t number, TrialRow&& row) {
    store.add(row, number);
    ++pass.run;
    pass.cpu_s += row.cpu_s;
    if (std::chrono::duration<double>(Clock::now() - last).count() < kBatchSeconds) return;
    store.commit();
    last = Clock::now();
  };
  // Time left is that of this pass's share.
  TrialControl own = control;
  const double begun = schedule.done();
  if (control.progress && begun < 1)
    own.progress = [&](double done) { control.progress((done - begun) / (1 - begun)); };
  if (engine)
    engine(schedule, trial, take, own);
  else
    run_trials(schedule, trial, take, own);
  store.commit();
  pass.stopped = !schedule.exhausted();
  return pass;
}

std::filesystem::path study_results(const std::filesystem::path& given) {
  std::error_code status;
  if (given.empty()) return {};
  if (std::filesystem::is_regular_file(given / "study.db", status)) return given / "study.db";
  return is_study_file(given) ? given : std::filesystem::path();
}

StudyTrial find_trial(const std::filesystem::path& results, std::size_t number,
                      const std::vector<std::string>& changes) {
  const StudyStore store(results, StudyStore::Mode::read);
  const Study study = stored_study(store);
  const TrialRunner runner(study.plan);
  if (number >= study.plan.size())
    input_error("{}: there is no trial {}; its last is {}", results.string(), number, study.plan.size() - 1);
  StudyTrial trial{number, runner.document(place_of(number, study.plan.cells())), study.plan.scenario,
                   store.find(number)};
  for (const std::string& change : changes) trial.document.set(change);
  return trial;
}

StudyResults results_of(const Study& study, const StudyStore& store) {
  StudyResults results;
  results.cells.resize(study.plan.cells());
  for (std::size_t i = 0; i < results.cells.size(); ++i) {
    results.cells[i].cell = i;
    results.cells[i].values = study.plan.values_of(i);
  }
  store.each([&](std::size_t, const TrialRow& row) {
    if (row.cell >= results.cells.size()) return;
    CellResult& cell = results.cells[row.cell];
    ++results.trials, ++cell.trials;
    ++cell.outcomes[row.outcome];
    if (row.verdict == Verdict::broken) {
      ++results.broken;
      if (results.first_error.empty()) results.first_error = row.error;
      return;
    }
    ++cell.judged;
    cell.successes += row.verdict == Verdict::success;
    cell.simulated_s += row.simulated_s;
    for (const TrialNumber& n : row.numbers) {
      auto& [sum, count] = cell.sums[fmt::format("{} [{}]", n.name, n.unit)];
      sum += n.value, ++count;
    }
  });
  for (CellResult& cell : results.cells)
    if (cell.judged > 0) cell.simulated_s /= static_cast<double>(cell.judged);
  return results;
}

}  // namespace scree
