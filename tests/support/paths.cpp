#include "support/paths.hpp"

namespace scree {

std::string source_tree(const std::string& below) { return SCREE_ROOT + below; }
std::string build_tree() { return SCREE_BUILD; }
std::string command() { return SCREE_COMMAND; }

}  // namespace scree
