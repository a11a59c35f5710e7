#pragma once
/// Signs laid over the scene: the path, forces, contacts, suspension, support polygon, ghosts.
#include "scree/view/look.hpp"
#include "scree/view/moment.hpp"
#include "scree/view/scene.hpp"

namespace scree::view {

/// The three ways of the thesis to show a path (Morrot 2010, Figs. 74-76).
enum class PathStyle { none, line, z_vectors, xyz_vectors };

struct OverlayChoice {
  PathStyle path = PathStyle::line;
  bool forces = false;
  bool contacts = false;  ///< contact points and suspension travel
  bool support = false;   ///< support polygon and stability moments
  bool ghosts = false;    ///< the robot at several earlier times
  bool labels = false;    ///< names of robots and wheels
};

/// Where a centre of mass has been.
struct TrailPoint {
  double time;    ///< s
  Vec3 position;  ///< m
  Mat3 axes;      ///< of the base
};
using Trail = std::vector<TrailPoint>;

Color robot_color(std::size_t robot);

/// Adds the path up to `until` [s].
void add_path(Scene& scene, const Trail& trail, PathStyle style, double until, double robot_size,
              const Color& color);
/// Both edges of the rut that a wheel has pressed, up to `until` [s]; points lie on the ground, the axle
/// along their second axis, and a gap of more than `kRutGap` metres ends a stretch.
inline constexpr double kRutGap = 0.1;
void add_rut(Scene& scene, const Trail& rut, double width, double until);
/// Metres of arrow per newton: a quarter of the weight on a wheel is drawn as 0.4 of the robot's size.
double force_scale(const RobotMoment& robot, double robot_size);
void add_forces(Scene& scene, const RobotMoment& robot, double robot_size);
void add_contacts(Scene& scene, const RobotMoment& robot, double robot_size);
void add_support(Scene& scene, const RobotMoment& robot);

}  // namespace scree::view
