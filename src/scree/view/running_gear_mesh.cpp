#include "scree/view/running_gear_mesh.hpp"

#include <algorithm>
#include <cmath>

#include "scree/view/primitives.hpp"

namespace scree::view {
namespace {

const Material kRubber{.name = "rubber", .color = rgb(0x26272a), .roughness = 0.9f};
const Material kTread{.name = "tread", .color = rgb(0x1d1e20), .roughness = 0.95f};
const Material kDark{.name = "dark_metal", .color = rgb(0x3a3d42), .roughness = 0.5f, .metallic = 0.7f};
const Material kSteel{.name = "steel", .color = rgb(0xb4b8be), .roughness = 0.35f, .metallic = 0.9f};
const Material kSpring{.name = "spring", .color = rgb(0xd8b13a), .roughness = 0.45f, .metallic = 0.2f};

/// Pose at angle `a` around the y axis and radius `r`: its z axis points outwards.
Pose on_rim(double a, double r, double y) {
  Pose pose;
  const Vec3 out(std::cos(a), 0, std::sin(a)), along(-std::sin(a), 0, std::cos(a));
  pose.R.col(0) = along;
  pose.R.col(1) = out.cross(along);
  pose.R.col(2) = out;
  pose.p = r * out + Vec3(0, y, 0);
  return pose;
}

Mesh pneumatic_wheel(const WheelShape& shape) {
  Mesh mesh;
  const double r = shape.radius, h = 0.5 * shape.width;
  const double lug = shape.lug_height > 0 ? shape.lug_height : 0.07 * r;
  const double tyre = r - lug, bead = 0.62 * r, round = std::min(0.35 * h, 0.16 * r);
  // Tyre: side wall bulging from the bead to a rounded shoulder, on both sides.
  std::vector<Vec2> profile;
  for (int side = 0; side < 2; ++side) {
    const double sign = side ? -1 : 1;
    std::vector<Vec2> half{{bead, 0.80 * h}, {0.70 * r, 0.96 * h}, {0.80 * r, h}};
    for (int i = 0; i <= 4; ++i) {
      const double a = 0.5 * kPi * i / 4;
      half.emplace_back(tyre - round + round * std::sin(a), h - round + round * std::cos(a));
    }
    for (Vec2& p : half) p.y() *= sign;
    if (side) std::reverse(half.begin(), half.end());
    profile.insert(profile.end(), half.begin(), half.end());
  }
  add_revolved(mesh, {}, profile, 48, kRubber);
  // Tread: two staggered rows of slanted blocks, their tips at the wheel's radius.
  const int lugs =
      shape.lugs > 0 ? shape.lugs : std::clamp(static_cast<int>(2 * kPi * r / (0.27 * r)), 12, 28);
  const double pitch = 2 * kPi / lugs;
  for (int k = 0; k < lugs; ++k)
    for (int side = 0; side < 2; ++side) {
      const double sign = side ? -1 : 1;
      Pose pose = on_rim(pitch * (k + 0.5 * side), r - lug, sign * 0.47 * h);
      pose.R = pose.R * Eigen::AngleAxisd(sign * 0.38, Vec3::UnitZ()).toRotationMatrix();
      add_box(mesh, pose, Vec3(0.5 * pitch * r, 0.86 * h, 2 * lug), 0.25 * lug, kTread);
    }
  // Rim: lip, dished disk with spokes, hub.
  const Material rim{.name = "rim", .color = shape.rim, .roughness = 0.35f, .metallic = 0.55f};
  const Vec2 lip[] = {{0.50 * r, 0.55 * h},  {0.55 * r, 0.86 * h}, {0.63 * r, 0.86 * h},
                      {0.63 * r, 0.5 * h},   {0.63 * r, -0.5 * h}, {0.63 * r, -0.86 * h},
                      {0.55 * r, -0.86 * h}, {0.50 * r, -0.55 * h}};
  add_revolved(mesh, {}, lip, 40, rim);
  const Vec2 dish[] = {{0, 0.34 * h}, {0.50 * r, 0.42 * h}, {0.50 * r, -0.42 * h}, {0, -0.34 * h}};
  add_revolved(mesh, {}, dish, 40, kDark);
  for (int k = 0; k < 6; ++k)
    for (double sign : {1.0, -1.0}) {
      Pose pose = on_rim(k * kPi / 3, 0.34 * r, sign * 0.47 * h);
      add_box(mesh, pose, Vec3(0.13 * r, 0.22 * h, 0.42 * r), 0.02 * r, rim);
    }
  add_cylinder(mesh, {}, 0.16 * r, 1.3 * h, 0.03 * r, 24, rim);
  add_cylinder(mesh, {}, 0.09 * r, 1.45 * h, 0.02 * r, 16, kDark);
  return mesh;
}

/// A metal rover wheel: thin shell, straight lugs, springy curved spokes.
Mesh grouser_wheel(const WheelShape& shape) {
  Mesh mesh;
  const double r = shape.radius, h = 0.5 * shape.width;
  const double lug = shape.lug_height > 0 ? shape.lug_height : 0.05 * r;
  const int lugs = shape.lugs > 0 ? shape.lugs : 24;
  const Material shell{.name = "shell", .color = shape.rim, .roughness = 0.42f, .metallic = 0.75f};
  const double base = r - lug, wall = 0.035 * r;
  const Vec2 ring[] = {{base - wall, h}, {base, h}, {base, -h}, {base - wall, -h}, {base - wall, h}};
  add_revolved(mesh, {}, ring, 48, shell);
  for (int k = 0; k < lugs; ++k)
    add_box(mesh, on_rim(2 * kPi * k / lugs, r - lug, 0), Vec3(0.05 * r, 2.0 * h, 2 * lug), 0.15 * lug,
            shell);
  for (int k = 0; k < 6; ++k) {
    std::vector<Vec3> spoke;
    for (int i = 0; i <= 8; ++i) {
      const double t = i / 8.0, a = k * kPi / 3 + 0.9 * t * t, q = 0.2 * r + (base - wall - 0.2 * r) * t;
      spoke.emplace_back(q * std::cos(a), 0.0, q * std::sin(a));
    }
    for (double y : {0.45 * h, -0.45 * h}) {
      Pose side;
      side.p = Vec3(0, y, 0);
      add_tube(mesh, side, spoke, 0.045 * r, 6, kSteel);
    }
  }
  add_cylinder(mesh, {}, 0.26 * r, 1.3 * h, 0.04 * r, 28, kDark);
  add_cylinder(mesh, {}, 0.12 * r, 1.6 * h, 0.03 * r, 20, kSteel);
  return mesh;
}

/// The closed line around both pulleys, by its length from the top of the rear pulley.
struct BeltPath {
  double length, r1, r2, lean, straight, arc_front, arc_rear;
  explicit BeltPath(const TrackShape& s, double thickness)
      : length(s.length), r1(s.front_radius - thickness), r2(s.rear_radius - thickness) {
    lean = std::asin(std::clamp((r2 - r1) / length, -1.0, 1.0));  // of the upper stretch, downwards ahead
    straight = length * std::cos(lean);
    arc_front = r1 * (kPi - 2 * lean);
    arc_rear = r2 * (kPi + 2 * lean);
  }
  double total() const { return 2 * straight + arc_front + arc_rear; }
  /// Outward normal (in x-z) and point on the line of length s.
  std::pair<Vec2, Vec2> at(double s) const {
    s = std::fmod(s, total());
    if (s < 0) s += total();
    double a;  // angle of the outward normal
    Vec2 center;
    double radius, ahead = 0;
    const double top = kPi / 2 - lean, bottom = -kPi / 2 + lean;
    if (s < straight) {
      a = top, center = {-length / 2, 0}, radius = r2, ahead = s;
    } else if (s < straight + arc_front) {
      a = top - (s - straight) / r1, center = {length / 2, 0}, radius = r1;
    } else if (s < 2 * straight + arc_front) {
      a = bottom, center = {length / 2, 0}, radius = r1, ahead = s - straight - arc_front;
    } else {
      a = bottom - (s - 2 * straight - arc_front) / r2, center = {-length / 2, 0}, radius = r2;
    }
    const Vec2 n(std::cos(a), std::sin(a)), t(n.y(), -n.x());
    return {n, center + radius * n + ahead * t};
  }
};

constexpr double kCleatShare = 0.16;  ///< height of a cleat as a part of the smaller pulley's radius

double cleat_height(const TrackShape& s) { return kCleatShare * std::min(s.front_radius, s.rear_radius); }
int cleat_count(const TrackShape& s) {
  return std::max(12, static_cast<int>(BeltPath(s, cleat_height(s)).total() / (2.6 * cleat_height(s))));
}

}  // namespace

Mesh wheel_mesh(const WheelShape& shape) {
  return shape.style == WheelStyle::grouser ? grouser_wheel(shape) : pneumatic_wheel(shape);
}

double track_period(const TrackShape& s) { return BeltPath(s, cleat_height(s)).total() / cleat_count(s); }

Mesh track_mesh(const TrackShape& shape, double travel) {
  Mesh mesh;
  const double cleat = cleat_height(shape), band = 0.5 * cleat;
  const BeltPath path(shape, cleat);
  const int cleats = cleat_count(shape), steps = 3 * cleats;
  Surface& belt = mesh.surface(kRubber);
  for (int i = 0; i < steps; ++i) {  // the band: outside, inside and both edges of each short stretch
    const auto [n0, p0] = path.at(path.total() * i / steps);
    const auto [n1, p1] = path.at(path.total() * (i + 1) / steps);
    const double w = 0.5 * shape.width;
    const Vec2 ring[2][2] = {{p0 - band * n0, p0}, {p1 - band * n1, p1}};
    const Vec2 normal[2] = {n0, n1};
    const auto quad = [&](int layer0, double y0, int layer1, double y1, const Vec3& side, double out) {
      std::uint32_t v[4];
      int k = 0;
      for (auto [e, layer, y] :
           {std::tuple{0, layer0, y0}, {0, layer1, y1}, {1, layer1, y1}, {1, layer0, y0}}) {
        const Vec2 q = ring[e][layer];
        const Vec3 nn = out != 0 ? Vec3(out * normal[e].x(), 0, out * normal[e].y()) : side;
        v[k++] = add_vertex(belt, Vec3(q.x(), y, q.y()), nn);
      }
      add_triangle(belt, v[0], v[1], v[2]);
      add_triangle(belt, v[0], v[2], v[3]);
    };
    quad(1, w, 1, -w, {}, 1);
    quad(0, -w, 0, w, {}, -1);
    quad(0, w, 1, w, Vec3::UnitY(), 0);
    quad(1, -w, 0, -w, -Vec3::UnitY(), 0);
  }
  for (int k = 0; k < cleats; ++k) {
    const auto [n, p] = path.at(path.total() * k / cleats - travel);
    Pose pose;
    pose.R.col(2) = Vec3(n.x(), 0, n.y());
    pose.R.col(1) = Vec3::UnitY();
    pose.R.col(0) = pose.R.col(1).cross(pose.R.col(2));
    pose.p = Vec3(p.x(), 0, p.y()) + 0.4 * cleat * pose.R.col(2);
    add_box(mesh, pose, Vec3(0.9 * cleat, 1.02 * shape.width, 1.2 * cleat), 0.12 * cleat, kTread);
  }
  const auto pulley = [&](double x, double z, double radius) {
    Pose at;
    at.p = Vec3(x, 0, z);
    add_cylinder(mesh, at, radius, 0.8 * shape.width, 0.08 * radius, 28, kDark);
    add_cylinder(mesh, at, 0.45 * radius, 0.98 * shape.width, 0.05 * radius, 20, kSteel);
  };
  pulley(shape.length / 2, 0, shape.front_radius - cleat - band);
  pulley(-shape.length / 2, 0, shape.rear_radius - cleat - band);
  for (int k = 0; k < shape.road_wheels; ++k) {
    const double t = (k + 1.0) / (shape.road_wheels + 1), x = (t - 0.5) * shape.length;
    const double inside = (1 - t) * shape.rear_radius + t * shape.front_radius - cleat - band;
    pulley(x, -0.45 * inside, 0.55 * inside);
  }
  return mesh;
}

Mesh strut_mesh(double length, double radius) {
  Mesh mesh;
  Pose upright;
  upright.R = Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()).toRotationMatrix();
  const double r = radius, l = length;
  const Vec2 body[] = {{0, 0.55 * l}, {0.52 * r, 0.55 * l}, {0.52 * r, 0}, {0, 0}};
  add_revolved(mesh, upright, body, 16, kDark);
  const Vec2 rod[] = {{0, l}, {0.22 * r, l}, {0.22 * r, 0.5 * l}, {0, 0.5 * l}};
  add_revolved(mesh, upright, rod, 12, kSteel);
  std::vector<Vec3> coil;
  const int turns = std::clamp(static_cast<int>(0.9 * l / (0.7 * r)), 4, 9), per_turn = 14;
  for (int i = 0; i <= turns * per_turn; ++i) {
    const double a = 2 * kPi * i / per_turn;
    coil.emplace_back(0.84 * r * std::cos(a), 0.84 * r * std::sin(a),
                      l * (0.06 + 0.88 * i / (turns * per_turn)));
  }
  add_tube(mesh, {}, coil, 0.13 * r, 6, kSpring);
  return mesh;
}

}  // namespace scree::view
