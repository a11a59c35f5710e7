#pragma once
/// The bodies of a robot as its contact groups want them.
#include <vector>

#include "scree/ground/contact.hpp"
#include "scree/mechanism/tree.hpp"
#include "scree/robot/settings.hpp"

namespace scree {

/// The chassis box, further points and bodies of the hull, one element each. Throws InputError on a body on
/// no link, flat, or with a mesh that cannot be read.
std::vector<ContactElement> body_elements(const RobotSettings& settings, const Tree& tree);

/// Vertices of a Wavefront file (its lines `v x y z`).
std::vector<Vec3> mesh_vertices(const std::filesystem::path& file);

}  // namespace scree
