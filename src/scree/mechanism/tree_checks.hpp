#pragma once
/// What makes settings a mechanism: each check throws InputError with the object, the value and the rule.
#include <string>

#include "scree/mechanism/tree.hpp"

namespace scree {

/// Every field of its own accord: numbers finite, masses physical, axes not zero, names given and unique.
void check_fields(const TreeSettings& settings);
/// A link's mass and inertia (also after rotors were taken out of it: `what` says so in the message).
void check_link(const LinkSettings& link, const std::string& owner, const std::string& what = "");
/// One tree: known names, one parent a link, one base, no cycle. Returns the base's index among the links.
int check_topology(const TreeSettings& settings);
/// Solvable: no direction in which the mechanism can accelerate without inertia. Sets nothing.
void check_well_posed(const Tree& tree);

}  // namespace scree
