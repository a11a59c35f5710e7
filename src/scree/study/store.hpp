#pragma once
/// The results of a study: one SQLite file, written in batches. Killed at any moment it holds all trials up
/// to the last batch, and the study goes on from there.
///
/// Tables for those who ask by SQL: `meta` (key, value), `cell` (cell, factor, value), `trial` (number, cell,
/// trial, seed, outcome, verdict, error, simulated_s, cpu_s, state_hash, and a column for each number that
/// was kept, named with its unit).
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scree/study/study_file.hpp"

namespace scree {

/// What a file of results is of.
struct StudyStamp {
  std::string name, study_file, study_text, scenario_file, scenario_text, models, version;
};
/// Of a study as it is now.
StudyStamp stamp_of(const Study& study, const TrialRunner& runner);
/// Where the second is not the first, one line: `trials = 30, now trials = 500`; empty: alike. More trials
/// are no difference; another version of the program is none either.
std::string difference_of(const StudyStamp& kept, const StudyStamp& now);

class StudyStore;
/// The study that a file of results is of, as it was: its scenario is the text that was kept.
Study stored_study(const StudyStore& store);

/// Whether a file begins as one of SQLite's does.
bool is_study_file(const std::filesystem::path& file);

class StudyStore {
 public:
  enum class Mode { create, write, read };
  /// Throws InputError (not a study, of another format, written by someone else at this moment) or RunError
  /// (disk full, not allowed), one line that names the file.
  StudyStore(std::filesystem::path file, Mode mode);
  ~StudyStore();
  StudyStore(StudyStore&&) noexcept;

  /// Nothing was in it: it needs its stamp.
  bool fresh() const { return fresh_; }
  void write_stamp(const StudyStamp& stamp, const Plan& plan);
  StudyStamp read_stamp() const;
  /// More trials than it was begun with.
  void renew(const StudyStamp& stamp);

  /// Into the open batch. A trial that is there already stays as it is.
  void add(const TrialRow& row, std::size_t number);
  /// Makes the batch lasting.
  void commit();

  /// All trials by their numbers.
  void each(const std::function<void(std::size_t number, const TrialRow& row)>& visit) const;
  /// One trial; nothing when it has not been run.
  std::optional<TrialRow> find(std::size_t number) const;
  const std::filesystem::path& file() const { return file_; }

 private:
  struct Impl;
  bool fresh_ = false;
  std::filesystem::path file_;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scree
