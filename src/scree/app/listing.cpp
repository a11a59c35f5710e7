#include "scree/app/listing.hpp"

#include "scree/app/chapters.hpp"
#include "scree/config/data_path.hpp"
#include "scree/config/section.hpp"
#include "scree/control/controller.hpp"
#include "scree/core/errors.hpp"
#include "scree/terrain/make.hpp"

namespace scree {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

/// What a file says about itself in its key `doc`; a file that cannot be read has no say.
std::string doc_of(const std::filesystem::path& file) {
  std::string doc;
  try {
    Document::from_file(file).root().text("doc", doc, {});
  } catch (const InputError& error) {
    doc = std::string("cannot be read: ") + error.what();
  }
  return doc;
}

Entries data_entries(const std::string& folder, const std::string& inner) {
  Entries entries;
  for (const auto& [name, file] : data_files(folder, inner)) entries.emplace_back(name, doc_of(file));
  return entries;
}

Entries terrain_entries() {
  Entries entries;
  for (const auto& kind : terrain_kinds()) entries.emplace_back(kind.name, kind.doc);
  return entries;
}

Entries controller_entries() {
  Entries entries;
  for (const auto& kind : controllers()) entries.emplace_back(kind.name, kind.doc);
  return entries;
}

Entries key_entries() {
  Entries entries;
  for (const auto& chapter : reference_chapters()) {
    for (const auto& key : record(chapter)) {
      entries.emplace_back(key.path, key.unit.empty() ? key.doc : "[" + key.unit + "] " + key.doc);
    }
  }
  return entries;
}

}  // namespace

std::vector<Listing> listings() {
  return {{"models", "robots, by the name that a scenario's `model` takes",
           [] { return data_entries("models", "robot.toml"); }},
          {"scenarios", "scenarios that ship with the program", [] { return data_entries("scenarios", ""); }},
          {"drives", "motors and batteries", [] { return data_entries("drives", ""); }},
          {"terrains", "kinds of terrain", terrain_entries},
          {"controllers", "built-in controllers", controller_entries},
          {"keys", "every key of the files, as in docs/scenario.md", key_entries}};
}

}  // namespace scree
