#include "scree/view/source.hpp"

#include <cmath>

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/record/soil_tape.hpp"
#include "scree/study/study.hpp"

namespace scree::view {

Source open_source(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                   std::optional<std::size_t> trial) {
  if (const std::filesystem::path results = study_results(path); !results.empty()) {
    if (!trial) input_error("'{}' holds a study: name one of its trials with --trial", path.string());
    StudyTrial one = find_trial(results, *trial, overrides);
    Source source{load_scenario(std::move(one.document), one.file), std::nullopt};
    source.scenario.name = fmt::format("trial {}", *trial);
    return source;
  }
  if (trial) input_error("'{}' is not a study; --trial is one of its trials", path.string());
  if (!std::filesystem::is_directory(path)) return {load_scenario(path, overrides), std::nullopt};
  if (!overrides.empty()) input_error("--set has no meaning for a run that is over ('{}')", path.string());
  const RunFolder folder = RunFolder::open(path);
  const std::filesystem::path file = path / "scenario.toml";
  if (!std::filesystem::exists(file))
    input_error("run '{}' has no scenario.toml: it cannot be drawn", path.string());
  Source source{load_scenario(file), Recording::from_folder(folder)};
  if (folder.states.world_size != static_cast<std::size_t>(source.scenario.world->state_size()))
    input_error(
        "run '{}': its states have {} numbers, the robots of its scenario now have {}: the models have "
        "changed",
        path.string(), folder.states.world_size, source.scenario.world->state_size());
  if (const SoilGridSettings* grid = source.scenario.world->soil_grid()) {
    SoilTape tape(path / "soil.bin");
    SoilTiles tiles(grid->cell, grid->memory);
    if (!tape.empty() && tape.cell() != grid->cell)
      input_error("run '{}': soil.bin has cells of {:g} m, its scenario of {:g} m", path.string(),
                  tape.cell(), grid->cell);
    while (std::isfinite(tape.next())) {
      const double time = tape.next();
      tape.read(tiles, source.scenario.world->terrain());
      source.recording->add_soil(time, tiles);
    }
  }
  source.scenario.name = std::filesystem::absolute(path).filename().string();
  return source;
}

}  // namespace scree::view
