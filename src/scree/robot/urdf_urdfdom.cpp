/// Import by urdfdom.
#include <console_bridge/console.h>
#include <urdf_model/model.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/robot/urdf.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

/// What urdfdom has to say instead of printing it.
class Complaints : public console_bridge::OutputHandler {
 public:
  Complaints() { console_bridge::useOutputHandler(this); }
  ~Complaints() override { console_bridge::restorePreviousOutputHandler(); }
  void log(const std::string& text, console_bridge::LogLevel level, const char*, int) override {
    if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_.empty()) first_ = text;
  }
  const std::string& first() const { return first_; }

 private:
  std::string first_;
};

Vec3 vector_of(const urdf::Vector3& v) { return {v.x, v.y, v.z}; }
Pose pose_of(const urdf::Pose& p) {
  return {Quat(p.rotation.w, p.rotation.x, p.rotation.y, p.rotation.z).normalized().toRotationMatrix(),
          vector_of(p.position)};
}

urdf::ModelInterfaceSharedPtr parse(const fs::path& file) {
  std::ifstream in(file);
  if (!in) input_error("{}: cannot be read", file.string());
  std::stringstream text;
  text << in.rdbuf();
  static std::mutex one_at_a_time;  // the handler of messages is one for the whole program
  const std::lock_guard lock(one_at_a_time);
  Complaints complaints;
  urdf::ModelInterfaceSharedPtr model;
  try {
    model = urdf::parseURDF(text.str());
  } catch (const std::exception& error) {
    input_error("{}: not a robot: {}", file.string(), error.what());
  }
  if (!model) {
    std::string why = complaints.first().empty() ? "no <robot> in it" : complaints.first();
    std::replace(why.begin(), why.end(), '\n', ' ');
    if (why.find("root link") != std::string::npos || why.find("tree") != std::string::npos)
      why += " (one link without a parent, and no closed chain of joints; close loops by <mimic>)";
    input_error("{}: {}", file.string(), why);
  }
  return model;
}

/// Mass, centre of mass and inertia in a frame whose axes are the link's.
struct Body {
  double mass = 0;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

class UrdfReader {
 public:
  UrdfReader(const fs::path& file, RobotSettings& x) : file_(file), x_(x), model_(parse(file)) {}

  void read() {
    check_tree();
    find_root();
    place(root_, {});
    for (const auto& [name, link] : model_->links_)
      if (!home_.contains(name) && !passed_.contains(name))
        fail(fmt::format("link '{}' hangs on a closed chain of joints, not on '{}'", name, root_->name));
    read_chassis();
    for (const auto& joint : joints_) read_joint(joint);
    for (WheelSettings& w : x_.wheels) read_wheel(w);
    for (const auto& joint : joints_) read_mimic(joint);
    read_looks();
    rename_root();
    change_joints();
  }

 private:
  [[noreturn]] void fail(const std::string& message) const { input_error("{}: {}", file_.string(), message); }

  void check_tree() {
    std::map<std::string, std::string> carried;
    for (const auto& [name, joint] : model_->joints_) {
      const auto [at, first] = carried.emplace(joint->child_link_name, name);
      if (!first)
        fail(fmt::format(
            "link '{}' hangs on two joints, '{}' and '{}': a link has one parent; close a loop by <mimic>",
            joint->child_link_name, at->second, name));
      if (joint->type == urdf::Joint::FLOATING || joint->type == urdf::Joint::PLANAR)
        fail(fmt::format("joint '{}' is {}: fixed, revolute, continuous and prismatic joints are known", name,
                         joint->type == urdf::Joint::PLANAR ? "planar" : "floating"));
    }
  }

  void find_root() {
    root_ = model_->getRoot();
    while (!root_->inertial && root_->child_joints.size() == 1 &&
           root_->child_joints[0]->type == urdf::Joint::FIXED)
      passed_.insert(root_->name), root_ = model_->getLink(root_->child_joints[0]->child_link_name);
  }

  /// Where links are in the root's frame with all joints at zero, and the joints parents first.
  void place(const urdf::LinkConstSharedPtr& link, const Pose& X) {
    home_[link->name] = X;
    for (const auto& joint : link->child_joints) {
      joints_.push_back(joint);
      place(model_->getLink(joint->child_link_name), X * pose_of(joint->parent_to_joint_origin_transform));
    }
  }

  Body body_of(const urdf::LinkConstSharedPtr& link) const {
    Body b;
    if (!link->inertial) return b;
    const urdf::Inertial& i = *link->inertial;
    const Pose X = pose_of(i.origin);
    Mat3 I;
    I << i.ixx, i.ixy, i.ixz, i.ixy, i.iyy, i.iyz, i.ixz, i.iyz, i.izz;
    b.mass = i.mass, b.com = X.p, b.inertia = X.R * I * X.R.transpose();
    if (!(b.mass >= 0) || !b.inertia.allFinite() || !b.com.allFinite())
      fail(fmt::format("link '{}': mass {} kg and inertia must be finite, the mass not negative", link->name,
                       b.mass));
    if (b.mass > 0 && !(b.inertia.cwiseAbs().maxCoeff() > 0))
      fail(fmt::format("link '{}': {} kg without inertia: give ixx, iyy, izz above 0", link->name, b.mass));
    return b;
  }

  static Vec3 moments(const Mat3& I) { return I.diagonal(); }
  static Vec3 products(const Mat3& I) { return {-I(0, 1), -I(0, 2), -I(1, 2)}; }

  void read_chassis() {
    const Body b = body_of(root_);
    if (!(b.mass > 0))
      fail(fmt::format("link '{}' carries the robot and needs <inertial> with a mass", root_->name));
    origin_ = b.com;
    ChassisSettings& c = x_.chassis;
    c.mass = b.mass, c.inertia = moments(b.inertia), c.products = products(b.inertia);
    if (c.l1 > 0) return;  // the companion gives the box
    Vec3 low = Vec3::Constant(1e300), high = -low;
    for (const auto& collision : root_->collision_array)
      for (const Vec3& p : corners_of(*collision))
        low = low.cwiseMin(p - origin_), high = high.cwiseMax(p - origin_);
    if (!(low.x() < high.x())) low = Vec3::Constant(-0.1), high = Vec3::Constant(0.1), x_.hull.box = false;
    c.l1 = -low.x(), c.l2 = high.x(), c.w1 = -low.y(), c.w2 = high.y(), c.h_base = -low.z(),
    c.h_top = high.z();
  }

  /// Corners of boxes and of prisms around cylinders, in the link; nothing of other shapes.
  static std::vector<Vec3> corners_of(const urdf::Collision& c) {
    const Pose X = pose_of(c.origin);
    std::vector<Vec3> out;
    if (!c.geometry) return out;
    if (c.geometry->type == urdf::Geometry::BOX) {
      const Vec3 half = 0.5 * vector_of(static_cast<const urdf::Box&>(*c.geometry).dim);
      for (int k = 0; k < 8; ++k)
        out.push_back(X * Vec3(k & 1 ? half.x() : -half.x(), k & 2 ? half.y() : -half.y(),
                               k & 4 ? half.z() : -half.z()));
    } else if (c.geometry->type == urdf::Geometry::CYLINDER) {
      const auto& cylinder = static_cast<const urdf::Cylinder&>(*c.geometry);
      for (int k = 0; k < 12; ++k) {
        const maths::SineCosine a = maths::sine_cosine(kPi * k / 6);
        for (const double end : {-0.5, 0.5})
          out.push_back(X *
                        Vec3(cylinder.radius * a.cosine, cylinder.radius * a.sine, end * cylinder.length));
      }
    }
    return out;
  }

  bool is_wheel(const std::string& link) const {
    return std::any_of(x_.wheels.begin(), x_.wheels.end(),
                       [&](const WheelSettings& w) { return w.link == link; });
  }
  Vec3 from_root(const std::string& parent, const Vec3& p) const {
    return parent == root_->name ? Vec3(p - origin_) : p;
  }

  void read_joint(const urdf::JointConstSharedPtr& joint) {
    const auto child = model_->getLink(joint->child_link_name);
    if (is_wheel(child->name)) return;
    RobotLinkSettings link;
    link.name = child->name;
    link.parent = joint->parent_link_name;
    const Pose X = pose_of(joint->parent_to_joint_origin_transform);
    link.position = from_root(link.parent, X.p), link.rotation = X.R;
    link.axis = vector_of(joint->axis);
    link.joint = joint->type == urdf::Joint::FIXED       ? "fixed"
                 : joint->type == urdf::Joint::PRISMATIC ? "prismatic"
                                                         : "revolute";
    if (joint->type != urdf::Joint::FIXED && joint->type != urdf::Joint::CONTINUOUS && joint->limits) {
      link.lower = joint->limits->lower, link.upper = joint->limits->upper;
      if (!(link.lower <= link.upper))
        fail(fmt::format("joint '{}': its lower limit {} lies above its upper limit {}", joint->name,
                         link.lower, link.upper));
    }
    if (joint->dynamics) link.damping = joint->dynamics->damping;
    const Body b = body_of(child);
    link.mass = b.mass, link.com = b.com, link.inertia = moments(b.inertia),
    link.products = products(b.inertia);
    x_.links.push_back(link);
    for (const auto& collision : child->collision_array) {
      RobotBodySettings body;
      body.link = child->name;
      body.where = fmt::format("{}: collision of link '{}'", file_.string(), child->name);
      for (const Vec3& p : corners_of(*collision)) body.points.push_back({p.x(), p.y(), p.z()});
      if (!body.points.empty()) x_.hull.bodies.push_back(body);
    }
  }

  void read_mimic(const urdf::JointConstSharedPtr& joint) {
    if (!joint->mimic) return;
    const auto lead = model_->getJoint(joint->mimic->joint_name);
    if (!lead)
      fail(fmt::format("joint '{}' mimics '{}', which is no joint", joint->name, joint->mimic->joint_name));
    for (const auto& j : {joint, lead})
      if (j->type == urdf::Joint::FIXED || is_wheel(j->child_link_name))
        fail(fmt::format("joint '{}' mimics '{}', but '{}' is {}", joint->name, lead->name, j->name,
                         j->type == urdf::Joint::FIXED ? "fixed" : "a wheel's"));
    x_.couplings.push_back(
        {joint->child_link_name, lead->child_link_name, joint->mimic->multiplier, joint->mimic->offset});
  }

  void read_wheel(WheelSettings& w) {
    const auto link = model_->getLink(w.link);
    if (!link) {
      std::vector<std::string> names;
      for (const auto& [name, l] : model_->links_) names.push_back(name);
      fail(fmt::format("wheel '{}': no link '{}'{}", w.name, w.link, name_hint(w.link, names)));
    }
    const auto joint = link->parent_joint;
    if (!joint || (joint->type != urdf::Joint::CONTINUOUS && joint->type != urdf::Joint::REVOLUTE))
      fail(fmt::format("wheel '{}': link '{}' must hang on a continuous joint", w.name, w.link));
    if (!link->child_joints.empty())
      fail(fmt::format("wheel '{}': link '{}' carries joint '{}'; a wheel carries nothing", w.name, w.link,
                       link->child_joints[0]->name));
    // Hub axes in the world at home: y along the axle to the left, z up, x forward.
    const Pose X = home_.at(link->name), X_P = home_.at(joint->parent_link_name);
    Vec3 axle = (X.R * vector_of(joint->axis)).normalized();
    if (axle.y() < 0) axle = -axle;
    const Vec3 up = Vec3::UnitZ() - axle.z() * axle;
    if (!(std::abs(axle.z()) < 0.9)) fail(fmt::format("wheel '{}': its axle points up at home", w.name));
    Mat3 H;
    H.col(1) = axle, H.col(2) = up.normalized(), H.col(0) = H.col(1).cross(H.col(2));
    const Body b = body_of(link);
    const Mat3 turn = H.transpose() * X.R;
    const Vec3 com = turn * b.com;
    const Mat3 I = turn * b.inertia * turn.transpose();
    const double size = I.diagonal().maxCoeff(),
                 off = std::max({std::abs(I(0, 1)), std::abs(I(0, 2)), std::abs(I(1, 2))});
    if (maths::hypot(com.x(), com.z()) > 1e-3)
      fail(fmt::format(
          "wheel '{}': the centre of mass of link '{}' lies {:.3g} m off its axle: a wheel is axisymmetric",
          w.name, w.link, maths::hypot(com.x(), com.z())));
    if (std::abs(I(0, 0) - I(2, 2)) > 0.02 * size || off > 0.02 * size)
      fail(
          fmt::format("wheel '{}': inertia of link '{}' is not axisymmetric about its axle: {:.4g} and "
                      "{:.4g} kg m² across "
                      "it, {:.4g} off the diagonal",
                      w.name, w.link, I(0, 0), I(2, 2), off));
    if (w.spin_inertia == 0) w.spin_inertia = I(1, 1);
    if (!(w.spin_inertia > 0))
      fail(fmt::format("wheel '{}': link '{}' has no inertia about its axle: give iyy, or spin_inertia",
                       w.name, w.link));
    for (const auto& shape : link->collision_array) {
      if (!shape->geometry || shape->geometry->type != urdf::Geometry::CYLINDER) continue;
      const auto& cylinder = static_cast<const urdf::Cylinder&>(*shape->geometry);
      if (w.radius == 0) w.radius = cylinder.radius;
      if (w.width == 0) w.width = cylinder.length;
    }
    if (!(w.radius > 0 && w.width > 0))
      fail(fmt::format(
          "wheel '{}': radius and width are missing: give them in the robot file, or a collision cylinder of "
          "link '{}'",
          w.name, w.link));
    RobotLinkSettings hub;
    hub.name = link->name, hub.parent = joint->parent_link_name, hub.joint = "fixed";
    hub.position = from_root(hub.parent, pose_of(joint->parent_to_joint_origin_transform).p);
    hub.rotation = X_P.R.transpose() * H;
    hub.mass = b.mass, hub.com = Vec3(0, com.y(), 0);
    const double across = 0.5 * (I(0, 0) + I(2, 2));
    hub.inertia = Vec3(across, 0, across);  // about the axle it is the rotor's
    x_.links.push_back(hub);
    w.position = Vec3::Zero(), w.yaw = w.camber = 0;
    hub_turn_[w.link] = turn;
  }

  fs::path mesh_file(const std::string& name, const std::string& link) const {
    std::string rest = name;
    std::vector<fs::path> places;
    const fs::path folder = file_.parent_path();
    if (rest.rfind("package://", 0) == 0) {
      rest = rest.substr(10);
      const auto slash = rest.find('/');
      const std::string inside = slash == std::string::npos ? rest : rest.substr(slash + 1);
      places = {folder / inside, folder / ".." / inside, folder / rest, folder / ".." / rest,
                folder / ".." / ".." / rest};
    } else {
      if (rest.rfind("file://", 0) == 0) rest = rest.substr(7);
      places = {fs::path(rest).is_absolute() ? fs::path(rest) : folder / rest};
    }
    std::error_code ignored;
    for (const fs::path& p : places)
      if (fs::is_regular_file(p, ignored)) return p;
    fail(fmt::format("link '{}': mesh '{}' is missing; looked for {}", link, name, places.front().string()));
  }

  void read_looks() {
    for (const auto& [name, at] : home_) {
      const auto link = model_->getLink(name);
      for (const auto& visual : link->visual_array) {
        if (!visual->geometry) continue;
        RobotVisualSettings v;
        v.on = name;
        Pose X = pose_of(visual->origin);
        if (name == root_->name) X.p -= origin_;
        for (const WheelSettings& w : x_.wheels)
          if (w.link == name) v.on = "wheel." + w.name, X = Pose{hub_turn_.at(name), Vec3::Zero()} * X;
        v.pose = X;
        const urdf::Geometry& g = *visual->geometry;
        if (g.type == urdf::Geometry::BOX) {
          v.shape = "box", v.size = vector_of(static_cast<const urdf::Box&>(g).dim);
        } else if (g.type == urdf::Geometry::SPHERE) {
          v.shape = "sphere", v.size = Vec3::Constant(static_cast<const urdf::Sphere&>(g).radius);
        } else if (g.type == urdf::Geometry::CYLINDER) {
          const auto& c = static_cast<const urdf::Cylinder&>(g);
          v.shape = "cylinder", v.size = Vec3(c.radius, c.radius, c.length);
        } else {
          const auto& m = static_cast<const urdf::Mesh&>(g);
          v.shape = "mesh", v.mesh = mesh_file(m.filename, name), v.size = vector_of(m.scale);
        }
        if (visual->material) {
          const urdf::Color& c = visual->material->color;
          v.colour = Vec3(c.r, c.g, c.b), v.coloured = c.a > 0;
        }
        x_.visuals.push_back(v);
      }
    }
  }

  /// The root is called chassis from here on.
  void rename_root() {
    const std::string& old = root_->name;
    const auto rename = [&](std::string& name) {
      if (name == old) name = "chassis";
    };
    for (auto& link : x_.links) {
      if (link.name == "chassis" && old != "chassis")
        fail("a link is called 'chassis', which is the name of the root here: rename it");
      rename(link.parent);
    }
    for (auto& body : x_.hull.bodies) rename(body.link);
    for (auto& sensor : x_.sensors) rename(sensor.link);
    for (auto& visual : x_.visuals) rename(visual.on);
  }

  void change_joints() {
    std::vector<std::string> names;
    for (const auto& link : x_.links) names.push_back(link.name);
    for (const RobotJointSettings& j : x_.joints) {
      bool met = false;
      for (auto& link : x_.links) {
        if (!matches_pattern(link.name, j.on)) continue;
        met = true;
        if (j.locked) link.joint = "fixed";
        if (j.stiffness) link.stiffness = *j.stiffness;
        if (j.rest) link.rest = *j.rest;
        if (j.damping) link.damping = *j.damping;
        if (j.lower) link.lower = *j.lower;
        if (j.upper) link.upper = *j.upper;
        if (j.motion.active()) link.motion = j.motion;
      }
      if (!met)
        input_error("{}: on = \"{}\": no link of that name in {}{}", j.where, j.on, file_.string(),
                    name_hint(j.on, names));
    }
  }

  fs::path file_;
  RobotSettings& x_;
  urdf::ModelInterfaceSharedPtr model_;
  urdf::LinkConstSharedPtr root_;
  Vec3 origin_ = Vec3::Zero();  ///< of the chassis in the root's frame
  std::map<std::string, Pose> home_;
  std::set<std::string> passed_;          ///< roots without inertia
  std::map<std::string, Mat3> hub_turn_;  ///< wheel's link to hub axes
  std::vector<urdf::JointConstSharedPtr> joints_;
};

}  // namespace

void import_urdf(const fs::path& file, RobotSettings& settings) { UrdfReader(file, settings).read(); }

}  // namespace scree
