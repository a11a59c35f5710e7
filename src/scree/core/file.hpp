#pragma once
/// Files that are either whole or absent.
#include <filesystem>
#include <string_view>

namespace scree {

/// Writes `bytes` beside `file` under a temporary name and renames, so that a reader never sees half of it.
/// Throws RunError naming the file when the disk is full or refuses; nothing is left behind then.
void write_whole_file(const std::filesystem::path& file, std::string_view bytes);

}  // namespace scree
