#include "scree/view/overlays.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace scree::view {
namespace {

const Color kX = rgb(0xe5484d), kY = rgb(0x46a758), kZ = rgb(0x3e8ef7);
const Color kNormalForce = rgb(0x39c26b), kTangentForce = rgb(0xf76b15), kContact = rgb(0xffe14d);

/// From red (tipping) over yellow to green (as safe as at rest on level ground).
Color safety_color(double index) {
  const float t = static_cast<float>(std::clamp(index, 0.0, 1.0));
  const Color red = rgb(0xe5484d), yellow = rgb(0xffc53d), green = rgb(0x46c46b);
  return t < 0.5f ? Color(red + 2 * t * (yellow - red)) : Color(yellow + (2 * t - 1) * (green - yellow));
}

}  // namespace

Color robot_color(std::size_t robot) {
  static const std::array<Color, 6> colors{rgb(0xffd23f), rgb(0x4cc9f0), rgb(0xf72585),
                                           rgb(0x90e05a), rgb(0xff9e4f), rgb(0xb28dff)};
  return colors[robot % colors.size()];
}

void add_path(Scene& scene, const Trail& trail, PathStyle style, double until, double robot_size,
              const Color& color) {
  if (style == PathStyle::none || trail.empty()) return;
  if (style == PathStyle::line) {
    Polyline line;
    line.color = color;
    line.width = 3.f;
    for (const TrailPoint& p : trail) {
      if (p.time > until) break;
      line.points.push_back(p.position);
    }
    scene.lines.push_back(std::move(line));
    return;
  }
  // Vectors stand a tenth of the robot apart, measured along the path.
  const double spacing = 0.12 * robot_size, length = 0.35 * robot_size;
  const float radius = static_cast<float>(0.02 * robot_size);
  double since = spacing;
  for (std::size_t i = 0; i < trail.size() && trail[i].time <= until; ++i) {
    if (i > 0) since += (trail[i].position - trail[i - 1].position).norm();
    if (since < spacing) continue;
    since = 0;
    const Vec3& p = trail[i].position;
    scene.arrows.push_back({p, length * trail[i].axes.col(2), kZ, radius});
    if (style != PathStyle::xyz_vectors) continue;
    scene.arrows.push_back({p, length * trail[i].axes.col(0), kX, radius});
    scene.arrows.push_back({p, length * trail[i].axes.col(1), kY, radius});
  }
}

void add_rut(Scene& scene, const Trail& rut, double width, double until) {
  for (const double side : {-0.5 * width, 0.5 * width}) {
    Polyline line;
    line.color = rgb(0x5c4428);
    line.width = 2.f;
    for (std::size_t i = 0; i < rut.size() && rut[i].time <= until; ++i) {
      if (i > 0 && (rut[i].position - rut[i - 1].position).norm() > kRutGap) {
        if (line.points.size() > 1) scene.lines.push_back(line);
        line.points.clear();
      }
      line.points.push_back(rut[i].position + side * rut[i].axes.col(1));
    }
    if (line.points.size() > 1) scene.lines.push_back(std::move(line));
  }
}

double force_scale(const RobotMoment& robot, double robot_size) {
  return 1.6 * robot_size / std::max(robot.weight, 1e-9);
}

void add_forces(Scene& scene, const RobotMoment& robot, double robot_size) {
  const double scale = force_scale(robot, robot_size);
  const float radius = static_cast<float>(0.018 * robot_size);
  for (const WheelMoment& w : robot.wheels) {
    if (!w.touches) continue;
    const Vec3 normal = Vec3(0, 0, 1) * w.force.z(), tangent = w.force - normal;
    scene.arrows.push_back({w.contact, scale * w.force, kNormalForce, radius, true});
    scene.arrows.push_back({w.contact, scale * tangent, kTangentForce, radius, true});
  }
}

void add_contacts(Scene& scene, const RobotMoment& robot, double robot_size) {
  for (const WheelMoment& w : robot.wheels) {
    if (w.touches) scene.balls.push_back({w.contact, static_cast<float>(0.02 * robot_size), kContact, true});
    if (!(w.travel_limit > 0)) continue;
    // A gauge beside the wheel: frame for the whole travel, bar for what is used.
    const Vec3 up = Vec3::UnitZ(), base = w.pose.p + 1.25 * w.radius * up;
    const double height = 0.9 * w.radius, part = std::clamp(w.travel / w.travel_limit, 0.0, 1.2);
    scene.lines.push_back({{base, base + height * up}, rgb(0x20242a), 0.85f, 9.f, true});
    scene.lines.push_back({{base, base + part * height * up}, safety_color(1.15 - part), 1.f, 6.f, true});
  }
}

void add_support(Scene& scene, const RobotMoment& robot) {
  const std::size_t n = robot.support.size();
  for (std::size_t i = 0; i < n; ++i) {
    const double index = i < robot.stability.size() ? robot.stability[i] : 1.0;
    const Vec3 lift(0, 0, 0.004);
    scene.lines.push_back(
        {{robot.support[i] + lift, robot.support[(i + 1) % n] + lift}, safety_color(index), 1.f, 4.f, true});
  }
  if (n >= 3) {  // the centre of mass, dropped along gravity
    double ground = 0;
    for (const Vec3& p : robot.support) ground += p.z() / static_cast<double>(n);
    const Vec3 foot(robot.center_of_mass.x(), robot.center_of_mass.y(), ground);
    scene.lines.push_back({{robot.center_of_mass, foot}, rgb(0xffffff), 0.9f, 2.f, true});
    const double r = 0.03 * (robot.support[0] - robot.support[n / 2]).norm();
    scene.balls.push_back({robot.center_of_mass, static_cast<float>(r), rgb(0xffffff)});
  }
}

}  // namespace scree::view
