#include "scree/app/listing.hpp"

#include <filesystem>
#include <fstream>
#include <set>

#include "scree/app/chapters.hpp"
#include "scree/config/data_path.hpp"
#include "scree/config/section.hpp"
#include "scree/control/controller.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
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

/// The first comment of a tyre property file stands for it.
Entries tyre_entries() {
  std::set<std::pair<std::string, std::string>> found;
  for (const auto& root : data_folders()) {
    std::error_code status;
    for (const auto& entry : std::filesystem::directory_iterator(root / "tyres", status)) {
      if (entry.path().extension() != ".tir") continue;
      std::ifstream in(entry.path());
      std::string line;
      std::getline(in, line);
      found.emplace(entry.path().stem().string(), line.starts_with("$") ? trim(line.substr(1)) : "");
    }
  }
  return {found.begin(), found.end()};
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
          {"studies", "studies that ship with the program", [] { return data_entries("studies", ""); }},
          {"drives", "motors and batteries", [] { return data_entries("drives", ""); }},
          {"soils", "soils with their source", [] { return data_entries("soils", ""); }},
          {"tyres", "tyre property files", tyre_entries},
          {"terrains", "kinds of terrain", terrain_entries},
          {"controllers", "built-in controllers", controller_entries},
          {"keys", "every key of the files, as in docs/scenario.md", key_entries}};
}

}  // namespace scree
