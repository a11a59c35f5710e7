#pragma once
/// Where the files that ship with the program are found: models/, drives/, soils/, scenarios/.
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Folders that may hold them, in the order of the search: $SCREE_DATA (several separated by ':'),
/// share/scree beside an installed executable, the source tree that the program was built from, and the
/// install prefix.
std::vector<std::filesystem::path> data_folders();

/// The first of data_folders() that holds `name` ("models/vivi/robot.toml"), joined with it. Throws
/// InputError with the nearest name of the same folder.
std::filesystem::path find_data(std::string_view name);

/// Whether a name given for a model or a soil is the path of a file (it has a slash or ends in .toml) and not
/// that of an entry of the data folders.
bool is_path_name(std::string_view name);

/// What such a name is called in messages and changes: an entry by its name, a file by its own without
/// ending.
std::string entry_label(const std::string& name);

/// Names of what lies in one folder of all data folders ("models", "scenarios"), sorted, each once: folders
/// as they are called, TOML files without their extension.
std::vector<std::string> list_data(std::string_view folder);

/// TOML files of a data folder by the name that a user gives them: "demo", one level down "bench/skid4".
/// Where `inner` is given, a folder stands for the file of that name in it: models/vivi/robot.toml is "vivi".
std::map<std::string, std::filesystem::path> data_files(std::string_view folder, std::string_view inner = "");

}  // namespace scree
