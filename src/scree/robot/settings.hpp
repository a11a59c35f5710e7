#pragma once
/// What a robot file says: plain structs with defaults, read and documented by describe().
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/drive/settings.hpp"
#include "scree/ground/contact.hpp"
#include "scree/robot/motion.hpp"
#include "scree/sense/sensor.hpp"

namespace scree {

/// The body that carries everything (Morrot 2011 Sec. 2.2.1). Its frame B has its origin in the centre of
/// mass, x forward, y left, z up; the six lengths place the box around it.
struct ChassisSettings {
  double mass = 0;               ///< kg, of the whole robot unless links carry their own
  Vec3 inertia = Vec3::Zero();   ///< about the centre of mass: roll, pitch, yaw [kg m²]
  Vec3 products = Vec3::Zero();  ///< products of inertia I_xy, I_xz, I_yz [kg m²]
  double l1 = 0, l2 = 0;         ///< centre of mass to the rear, to the front face [m]
  double w1 = 0, w2 = 0;         ///< to the right, to the left face [m]
  double h_base = 0, h_top = 0;  ///< to the bottom, to the top face [m]
  /// Centre of the box in B.
  Vec3 box_centre() const { return {0.5 * (l2 - l1), 0.5 * (w2 - w1), 0.5 * (h_top - h_base)}; }
};

/// A further link and the joint that carries it.
struct RobotLinkSettings {
  std::string name, parent = "chassis";
  std::string joint = "revolute";               ///< fixed, revolute, prismatic
  Vec3 position = Vec3::Zero();                 ///< of the joint in the parent's frame [m]
  Mat3 rotation = Mat3::Identity();             ///< of the joint's frame in the parent's
  Vec3 axis = Vec3::UnitY();                    ///< of the joint in the joint's axes
  double mass = 0;                              ///< kg
  Vec3 com = Vec3::Zero();                      ///< centre of mass in the link's frame [m]
  Vec3 inertia = Vec3::Zero();                  ///< about it, along the link's axes [kg m²]
  Vec3 products = Vec3::Zero();                 ///< products of inertia I_xy, I_xz, I_yz [kg m²]
  double stiffness = 0, rest = 0, damping = 0;  ///< of the joint [N m/rad or N/m, rad or m, ...]
  double lower = -1e9, upper = 1e9;             ///< limits [rad or m]
  MotionSettings motion;                        ///< the joint is prescribed where a kind is given
};

struct RobotCouplingSettings {
  std::string a, b;  ///< links whose joints are coupled: q_a = ratio q_b + offset
  double ratio = 1;
  double offset = 0;  ///< [rad or m]
};

/// A drive of its own for one coordinate, or for all whose names match.
struct RobotDriveSettings {
  std::string on;  ///< wheel or link, by name or shell pattern
  DriveSettings drive;
  std::string where;  ///< in the file, for messages
};

/// What a robot file changes of a joint that its URDF describes.
struct RobotJointSettings {
  std::string on;  ///< link that the joint carries, by name or shell pattern
  bool locked = false;
  std::optional<double> stiffness, rest, damping, lower, upper;
  MotionSettings motion;
  std::string where;  ///< in the file, for messages
};

/// How a part looks, where the robot file's URDF says so.
struct RobotVisualSettings {
  std::string on;             ///< link, or wheel.NAME
  std::string shape = "box";  ///< box, cylinder (about z), sphere, mesh
  Pose pose;                  ///< in the link or wheel
  Vec3 size =
      Vec3::Ones();  ///< box: sides; cylinder: radius, radius, length; sphere: radius; mesh: scale [m]
  std::filesystem::path mesh;  ///< STL, OBJ, Collada
  Vec3 colour = Vec3(0.6, 0.6, 0.62);
  bool coloured = false;  ///< a colour is given (meshes may have their own)
};

struct WheelSettings {
  std::string name;
  std::string link = "chassis";
  /// Hub with the suspension unloaded, from the centre of the chassis box (or the link's origin) [m].
  Vec3 position = Vec3::Zero();
  double yaw = 0, camber = 0;    ///< fixed turn about z and about x [rad]
  double radius = 0, width = 0;  ///< m
  double spin_inertia = 0;       ///< kg m², gearbox output included
  bool driven = true;
  ContactChoice contact;  ///< how it meets the ground
  SuspensionSettings suspension;
  TyreSettings tyre;
};

/// A convex body of its own on a link: the hull of points, or of the vertices of a mesh.
struct RobotBodySettings {
  std::string link = "chassis";
  /// From the centre of the chassis box (or the link's origin) [m].
  std::vector<std::vector<double>> points;
  std::string mesh;   ///< Wavefront file beside the robot's, in the link's frame [m]
  std::string where;  ///< in the file, for messages
};

struct RobotHullSettings {
  ContactChoice choice;  ///< how it meets the ground
  HullSettings contact;
  bool box = true;                          ///< the chassis box touches
  bool hubs = true;                         ///< the outer end of every axle touches
  std::vector<std::vector<double>> points;  ///< further points, from the centre of the box [m]
  std::vector<RobotBodySettings> bodies;    ///< further bodies
};

struct RobotSettings {
  std::string name = "robot";
  std::string doc;
  std::string base = "floating";  ///< floating | fixed: the chassis stands where it starts
  ChassisSettings chassis;
  std::vector<RobotLinkSettings> links;
  std::vector<RobotCouplingSettings> couplings;
  std::vector<WheelSettings> wheels;
  RobotHullSettings hull;
  DriveSettings drive;                     ///< of every driven wheel that has none of its own
  std::vector<RobotDriveSettings> drives;  ///< those with settings of their own
  BatterySettings battery;
  std::vector<SensorSettings> sensors;
  std::filesystem::path urdf;  ///< links, joints, inertias and visuals are from there; empty: from here
  std::vector<RobotJointSettings> joints;    ///< changes to joints of the URDF
  std::vector<RobotVisualSettings> visuals;  ///< from the URDF
  std::filesystem::path folder;              ///< where the file was found (meshes lie beside it)
};
void describe(Section& section, RobotSettings& settings);

/// Reads a robot from `models/<name>/robot.toml`, or from a file when the name is a path; a path that ends in
/// .urdf means the robot file of the same name beside it. `overrides` are `key=value` assignments laid over
/// the file; `origin` is where they were given, for messages.
RobotSettings read_robot(const std::string& name, const std::filesystem::path& relative_to,
                         const std::vector<std::string>& overrides = {},
                         const std::string& origin = "robot.set");

/// The robot file as TOML text, overrides included.
std::string robot_file_text(const std::string& name, const std::filesystem::path& relative_to,
                            const std::vector<std::string>& overrides = {});

}  // namespace scree
