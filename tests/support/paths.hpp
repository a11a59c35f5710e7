#pragma once
/// Where the tree, its build and the command lie. Only paths.cpp is compiled with them, so that everything
/// else gives the same objects in any folder.
#include <string>

namespace scree {

/// A path below the source tree: source_tree("/scenarios").
std::string source_tree(const std::string& below = "");
std::string build_tree();
/// The command `scree`; empty where it was not built.
std::string command();

}  // namespace scree
