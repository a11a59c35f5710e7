#pragma once
/// What a robot looks like: meshes on its links and wheels, from look.toml beside the robot's file or, where
/// that says nothing, made from the robot's own numbers.
///
///     [[part]]
///     on = "chassis"                 # a link, "wheel.NAME", or a pattern: "wheel.*"
///     mesh = "meshes/chassis.obj"    # relative to look.toml
///     position = [0, 0, 0.05]        # m, in the link; also roll_deg, pitch_deg, yaw_deg, scale
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scree/view/mesh.hpp"
#include "scree/view/moment.hpp"
#include "scree/view/running_gear_mesh.hpp"
#include "scree/view/scene.hpp"

namespace scree::view {

/// A robot's geometry as the simulator knows it.
struct RobotShape {
  struct Link {
    std::string name;
    Vec3 center = Vec3::Zero();     ///< m, of the body's box, in the link
    Vec3 size = Vec3::Zero();       ///< m, of the body's box; zero: draw arms only
    std::vector<Vec3> attachments;  ///< m, in the link: where further links and wheels are carried
  };
  /// A link that is fixed to another: parts may be put on it by its own name.
  struct Fixed {
    std::string name;
    int link = 0;  ///< that it moves with
    Pose pose;     ///< X_LF
  };
  struct Wheel {
    std::string name;
    int link = 0;  ///< that carries it
    WheelShape shape;
    bool left = false;
    Vec3 strut_top = Vec3::Zero();  ///< m, in the link: upper end of its spring; zero: no spring
  };
  struct Track {
    std::string name;
    int link = 0;
    Pose pose;  ///< X_LT: middle between the pulleys
    TrackShape shape;
  };
  /// A shape of its own on a link or wheel, from a URDF.
  struct Visual {
    std::string on, shape;
    Pose pose;
    Vec3 size = Vec3::Ones();
    std::filesystem::path mesh;
    Color colour = Color(0.6f, 0.6f, 0.62f);
    bool coloured = false;
  };
  std::string name;
  std::vector<Visual> visuals;
  std::filesystem::path folder;  ///< where look.toml may lie; empty: none
  std::vector<Link> links;       ///< the first is the base
  std::vector<Fixed> fixed;
  std::vector<Wheel> wheels;
  std::vector<Track> tracks;
  Box extent;  ///< m, in the base: everything, as the model is given
  Color color = rgb(0xe07b2c);
};

/// Meshes fixed to links and wheels.
class RobotLook {
 public:
  /// Missing or malformed meshes are named in `warnings`, one line each, and replaced by made ones.
  RobotLook(const RobotShape& shape, std::vector<std::string>& warnings);

  /// Adds the robot as it stands; opacity below 1 makes a ghost.
  void add_to(Scene& scene, const RobotMoment& robot, float opacity = 1.f) const;
  const RobotShape& shape() const { return shape_; }
  /// Middle and greatest extent of what is seen, for cameras [m].
  Vec3 center(const RobotMoment& robot) const;
  double size() const { return size_; }

 private:
  enum class On { link, wheel };
  struct Part {
    On on;
    int index;
    std::shared_ptr<const Mesh> mesh;
    Pose offset;
    double scale = 1;
  };
  void read_file(const std::filesystem::path& file, std::vector<std::string>& warnings);
  void add_visuals(std::vector<std::string>& warnings);
  void make_missing();
  void add_legs();
  Box extent_of(int link) const;
  void measure();
  const std::shared_ptr<const Mesh>& track_at(std::size_t track, double travel) const;

  RobotShape shape_;
  std::vector<Part> parts_;
  std::vector<std::shared_ptr<const Mesh>> struts_;
  std::vector<std::vector<std::shared_ptr<const Mesh>>> tracks_;  ///< several phases of each belt
  Vec3 center_ = Vec3::Zero();
  double size_ = 1;
};

/// Box of the same mass and inertia about its centre (x, y, z sides) [m]; NaN-free for any positive input.
Vec3 equivalent_box(double mass, const Vec3& principal_inertia);

}  // namespace scree::view
