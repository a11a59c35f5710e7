#include "scree/robot/settings.hpp"

#include <algorithm>
#include <cmath>

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/robot/urdf.hpp"

namespace scree {

/// `required`: no URDF says these.
static void describe_chassis(Section& s, ChassisSettings& x, bool required) {
  s.number("mass", x.mass,
           {.unit = "kg", .doc = "of the whole robot", .range = positive(), .required = required});
  s.vector("inertia", x.inertia,
           {.unit = "kg m²",
            .doc = "about the centre of mass: roll, pitch, yaw",
            .range = positive(),
            .required = required});
  s.vector("products", x.products, {.unit = "kg m²", .doc = "products of inertia I_xy, I_xz, I_yz"});
  const auto length = [&](const char* key, double& value, const char* doc) {
    s.number(key, value, {.unit = "m", .doc = doc, .range = positive(), .required = required || s.has("l1")});
  };
  if (!required) {
    for (const char* key : {"mass", "inertia", "products"})
      if (s.has(key)) s.fail(key, "is given by the URDF: leave it out here");
  }
  length("l1", x.l1, "centre of mass to the rear face of the box");
  length("l2", x.l2, "centre of mass to the front face");
  length("w1", x.w1, "centre of mass to the right face");
  length("w2", x.w2, "centre of mass to the left face");
  length("h_base", x.h_base, "centre of mass to the bottom face");
  length("h_top", x.h_top, "centre of mass to the top face");
}

/// Joint frame in the parent's: turned about the parent's x, then y, then z (right-handed), or a quaternion.
static void describe_rotation(Section& s, Mat3& R) {
  Vec3 rpy = Vec3::Zero();
  std::vector<double> quaternion;
  const char* about = "joint frame in the parent's: turns about its x, then y, then z";
  s.vector("rpy", rpy, {.unit = "rad", .doc = about});
  if (s.has("rpy_deg")) {
    if (s.has("rpy")) s.fail("rpy_deg", "'rpy' is given too; give one of the two");
    s.vector("rpy_deg", rpy, {.unit = "deg", .doc = about});
    rpy *= kDegree;
  }
  s.numbers("quaternion", quaternion, {.unit = "-", .doc = "the same as (w, x, y, z), instead of rpy"});
  if (s.documenting()) return;
  R = rotation_about(Vec3::UnitZ(), rpy.z()) * rotation_about(Vec3::UnitY(), rpy.y()) *
      rotation_about(Vec3::UnitX(), rpy.x());
  if (quaternion.empty()) return;
  if (s.has("rpy") || s.has("rpy_deg")) s.fail("quaternion", "rpy is given too; give one of the two");
  if (quaternion.size() != 4) s.fail("quaternion", "needs 4 numbers: w, x, y, z");
  const Quat q(quaternion[0], quaternion[1], quaternion[2], quaternion[3]);
  if (!(std::abs(q.norm() - 1) < 1e-3)) s.fail("quaternion", "its length must be 1 within 0.1 %");
  R = q.normalized().toRotationMatrix();
}

static void describe(Section& s, RobotLinkSettings& x) {
  s.text("name", x.name, {.doc = "of the link and of the joint that carries it", .required = true});
  s.text("parent", x.parent, {.doc = "link that carries it"});
  s.choice("joint", x.joint, {"fixed", "revolute", "prismatic"}, {.doc = "how it moves"});
  s.vector("position", x.position, {.unit = "m", .doc = "joint in the parent's frame"});
  describe_rotation(s, x.rotation);
  s.vector("axis", x.axis, {.unit = "-", .doc = "joint axis in the joint's frame (and the link's)"});
  s.number("mass", x.mass, {.unit = "kg", .doc = "mass", .range = not_negative()});
  s.vector("com", x.com, {.unit = "m", .doc = "centre of mass in the link's frame"});
  s.vector("inertia", x.inertia,
           {.unit = "kg m²", .doc = "about the centre of mass", .range = not_negative()});
  s.vector("products", x.products, {.unit = "kg m²", .doc = "products of inertia I_xy, I_xz, I_yz"});
  s.number("stiffness", x.stiffness,
           {.unit = "N m/rad, N/m", .doc = "joint spring", .range = not_negative()});
  s.number("rest", x.rest, {.unit = "rad, m", .doc = "position of the relaxed spring"});
  s.number("damping", x.damping,
           {.unit = "N m s/rad, N s/m", .doc = "joint damper", .range = not_negative()});
  s.number("lower", x.lower, {.unit = "rad, m", .doc = "lower limit"});
  s.number("upper", x.upper, {.unit = "rad, m", .doc = "upper limit"});
  s.table("motion", x.motion, "prescribed motion: the joint follows it exactly, its force is found");
  if (!s.documenting() && x.motion.active() && x.joint == "fixed") {
    s.fail("motion", "a fixed joint cannot move: use joint = \"revolute\" or \"prismatic\"");
  }
}

static void describe(Section& s, RobotJointSettings& x) {
  s.text("on", x.on, {.doc = "link of the URDF whose joint is changed, or a pattern", .required = true});
  s.boolean("locked", x.locked, {.doc = "the joint does not move"});
  const auto one = [&](const char* key, std::optional<double>& value, const Key& about) {
    double number = 0;
    const bool given = s.has(key);
    s.number(key, number, about);
    if (given) value = number;
  };
  one("stiffness", x.stiffness, {.unit = "N m/rad, N/m", .doc = "joint spring", .range = not_negative()});
  one("rest", x.rest, {.unit = "rad, m", .doc = "position of the relaxed spring"});
  one("damping", x.damping, {.unit = "N m s/rad, N s/m", .doc = "joint damper", .range = not_negative()});
  one("lower", x.lower, {.unit = "rad, m", .doc = "lower limit"});
  one("upper", x.upper, {.unit = "rad, m", .doc = "upper limit"});
  s.table("motion", x.motion, "prescribed motion");
}

/// Keys that all wheels share and one wheel may change.
static void describe_shared(Section& s, WheelSettings& x) {
  s.number("radius", x.radius, {.unit = "m", .doc = "rolling radius", .range = positive()});
  s.number("width", x.width, {.unit = "m", .doc = "width of the tread", .range = positive()});
  s.number("spin_inertia", x.spin_inertia,
           {.unit = "kg m²", .doc = "about the axle, gearbox output included", .range = positive()});
  s.angle("yaw", x.yaw,
          {.doc = "fixed turn of the wheel about z, left positive", .range = between(-kPi, kPi)});
  s.angle("camber", x.camber, {.doc = "fixed tilt about x", .range = between(-kPi / 4, kPi / 4)});
  s.boolean("driven", x.driven, {.doc = "whether a drive turns it"});
  Section contact = s.child("contact", "how it meets the ground");
  describe_contact(contact, x.contact, true);
  contact.finish();
  s.table("suspension", x.suspension, "spring and damper of the wheel");
  s.table("tyre", x.tyre, "forces over slip");
}

static void describe(Section& s, RobotHullSettings& x) {
  Section contact = s.child("contact", "how it meets the ground");
  describe_contact(contact, x.choice, false);
  contact.finish();
  describe(s, x.contact);
  s.boolean("box", x.box, {.doc = "the chassis box touches the ground"});
  s.boolean("hubs", x.hubs, {.doc = "the outer ends of the axles touch the ground"});
  s.rows("points", x.points, 3, {.unit = "m", .doc = "further points, from the centre of the box"});
  s.each("body", "a convex body that touches the ground", [&](Section& one) {
    RobotBodySettings body;
    one.text("link", body.link, {.doc = "link that it is part of"});
    one.rows("points", body.points, 3,
             {.unit = "m", .doc = "its corners, from the centre of the chassis box (or the link's origin)"});
    one.text("mesh", body.mesh,
             {.doc = "or a Wavefront file beside the robot's whose convex hull it is, in the link's frame"});
    if (!one.documenting() && body.points.empty() == body.mesh.empty()) {
      one.fail(body.points.empty() ? "points" : "mesh", "give either points or mesh");
    }
    body.where = one.where();
    one.finish();
    x.bodies.push_back(body);
  });
}

static bool is_list(Section& s, const char* key) {
  try {
    bool any = false;
    s.each(key, "", [&](Section&) { any = true; });
    return any;
  } catch (const InputError&) {
    return false;  // a table, or something that is refused where it is read
  }
}

/// `[drive]` is shared by all driven wheels; `[[drive]]` are several, of which the one without `on` is that.
static void describe_drives(Section& s, RobotSettings& x) {
  const bool list = !s.documenting() && is_list(s, "drive");
  if (!list) s.table("drive", x.drive, "what turns every driven wheel");
  if (!s.documenting() && !list) return;
  const auto is_wheel = [&x](const std::string& on) {
    return std::any_of(x.wheels.begin(), x.wheels.end(),
                       [&](const WheelSettings& w) { return matches_pattern(w.name, on); });
  };
  int shared = 0;
  for (const bool own : {false, true}) {  // what is shared first, wherever it stands
    if (s.documenting() && !own) continue;
    s.each("drive", "a drive of its own for a wheel (from what the entry without `on` says) or a joint",
           [&](Section& one) {
             if (one.has("on") != own && !one.documenting()) return;
             RobotDriveSettings d;
             one.text("on", d.on, {.doc = "wheel or link that it moves, or a pattern; none: driven wheels"});
             if (!own && ++shared > 1) one.fail("on", "is missing: only one [[drive]] is for all wheels");
             if (own && is_wheel(d.on)) d.drive = x.drive;
             describe(one, d.drive);
             d.where = one.where();
             one.finish();
             if (own) x.drives.push_back(d);
             if (!own) x.drive = d.drive;
           });
  }
}

void describe(Section& s, RobotSettings& x) {
  int format = 1;
  s.integer("format", format, {.doc = "version of the file format", .range = between(1, 1)});
  s.text("name", x.name, {.doc = "of the robot"});
  s.text("doc", x.doc, {.doc = "one line for people"});
  s.choice("base", x.base, {"floating", "fixed"},
           {.doc = "whether the chassis moves, or stands where it starts (a test bed)"});
  const bool by_urdf = s.has("urdf");
  s.file(
      "urdf", x.urdf,
      {.doc = "URDF that describes links, joints, inertias, couplings and looks; this file says the rest"});
  if (!s.documenting() && by_urdf) {
    for (const char* key : {"link", "coupling"})
      if (s.has(key))
        s.fail(key, "is given by the URDF: leave it out here (joints are changed by [[joint]])");
  }
  Section chassis = s.child("chassis", "the body; its frame has its origin in the centre of mass");
  describe_chassis(chassis, x.chassis, !by_urdf);
  chassis.finish();
  if (by_urdf || s.documenting()) {
    s.each("joint", "with urdf: changes to a joint of it", [&](Section& joint) {
      describe(joint, x.joints.emplace_back());
      x.joints.back().where = joint.where();
      joint.finish();
    });
  }
  s.each("link", "a further link and the joint that carries it", [&](Section& link) {
    describe(link, x.links.emplace_back());
    link.finish();
  });
  s.each("coupling", "joints that move together: q_a = ratio q_b + offset", [&](Section& coupling) {
    auto& c = x.couplings.emplace_back();
    coupling.text("a", c.a, {.doc = "link whose joint follows", .required = true});
    coupling.text("b", c.b, {.doc = "link whose joint leads", .required = true});
    coupling.number("ratio", c.ratio, {.unit = "-", .doc = "(q_a - offset) / q_b"});
    coupling.number("offset", c.offset, {.unit = "rad, m", .doc = "q_a where q_b is zero"});
    coupling.finish();
  });
  WheelSettings shared;
  Section wheel = s.child("wheel", "what all wheels share");
  describe_shared(wheel, shared);
  wheel.finish();
  s.each("wheels", "one wheel; may change what [wheel] says", [&](Section& one) {
    WheelSettings w = shared;
    one.text("name", w.name, {.doc = "of the wheel and its signals", .required = true});
    one.text("link", w.link, {.doc = "link that carries it"});
    one.vector(
        "position", w.position,
        {.unit = "m",
         .doc =
             "hub with the suspension unloaded, from the centre of the chassis box (or the link's origin); "
             "with urdf: none, the wheel's link is there",
         .required = !by_urdf});
    describe_shared(one, w);
    if (by_urdf && one.has("position")) one.fail("position", "is given by the URDF: leave it out here");
    if (by_urdf) {  // what is missing here the URDF may know
      one.finish();
      x.wheels.push_back(w);
      return;
    }
    if (!one.documenting() && !(w.radius > 0)) one.fail("radius", "is missing: give it here or in [wheel]");
    if (!one.documenting() && !(w.width > 0)) one.fail("width", "is missing: give it here or in [wheel]");
    if (!one.documenting() && !(w.spin_inertia > 0)) {
      one.fail("spin_inertia", "is missing: give it here or in [wheel]");
    }
    one.finish();
    x.wheels.push_back(w);
  });
  s.table("hull", x.hull, "bodies that push back when they touch the ground");
  describe_drives(s, x);
  s.table("battery", x.battery, "behind the choppers of all motors");
  s.each("sensor", "a sensor that every robot of this model carries; a scenario may replace it by name",
         [&](Section& sensor) {
           describe(sensor, x.sensors.emplace_back());
           sensor.finish();
         });
  s.ignore("visual");
  if (s.documenting() || !by_urdf) return;
#ifdef SCREE_HAVE_URDF
  import_urdf(x.urdf, x);
#else
  s.fail("urdf", "this build does not read URDF (urdfdom was missing)");
#endif
}

/// The robot file that a name means.
static std::filesystem::path robot_file(const std::string& name, const std::filesystem::path& relative_to) {
  namespace fs = std::filesystem;
  if (!is_path_name(name) && !name.ends_with(".urdf")) return find_data("models/" + name + "/robot.toml");
  const fs::path file = fs::path(name).is_absolute() ? fs::path(name) : relative_to / name;
  if (file.extension() != ".urdf") return file;
  const fs::path beside = fs::path(file).replace_extension(".toml");
  std::error_code ignored;
  if (!fs::exists(beside, ignored)) {
    input_error(
        "{}: a URDF says nothing of tyres and drives: write {} beside it, with urdf = \"{}\", [wheel], "
        "[[wheels]] and [drive]",
        file.string(), beside.filename().string(), file.filename().string());
  }
  return beside;
}

static Document robot_document(const std::filesystem::path& file, const std::vector<std::string>& overrides,
                               const std::string& origin) {
  Document document = Document::from_file(file);
  for (const auto& assignment : overrides) document.set(assignment, origin);
  return document;
}

std::string robot_file_text(const std::string& name, const std::filesystem::path& relative_to,
                            const std::vector<std::string>& overrides) {
  return robot_document(robot_file(name, relative_to), overrides, "robot.set").text();
}

RobotSettings read_robot(const std::string& name, const std::filesystem::path& relative_to,
                         const std::vector<std::string>& overrides, const std::string& origin) {
  const std::filesystem::path file = robot_file(name, relative_to);
  const Document document = robot_document(file, overrides, origin);
  RobotSettings settings;
  settings.name = is_path_name(name) || name.ends_with(".urdf") ? file.stem().string() : name;
  Section root = document.root();
  describe(root, settings);
  root.finish();
  settings.folder = file.parent_path();
  return settings;
}

}  // namespace scree
