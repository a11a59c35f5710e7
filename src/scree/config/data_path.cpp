#include "scree/config/data_path.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// PREFIX/share/scree, for a program in PREFIX/bin or in PREFIX/libexec/scree.
fs::path beside_executable() {
  std::error_code status;
  const fs::path program = fs::read_symlink("/proc/self/exe", status);
  if (status) return {};
  const fs::path folder = program.parent_path(), above = folder.parent_path();
  return (above.filename() == "libexec" ? above.parent_path() : above) / "share" / "scree";
}

}  // namespace

std::vector<fs::path> data_folders() {
  std::vector<fs::path> candidates;
  if (const char* given = std::getenv("SCREE_DATA")) {
    for (const auto& part : split(given, ':')) {
      if (!part.empty()) candidates.emplace_back(part);
    }
  }
  candidates.push_back(beside_executable());
  candidates.emplace_back(SCREE_SOURCE_DATA);
  candidates.emplace_back(SCREE_INSTALL_DATA);
  std::vector<fs::path> folders;
  for (const auto& candidate : candidates) {
    std::error_code status;
    if (!candidate.empty() && fs::is_directory(candidate, status) &&
        std::find(folders.begin(), folders.end(), candidate) == folders.end()) {
      folders.push_back(candidate);
    }
  }
  return folders;
}

fs::path find_data(std::string_view name) {
  const fs::path relative(name);
  for (const auto& folder : data_folders()) {
    std::error_code status;
    if (!name.empty() && fs::exists(folder / relative, status)) return folder / relative;
  }
  const std::string folder = relative.begin() == relative.end() ? "" : relative.begin()->string();
  const auto second = relative.begin() == relative.end() ? relative.end() : std::next(relative.begin());
  const std::string wanted = second == relative.end() ? "" : fs::path(*second).stem().string();
  input_error("no '{}' among the files of the program{} (SCREE_DATA names further folders)", name,
              name_hint(wanted, list_data(folder)));
}

std::vector<std::string> list_data(std::string_view folder) {
  std::set<std::string> names;
  for (const auto& root : data_folders()) {
    std::error_code status;
    for (const auto& entry : fs::directory_iterator(root / folder, status)) {
      const auto& path = entry.path();
      if (path.filename().string().starts_with(".")) continue;
      if (entry.is_directory()) names.insert(path.filename().string());
      if (entry.is_regular_file() && path.extension() == ".toml") names.insert(path.stem().string());
    }
  }
  return {names.begin(), names.end()};
}

std::map<std::string, fs::path> data_files(std::string_view folder, std::string_view inner) {
  std::map<std::string, fs::path> files;  // earlier roots win
  for (const auto& root : data_folders()) {
    std::error_code status;
    for (const auto& entry : fs::directory_iterator(root / folder, status)) {
      const auto& path = entry.path();
      if (path.extension() == ".toml") files.emplace(path.stem().string(), path);
      if (!entry.is_directory()) continue;
      if (!inner.empty()) {
        if (fs::exists(path / inner)) files.emplace(path.filename().string(), path / inner);
        continue;
      }
      for (const auto& below : fs::directory_iterator(path, status)) {
        if (below.path().extension() == ".toml")
          files.emplace((path.filename() / below.path().stem()).string(), below.path());
      }
    }
  }
  return files;
}

bool is_path_name(std::string_view name) {
  return name.find('/') != std::string_view::npos || name.ends_with(".toml");
}

std::string entry_label(const std::string& name) {
  return is_path_name(name) ? std::filesystem::path(name).stem().string() : name;
}

}  // namespace scree
