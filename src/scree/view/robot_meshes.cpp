#include "scree/view/robot_meshes.hpp"

#include <cmath>

#include "scree/view/primitives.hpp"
#include "scree/view/running_gear_mesh.hpp"

namespace scree::view {
namespace {

const Material kOrange{.name = "orange", .color = rgb(0xe8742a), .roughness = 0.38f};
const Material kYellow{.name = "yellow", .color = rgb(0xf2b21b), .roughness = 0.4f};
const Material kGreen{.name = "green", .color = rgb(0x2f6b4f), .roughness = 0.45f};
const Material kWhite{.name = "white", .color = rgb(0xe9e7e1), .roughness = 0.45f};
const Material kGraphite{.name = "graphite", .color = rgb(0x2b2e33), .roughness = 0.55f, .metallic = 0.3f};
const Material kAluminium{.name = "aluminium", .color = rgb(0xb9bec5), .roughness = 0.36f, .metallic = 0.85f};
const Material kGlass{.name = "glass", .color = rgb(0x0e1720), .roughness = 0.1f, .metallic = 0.3f};
const Material kLamp{.name = "lamp", .color = rgb(0xfff2cf), .roughness = 0.3f, .glow = 0.8f};
const Material kCells{.name = "cells", .color = rgb(0x1d2c54), .roughness = 0.18f, .metallic = 0.45f};
const Material kGold{.name = "gold", .color = rgb(0xc89b3c), .roughness = 0.35f, .metallic = 0.8f};

Pose at(double x, double y, double z) {
  Pose pose;
  pose.p = Vec3(x, y, z);
  return pose;
}
Pose turned(double x, double y, double z, const Vec3& axis, double angle) {
  Pose pose = at(x, y, z);
  pose.R = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
  return pose;
}

/// A lens barrel looking along +x.
void add_eye(Mesh& mesh, const Pose& pose, double radius, double length) {
  Pose barrel = pose;
  barrel.R = pose.R * Eigen::AngleAxisd(-kPi / 2, Vec3::UnitZ()).toRotationMatrix();  // y becomes x
  add_cylinder(mesh, barrel, radius, length, 0.1 * radius, 24, kGraphite);
  Pose lens = barrel;
  lens.p = pose * Vec3(0.5 * length, 0, 0);
  add_cylinder(mesh, lens, 0.75 * radius, 0.1 * length, 0.05 * radius, 24, kGlass);
}

/// Screw heads around a plate's edge.
void add_bolts(Mesh& mesh, const Pose& pose, double x, double y, int along, double radius) {
  for (int i = 0; i < along; ++i)
    for (double side : {-1.0, 1.0}) {
      Pose bolt = pose;
      bolt.p = pose * Vec3(x * (2.0 * i / (along - 1) - 1), side * y, 0);
      bolt.R = pose.R * Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()).toRotationMatrix();
      add_cylinder(mesh, bolt, radius, radius, 0.2 * radius, 8, kAluminium);
    }
}

/// The pipe-inspection robot: a low sealed box, a pan-tilt head with lamps, a tether socket. Origin in the
/// centre of mass, 0.22 m above level ground at rest; wheels 0.60 m apart, 0.50 m track.
Mesh vivi_chassis() {
  Mesh mesh;
  const Vec2 side[] = {{-0.33, -0.075}, {0.31, -0.075}, {0.37, -0.02}, {0.37, 0.03},
                       {0.30, 0.065},   {-0.34, 0.065}, {-0.37, 0.03}, {-0.37, -0.03}};
  add_prism(mesh, at(0, 0, 0), side, 0.34, 0.014, kOrange);
  add_box(mesh, at(0, 0, -0.072), Vec3(0.60, 0.30, 0.03), 0.008, kGraphite);     // skid plate
  add_box(mesh, at(-0.06, 0, 0.07), Vec3(0.46, 0.28, 0.016), 0.005, kGraphite);  // lid
  add_bolts(mesh, at(-0.06, 0, 0.08), 0.21, 0.125, 6, 0.006);
  for (double y : {-0.12, 0.12}) {  // rails to carry it
    const Vec3 rail[] = {Vec3(-0.27, y, 0.07), Vec3(-0.25, y, 0.115), Vec3(0.10, y, 0.115),
                         Vec3(0.12, y, 0.07)};
    add_tube(mesh, {}, rail, 0.008, 10, kAluminium);
  }
  for (double x : {-0.30, 0.30})
    for (double y : {-1.0, 1.0})  // axle housings
      add_cylinder(mesh, at(x, 0.185 * y, -0.095), 0.036, 0.05, 0.006, 20, kGraphite);
  // Head: turntable, fork, ball with camera, two lamps.
  Pose table = turned(0.235, 0, 0.078, Vec3::UnitX(), kPi / 2);
  add_cylinder(mesh, table, 0.055, 0.026, 0.005, 28, kGraphite);
  for (double y : {-0.052, 0.052})
    add_box(mesh, at(0.235, y, 0.125), Vec3(0.034, 0.012, 0.085), 0.004, kAluminium);
  add_cylinder(mesh, at(0.235, 0, 0.145), 0.046, 0.088, 0.012, 28, kWhite);
  add_eye(mesh, at(0.285, 0, 0.145), 0.021, 0.05);
  for (double y : {-0.032, 0.032}) {
    Pose lamp = turned(0.278, y, 0.145, Vec3::UnitZ(), -kPi / 2);
    add_cylinder(mesh, lamp, 0.011, 0.02, 0.002, 16, kLamp);
  }
  for (double y : {-0.11, 0.11}) add_box(mesh, at(0.366, y, 0.005), Vec3(0.014, 0.05, 0.03), 0.004, kLamp);
  add_cylinder(mesh, turned(-0.385, 0, 0.0, Vec3::UnitZ(), kPi / 2), 0.03, 0.04, 0.006, 20,
               kAluminium);  // tether
  const Vec3 antenna[] = {Vec3(-0.29, 0.09, 0.07), Vec3(-0.30, 0.09, 0.27)};
  add_tube(mesh, {}, antenna, 0.004, 8, kGraphite);
  add_sphere(mesh, at(-0.30, 0.09, 0.275), 0.008, 10, kOrange);
  return mesh;
}

/// The amphibious monitoring robot: a boat-like hull on four large soft wheels, with a sampling arm and a
/// mast. Origin in the centre of mass, 0.45 m above ground; wheelbase 1.10 m, track 1.20 m.
Mesh her_chassis() {
  Mesh mesh;
  const Vec2 hull[] = {{-0.60, -0.14}, {0.45, -0.14}, {0.78, 0.06},
                       {0.80, 0.16},   {-0.72, 0.16}, {-0.74, 0.02}};
  add_prism(mesh, at(0, 0, 0), hull, 0.78, 0.04, kYellow);
  add_box(mesh, at(0.0, 0, 0.165), Vec3(1.46, 0.82, 0.05), 0.018, kGraphite);  // gunwale
  const Vec2 cabin[] = {{-0.44, 0.18}, {0.24, 0.18}, {0.12, 0.36}, {-0.40, 0.36}};
  add_prism(mesh, at(0, 0, 0), cabin, 0.56, 0.03, kGreen);
  const Vec2 window[] = {{0.150, 0.225}, {0.218, 0.225}, {0.135, 0.348}, {0.100, 0.348}};
  add_prism(mesh, at(0.012, 0, 0), window, 0.44, 0.006, kGlass);
  add_box(mesh, at(-0.15, 0, 0.367), Vec3(0.40, 0.42, 0.02), 0.006, kCells);
  for (double x : {-0.55, 0.55})
    for (double y : {-1.0, 1.0}) add_cylinder(mesh, at(x, 0.42 * y, -0.10), 0.085, 0.16, 0.02, 24, kGraphite);
  const Vec3 mast[] = {Vec3(-0.36, 0.20, 0.34), Vec3(-0.36, 0.20, 0.74)};
  add_tube(mesh, {}, mast, 0.02, 12, kAluminium);
  add_box(mesh, at(-0.35, 0.20, 0.78), Vec3(0.10, 0.16, 0.08), 0.015, kWhite);
  for (double y : {0.165, 0.235}) add_eye(mesh, at(-0.29, y, 0.78), 0.024, 0.04);
  // Sampling arm, folded over the bow.
  add_cylinder(mesh, turned(0.46, -0.18, 0.22, Vec3::UnitX(), kPi / 2), 0.07, 0.09, 0.012, 24, kGraphite);
  const Vec3 arm[] = {Vec3(0.46, -0.18, 0.26), Vec3(0.40, -0.18, 0.52), Vec3(0.72, -0.12, 0.50),
                      Vec3(0.80, -0.10, 0.32)};
  add_tube(mesh, {}, arm, 0.028, 12, kWhite);
  for (const Vec3& p : {arm[1], arm[2]})
    add_cylinder(mesh, at(p.x(), p.y(), p.z()), 0.045, 0.09, 0.01, 20, kOrange);
  add_box(mesh, at(0.81, -0.10, 0.28), Vec3(0.05, 0.08, 0.07), 0.01, kGraphite);
  for (double y : {-0.3, 0.3}) add_box(mesh, at(0.775, y, 0.10), Vec3(0.05, 0.09, 0.05), 0.01, kLamp);
  for (double y : {-0.37, 0.37}) {  // hand rails
    const Vec3 rail[] = {Vec3(-0.66, y, 0.18), Vec3(-0.66, y, 0.27), Vec3(-0.50, y, 0.27),
                         Vec3(-0.50, y, 0.18)};
    add_tube(mesh, {}, rail, 0.011, 10, kAluminium);
  }
  return mesh;
}

/// The six-wheeled example: a warm box under a deck of solar cells, a mast with a pair of eyes, a dish and a
/// whip. Origin in the centre of mass; wheels 0.48 m apart along each side, 0.68 m track.
Mesh hexa_chassis() {
  Mesh mesh;
  const Vec2 box[] = {{-0.54, -0.11}, {0.52, -0.11}, {0.61, 0.0},
                      {0.61, 0.10},   {-0.61, 0.10}, {-0.61, -0.02}};
  add_prism(mesh, at(0, 0, 0), box, 0.46, 0.02, kGold);
  // Deck: cells in panels with gaps.
  add_box(mesh, at(0, 0, 0.125), Vec3(1.26, 0.66, 0.025), 0.008, kWhite);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j)
      add_box(mesh, at(-0.49 + 0.245 * i, -0.21 + 0.21 * j, 0.140), Vec3(0.225, 0.19, 0.01), 0.002, kCells);
  for (double y : {-1.0, 1.0}) {
    Pose wing = turned(-0.12, 0.49 * y, 0.125, Vec3::UnitX(), -0.10 * y);
    add_box(mesh, wing, Vec3(0.62, 0.30, 0.018), 0.006, kWhite);
    for (int i = 0; i < 3; ++i) {
      Pose cell = wing;
      cell.p = wing * Vec3(-0.20 + 0.20 * i, 0, 0.012);
      add_box(mesh, cell, Vec3(0.185, 0.27, 0.008), 0.002, kCells);
    }
  }
  const Vec3 mast[] = {Vec3(0.50, 0.12, 0.13), Vec3(0.50, 0.12, 0.70)};
  add_tube(mesh, {}, mast, 0.026, 14, kWhite);
  add_cylinder(mesh, turned(0.50, 0.12, 0.15, Vec3::UnitX(), kPi / 2), 0.05, 0.05, 0.01, 20, kGraphite);
  add_box(mesh, at(0.51, 0.12, 0.75), Vec3(0.10, 0.30, 0.09), 0.018, kWhite);
  for (double y : {-0.09, 0.09}) add_eye(mesh, at(0.565, 0.12 + y, 0.755), 0.032, 0.05);
  Pose dish = turned(-0.46, -0.16, 0.30, Vec3(0.2, 0.9, 0.1).normalized(), 0.7);
  dish.R = dish.R * Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()).toRotationMatrix();
  const Vec2 bowl[] = {{0, 0.012}, {0.07, 0.018}, {0.13, 0.038}, {0.135, 0.032}, {0.07, 0.006}, {0, 0}};
  add_revolved(mesh, dish, bowl, 32, kWhite);
  const Vec3 stand[] = {Vec3(-0.46, -0.16, 0.13), Vec3(-0.46, -0.16, 0.30)};
  add_tube(mesh, {}, stand, 0.014, 10, kGraphite);
  const Vec3 whip[] = {Vec3(-0.54, 0.22, 0.13), Vec3(-0.54, 0.22, 0.55)};
  add_tube(mesh, {}, whip, 0.007, 8, kGraphite);
  for (double y : {-0.12, 0.12}) add_eye(mesh, at(0.612, y, 0.05), 0.022, 0.03);
  for (double x : {-0.48, 0.0, 0.48})  // axle housings
    add_cylinder(mesh, at(x, 0, -0.085), 0.035, 0.52, 0.006, 20, kAluminium);
  return mesh;
}

/// A tube bent at its points, with a ball in every bend.
void add_bent_tube(Mesh& mesh, std::span<const Vec3> points, double radius, const Material& material) {
  for (std::size_t i = 0; i + 1 < points.size(); ++i)
    add_tube(mesh, {}, points.subspan(i, 2), radius, 14, material);
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const Vec3& p = points[i];
    add_sphere(mesh, at(p.x(), p.y(), p.z()), radius, 14, material);
  }
}

/// The rocker-bogie rover: a warm box under a deck of cells with wings. Origin in the centre of mass, 0.50 m
/// above level ground; the rockers turn about y = +-0.42 m, 0.05 m below it.
Mesh mars6_chassis() {
  Mesh mesh;
  const Vec2 box[] = {{-0.45, -0.15}, {0.40, -0.18}, {0.45, -0.08}, {0.45, 0.10}, {-0.45, 0.10}};
  add_prism(mesh, {}, box, 0.56, 0.02, kGold);
  const Vec2 deck[] = {{-0.66, 0.10}, {0.48, 0.10}, {0.48, 0.12}, {-0.66, 0.12}};
  add_prism(mesh, {}, deck, 0.80, 0.006, kWhite);
  for (int i = 0; i < 5; ++i)
    for (int j = 0; j < 3; ++j)
      add_box(mesh, at(-0.55 + 0.20 * i, -0.25 + 0.25 * j, 0.124), Vec3(0.185, 0.235, 0.008), 0.002, kCells);
  for (double y : {-1.0, 1.0}) {  // wings behind, swept
    Pose wing = turned(-0.30, 0.58 * y, 0.125, Vec3::UnitX(), 0.06 * y);
    add_box(mesh, wing, Vec3(0.62, 0.34, 0.014), 0.005, kWhite);
    for (int i = 0; i < 3; ++i) {
      Pose cell = wing;
      cell.p = wing * Vec3(-0.20 + 0.20 * i, 0, 0.010);
      add_box(mesh, cell, Vec3(0.185, 0.31, 0.006), 0.002, kCells);
    }
    add_cylinder(mesh, at(0, 0.35 * y, -0.05), 0.045, 0.14, 0.008, 24, kGraphite);  // pivot
  }
  for (double y : {-0.12, 0.12}) add_eye(mesh, at(0.452, y, 0.02), 0.022, 0.03);
  Pose dish = turned(-0.36, -0.20, 0.32, Vec3(0.2, 0.9, 0.1).normalized(), 0.7);
  dish.R = dish.R * Eigen::AngleAxisd(kPi / 2, Vec3::UnitX()).toRotationMatrix();
  const Vec2 bowl[] = {{0, 0.012}, {0.07, 0.018}, {0.13, 0.038}, {0.135, 0.032}, {0.07, 0.006}, {0, 0}};
  add_revolved(mesh, dish, bowl, 32, kWhite);
  const Vec3 stand[] = {Vec3(-0.36, -0.20, 0.12), Vec3(-0.36, -0.20, 0.32)};
  add_tube(mesh, {}, stand, 0.014, 10, kGraphite);
  const Vec3 whip[] = {Vec3(-0.58, 0.30, 0.12), Vec3(-0.58, 0.30, 0.55)};
  add_tube(mesh, {}, whip, 0.007, 8, kGraphite);
  return mesh;
}

/// Its mast with the pair of eyes; origin in the mast's foot.
Mesh mars6_mast() {
  Mesh mesh;
  add_cylinder(mesh, turned(0, 0, 0.02, Vec3::UnitX(), kPi / 2), 0.05, 0.05, 0.01, 20, kGraphite);
  const Vec3 tube[] = {Vec3(0, 0, 0), Vec3(0, 0, 0.62)};
  add_tube(mesh, {}, tube, 0.028, 16, kWhite);
  add_box(mesh, at(0.01, 0, 0.66), Vec3(0.09, 0.32, 0.08), 0.016, kWhite);
  for (double y : {-0.11, 0.11}) add_eye(mesh, at(0.06, y, 0.66), 0.030, 0.05);
  return mesh;
}

/// Its rocker (side 1: left), origin in its pivot: an arm to the front steering head, one to the bogie.
Mesh mars6_rocker(double side) {
  Mesh mesh;
  add_cylinder(mesh, at(0, 0.02 * side, 0), 0.055, 0.07, 0.01, 24, kGraphite);
  const Vec3 front[] = {Vec3(0, 0.03 * side, 0), Vec3(0.40, 0.05 * side, 0.03),
                        Vec3(0.61, 0.11 * side, -0.02)};
  add_bent_tube(mesh, front, 0.026, kAluminium);
  const Vec3 rear[] = {Vec3(0, 0.03 * side, 0), Vec3(-0.305, 0.0, -0.15)};
  add_bent_tube(mesh, rear, 0.026, kAluminium);
  add_cylinder(mesh, turned(0.61, 0.11 * side, -0.05, Vec3::UnitX(), kPi / 2), 0.042, 0.09, 0.008, 20,
               kGraphite);
  return mesh;
}

/// Its bogie, origin in its pivot: an arm to the middle wheel, one to the rear steering head.
Mesh mars6_bogie(double side) {
  Mesh mesh;
  add_cylinder(mesh, {}, 0.045, 0.09, 0.008, 24, kGraphite);
  const Vec3 middle[] = {Vec3(0, 0, 0), Vec3(0.24, -0.01 * side, -0.03), Vec3(0.305, -0.02 * side, -0.175),
                         Vec3(0.305, 0.03 * side, -0.175)};
  add_bent_tube(mesh, middle, 0.022, kAluminium);
  const Vec3 rear[] = {Vec3(0, 0, 0), Vec3(-0.16, 0.0, 0.09), Vec3(-0.305, 0.08 * side, 0.12)};
  add_bent_tube(mesh, rear, 0.022, kAluminium);
  add_cylinder(mesh, turned(-0.305, 0.08 * side, 0.09, Vec3::UnitX(), kPi / 2), 0.042, 0.09, 0.008, 20,
               kGraphite);
  return mesh;
}

struct KnuckleShape {
  double drop = 0.225;    ///< steering head to axle [m]
  double radius = 0.125;  ///< of the wheel [m]
  double inside = 0.10;   ///< from the wheel's middle to the leg [m]
  double tube = 0.02;     ///< radius of the leg [m]
};

/// A steering knuckle (side 1: left), origin in the steering head: a column, and a leg inside of the wheel.
Mesh knuckle(const KnuckleShape& k, double side, const Material& leg) {
  Mesh mesh;
  const double y = -k.inside * side, top = -k.drop + k.radius + 2 * k.tube;
  const Vec3 way[] = {Vec3(0, 0, 0), Vec3(0, 0, top), Vec3(0, y, top), Vec3(0, y, -k.drop)};
  add_bent_tube(mesh, way, k.tube, leg);
  add_cylinder(mesh, at(0, 0.75 * y, -k.drop), 1.9 * k.tube, 0.5 * k.inside, 0.006, 20, kGraphite);
  return mesh;
}

/// El-Dorado II: an open frame with a box of electronics. Origin in the centre of mass, 0.30 m above level
/// ground; the rockers turn about y = +-0.18 m, 0.05 m below it.
Mesh el_dorado_chassis() {
  Mesh mesh;
  add_box(mesh, at(0, 0, -0.06), Vec3(0.44, 0.30, 0.05), 0.008, kGraphite);
  add_box(mesh, at(-0.02, 0, 0.02), Vec3(0.34, 0.26, 0.11), 0.012, kWhite);
  add_box(mesh, at(-0.02, 0, 0.08), Vec3(0.36, 0.28, 0.012), 0.004, kOrange);
  add_box(mesh, at(0.19, 0, 0.0), Vec3(0.05, 0.20, 0.06), 0.008, kOrange);
  for (double y : {-0.06, 0.06}) add_eye(mesh, at(0.22, y, 0.0), 0.018, 0.03);
  for (double y : {-0.165, 0.165}) add_cylinder(mesh, at(0, y, -0.05), 0.03, 0.05, 0.005, 20, kAluminium);
  const Vec3 mast[] = {Vec3(-0.14, 0, 0.08), Vec3(-0.14, 0, 0.34)};
  add_tube(mesh, {}, mast, 0.012, 12, kAluminium);
  add_box(mesh, at(-0.13, 0, 0.36), Vec3(0.06, 0.14, 0.05), 0.01, kGraphite);
  add_eye(mesh, turned(-0.10, 0, 0.35, Vec3::UnitY(), 0.6), 0.018, 0.03);
  return mesh;
}

/// Its rocker (side 1: left), origin in its pivot.
Mesh el_dorado_rocker(double side) {
  Mesh mesh;
  add_cylinder(mesh, at(0, 0.015 * side, 0), 0.035, 0.05, 0.006, 20, kGraphite);
  const Vec3 way[] = {Vec3(-0.32, 0.07 * side, 0.025), Vec3(-0.2, 0.03 * side, 0.025),
                      Vec3(0.2, 0.03 * side, 0.025), Vec3(0.32, 0.07 * side, 0.025)};
  add_bent_tube(mesh, way, 0.018, kAluminium);
  for (double x : {-0.32, 0.32})
    add_cylinder(mesh, turned(x, 0.07 * side, 0.03, Vec3::UnitX(), kPi / 2), 0.03, 0.07, 0.006, 20,
                 kGraphite);
  return mesh;
}

}  // namespace

std::vector<NamedMesh> project_meshes() {
  const std::string made = "made by scripts/make_meshes; x forward, y left, z up, metres";
  std::vector<NamedMesh> list;
  const auto add = [&](const char* file, Mesh mesh) { list.push_back({file, made, std::move(mesh)}); };
  add("vivi/meshes/chassis.obj", vivi_chassis());
  add("vivi/meshes/wheel.obj", wheel_mesh({.radius = 0.12, .width = 0.08, .rim = rgb(0xd8dade)}));
  add("her/meshes/chassis.obj", her_chassis());
  add("her/meshes/wheel.obj",
      wheel_mesh({.radius = 0.33, .width = 0.20, .lugs = 20, .lug_height = 0.022, .rim = rgb(0xf2b21b)}));
  add("hexa/meshes/chassis.obj", hexa_chassis());
  add("hexa/meshes/wheel.obj", wheel_mesh({.radius = 0.15,
                                           .width = 0.12,
                                           .lugs = 24,
                                           .lug_height = 0.007,
                                           .style = WheelStyle::grouser,
                                           .rim = rgb(0xc4c7cc)}));
  add("mars6/meshes/chassis.obj", mars6_chassis());
  add("mars6/meshes/mast.obj", mars6_mast());
  const KnuckleShape of_mars6;
  const KnuckleShape of_el_dorado{.drop = 0.16, .radius = 0.1, .inside = 0.066, .tube = 0.012};
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left" : "right";
    add(("mars6/meshes/" + name + "_rocker.obj").c_str(), mars6_rocker(side));
    add(("mars6/meshes/" + name + "_bogie.obj").c_str(), mars6_bogie(side));
    add(("mars6/meshes/" + name + "_knuckle.obj").c_str(), knuckle(of_mars6, side, kAluminium));
    add(("el-dorado/meshes/" + name + "_rocker.obj").c_str(), el_dorado_rocker(side));
    add(("el-dorado/meshes/" + name + "_knuckle.obj").c_str(), knuckle(of_el_dorado, side, kAluminium));
  }
  add("mars6/meshes/wheel.obj", wheel_mesh({.radius = 0.125,
                                            .width = 0.16,
                                            .lugs = 24,
                                            .lug_height = 0.006,
                                            .style = WheelStyle::grouser,
                                            .rim = rgb(0xb8bbc0)}));
  add("el-dorado/meshes/chassis.obj", el_dorado_chassis());
  add("el-dorado/meshes/wheel.obj", wheel_mesh({.radius = 0.1,
                                                .width = 0.1,
                                                .lugs = 15,
                                                .lug_height = 0.01,
                                                .style = WheelStyle::grouser,
                                                .rim = rgb(0xc4c7cc)}));
  return list;
}

}  // namespace scree::view
