#pragma once
/// The shapes that everything is built of. Axes as in the whole program: x forward, y left, z up; wheels turn
/// about y.
#include <span>

#include "scree/view/mesh.hpp"

namespace scree::view {

/// A box with chamfered edges whose normals run smoothly from face to face, so that edges catch the light.
void add_box(Mesh& mesh, const Pose& pose, const Vec3& size, double bevel, const Material& material);

/// A convex outline in the x-z plane (anticlockwise seen from -y: x right, z up), drawn out along y by
/// `width`, its rims chamfered by `bevel`.
void add_prism(Mesh& mesh, const Pose& pose, std::span<const Vec2> outline, double width, double bevel,
               const Material& material);

/// A profile of (radius, y) points turned about the y axis. Points run so that the outside is on the left
/// of the direction of travel seen with y to the right and radius up (from +y to -y over the top).
/// Corners sharper than `crease` [rad] stay sharp.
void add_revolved(Mesh& mesh, const Pose& pose, std::span<const Vec2> profile, int segments,
                  const Material& material, double crease = 0.6);

/// A round tube along a chain of points, with flat ends.
void add_tube(Mesh& mesh, const Pose& pose, std::span<const Vec3> points, double radius, int segments,
              const Material& material);

void add_sphere(Mesh& mesh, const Pose& pose, double radius, int segments, const Material& material);

/// Cylinder about the y axis, chamfered.
void add_cylinder(Mesh& mesh, const Pose& pose, double radius, double width, double bevel, int segments,
                  const Material& material);

/// A unit arrow along +z from the origin to (0, 0, 1): a shaft of radius 1 x `shaft` and a cone. Scaled
/// unevenly by whoever draws it.
Mesh arrow_mesh();
Mesh sphere_mesh();

/// Pose that puts +z along `direction`.
Mat3 rotation_z_to(const Vec3& direction);

}  // namespace scree::view
