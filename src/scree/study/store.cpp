#include "scree/study/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/robot/settings.hpp"

namespace scree {

#ifndef SCREE_HAVE_SQLITE
namespace {
[[noreturn]] void no_sqlite() {
  input_error("studies need SQLite: configure with -DSCREE_SQLITE=ON and install it");
}
}  // namespace
struct StudyStore::Impl {};
StudyStore::StudyStore(std::filesystem::path, Mode) { no_sqlite(); }
StudyStore::~StudyStore() = default;
StudyStore::StudyStore(StudyStore&&) noexcept = default;
void StudyStore::write_stamp(const StudyStamp&, const Plan&) { no_sqlite(); }
StudyStamp StudyStore::read_stamp() const { no_sqlite(); }
void StudyStore::renew(const StudyStamp&) { no_sqlite(); }
void StudyStore::add(const TrialRow&, std::size_t) { no_sqlite(); }
void StudyStore::commit() { no_sqlite(); }
void StudyStore::each(const std::function<void(std::size_t, const TrialRow&)>&) const { no_sqlite(); }
std::optional<TrialRow> StudyStore::find(std::size_t) const { no_sqlite(); }
#endif

namespace {

/// The robot files of every level that names one, and of the scenario itself, one after the other.
std::string robot_files(const Study& study, const TrialRunner& runner) {
  std::set<std::pair<std::string, std::string>> files;
  const auto note = [&](const TrialPlace& place) {
    runner.document(place).root().each("robot", "", [&](Section& robot) {
      std::string model = "vivi";
      robot.text("model", model, {});
      const bool path = is_path_name(model);
      const std::filesystem::path file =
          path ? std::filesystem::path(model).is_absolute()
                     ? std::filesystem::path(model)
                     : std::filesystem::absolute(study.plan.scenario).parent_path() / model
               : find_data("models/" + model + "/robot.toml");
      files.emplace(model, Document::from_file(file).text());
    });
  };
  note({0, 0});
  for (std::size_t cell = 1; cell < study.plan.cells() && cell < 1000; ++cell) {
    const std::vector<int> levels = study.plan.levels_of(cell);
    for (std::size_t f = 0; f < levels.size(); ++f)
      for (const std::string& set : study.plan.factors[f].levels[levels[f]].set)
        if (set.find("model") != std::string::npos) {
          note({cell, 0});
          f = levels.size() - 1;
          break;
        }
  }
  std::string all;
  for (const auto& [name, text] : files) all += "# " + name + "\n" + text;
  return all;
}

/// The first lines in which two texts differ.
std::string lines_apart(const std::string& kept, const std::string& now) {
  const std::vector<std::string> a = split(kept, '\n'), b = split(now, '\n');
  std::size_t i = 0;
  while (i < a.size() && i < b.size() && trim(a[i]) == trim(b[i])) ++i;
  const auto line = [i](const std::vector<std::string>& lines) {
    return i < lines.size() && !trim(lines[i]).empty() ? "`" + trim(lines[i]) + "`" : std::string("nothing");
  };
  return fmt::format("line {}: {} was {}", i + 1, line(b), line(a));
}

/// The text without its line `trials = ...`, and that number.
std::pair<std::string, int> without_trials(const std::string& text) {
  std::string rest;
  int trials = 30;
  bool in_table = false;
  for (const std::string& line : split(text, '\n')) {
    in_table = in_table || trim(line).starts_with("[");
    if (!in_table && line.starts_with("trials = ")) {
      trials = std::atoi(line.c_str() + 9);
      continue;
    }
    rest += line + "\n";
  }
  return {rest, trials};
}

}  // namespace

StudyStamp stamp_of(const Study& study, const TrialRunner& runner) {
  StudyStamp stamp;
  stamp.name = study.name;
  stamp.study_file = std::filesystem::absolute(study.file).string();
  stamp.study_text = study.text;
  stamp.scenario_file = std::filesystem::absolute(study.plan.scenario).string();
  stamp.scenario_text = Document::from_file(study.plan.scenario).text();
  stamp.models = robot_files(study, runner);
  stamp.version = SCREE_VERSION;
  return stamp;
}

std::string difference_of(const StudyStamp& kept, const StudyStamp& now) {
  const auto [old_rest, old_trials] = without_trials(kept.study_text);
  const auto [new_rest, new_trials] = without_trials(now.study_text);
  if (old_rest != new_rest) return "the study file differs, " + lines_apart(old_rest, new_rest);
  if (new_trials < old_trials)
    return fmt::format("it was begun with {} trials a cell, now there are {}", old_trials, new_trials);
  if (kept.scenario_text != now.scenario_text)
    return "the scenario differs, " + lines_apart(kept.scenario_text, now.scenario_text);
  if (kept.models != now.models) return "a robot's file differs, " + lines_apart(kept.models, now.models);
  return "";
}

Study stored_study(const StudyStore& store) {
  const StudyStamp stamp = store.read_stamp();
  try {
    Study study = read_study_text(stamp.study_text, stamp.study_file);
    study.plan.scenario = stamp.scenario_file;
    study.plan.scenario_text = stamp.scenario_text;
    return study;
  } catch (const InputError& error) {
    input_error("{}: the study that it holds cannot be read: {}", store.file().string(), error.what());
  }
}

bool is_study_file(const std::filesystem::path& file) {
  std::error_code status;
  if (!std::filesystem::is_regular_file(file, status)) return false;
  std::ifstream in(file, std::ios::binary);
  char head[16] = {};
  in.read(head, sizeof head);
  return in.gcount() == sizeof head && std::string_view(head, 15) == "SQLite format 3";
}

}  // namespace scree
