#pragma once
/// A study file: which scenario, what is varied, how often, what counts as success.
#include <filesystem>
#include <string>
#include <vector>

#include "scree/study/plan.hpp"
#include "scree/study/schedule.hpp"

namespace scree {

struct Study {
  std::string name, doc;
  Plan plan;
  SequentialSettings sequential;
  std::vector<std::string> map;  ///< names of the two factors of the heat map; empty: chosen
  std::string text;              ///< the file, resolved
  std::filesystem::path file;
};

/// The file that a user means: a path, or a name of `scree list studies`. Throws InputError with the nearest
/// name.
std::filesystem::path find_study(const std::filesystem::path& given);

/// Reads a study. `changes` are laid over the file as key=value; `overrides` are added to its list of changes
/// to the scenario. Throws InputError.
Study read_study(const std::filesystem::path& file, const std::vector<std::string>& changes = {},
                 const std::vector<std::string>& overrides = {});
/// The same of a text that was kept: `file` is where it came from. The scenario is left to the caller.
Study read_study_text(const std::string& text, const std::filesystem::path& file);

/// Tries one cell of every way in which the study changes the scenario, and that its rules can hold: a
/// misspelt key, an event that nobody judges, are told before anything runs. Throws InputError.
void check_study(const Study& study, const TrialRunner& runner);

/// Records every accepted key of a study file, for the reference.
void describe_study(Section& section);

}  // namespace scree
