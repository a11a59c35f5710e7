/// scree reference: every key of every file, as Markdown. docs/scenario.md is this text; a test compares
/// them.
#include <fmt/format.h>

#include "scree/app/chapters.hpp"
#include "scree/app/command.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

constexpr const char* kPreface = R"(# Scenario and model files

Written by `scripts/reference` from the functions that read the files; a test keeps it complete. Change the descriptions there, not here.

All files are TOML, all quantities SI. Keys are given by their dotted path, as `--set key=value` takes them; `N` is the number of an element, counted from 0 (it may be left out where there is only one). An angle may be given in rad (`yaw`) or in degrees (`yaw_deg`), not both. A file name is relative to the file that names it. Unknown keys, wrong types, values outside the range and NaN are errors that name the file and the line. In a range, a round bracket leaves the bound out and a square one takes it in.

)";

std::string json_of(const Chapter& chapter) {
  std::string keys;
  for (const auto& key : record(chapter)) {
    keys += fmt::format(
        "{}\n      {{\"key\": {}, \"type\": {}, \"unit\": {}, \"default\": {}, \"range\": {}, \"doc\": {}}}",
        keys.empty() ? "" : ",", json_text(key.path), json_text(key.type), json_text(key.unit),
        json_text(key.fallback), json_text(key.range), json_text(key.doc));
  }
  return fmt::format("  {{\"title\": {}, \"keys\": [{}\n  ]}}", json_text(chapter.title), keys);
}

int reference(bool json) {
  const auto chapters = reference_chapters();
  if (!json) {
    fmt::print("{}{}", kPreface, reference_text(chapters));
    return 0;
  }
  std::string out;
  for (const auto& chapter : chapters) out += (out.empty() ? "" : ",\n") + json_of(chapter);
  print_json(fmt::format("\"chapters\": [\n{}\n]", out));
  return 0;
}

}  // namespace

void add_reference_command(CLI::App& app, Action& action) {
  auto json = std::make_shared<bool>(false);
  auto* sub = add_subcommand(app, "reference", "Print every key of scenario and model files",
                             "scree reference > scenario.md");
  add_json_flag(sub, *json);
  on_parsed(sub, action, [json] { return reference(*json); });
}

}  // namespace scree
