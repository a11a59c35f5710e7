#pragma once
/// What a person may ask to see: a scenario file (simulated) or the folder of a run (replayed).
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/sim/scenario.hpp"
#include "scree/view/recording.hpp"

namespace scree::view {

struct Source {
  Scenario scenario;
  std::optional<Recording> recording;  ///< of a run folder
};

/// Throws InputError naming what is wrong: not found, no scenario in the folder, states of another model.
/// `trial`: of a study whose results `path` names; it is simulated.
Source open_source(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                   std::optional<std::size_t> trial = std::nullopt);

}  // namespace scree::view
