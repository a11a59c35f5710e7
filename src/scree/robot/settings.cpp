#include "scree/robot/settings.hpp"

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"

namespace scree {

static void describe(Section& s, ChassisSettings& x) {
  s.number("mass", x.mass,
           {.unit = "kg", .doc = "of the whole robot", .range = positive(), .required = true});
  s.vector("inertia", x.inertia,
           {.unit = "kg m²",
            .doc = "about the centre of mass: roll, pitch, yaw",
            .range = positive(),
            .required = true});
  s.vector("products", x.products, {.unit = "kg m²", .doc = "products of inertia I_xy, I_xz, I_yz"});
  const auto length = [&](const char* key, double& value, const char* doc) {
    s.number(key, value, {.unit = "m", .doc = doc, .range = positive(), .required = true});
  };
  length("l1", x.l1, "centre of mass to the rear face of the box");
  length("l2", x.l2, "centre of mass to the front face");
  length("w1", x.w1, "centre of mass to the right face");
  length("w2", x.w2, "centre of mass to the left face");
  length("h_base", x.h_base, "centre of mass to the bottom face");
  length("h_top", x.h_top, "centre of mass to the top face");
}

static void describe(Section& s, RobotLinkSettings& x) {
  s.text("name", x.name, {.doc = "of the link and of the joint that carries it", .required = true});
  s.text("parent", x.parent, {.doc = "link that carries it"});
  s.choice("joint", x.joint, {"fixed", "revolute", "prismatic"}, {.doc = "how it moves"});
  s.vector("position", x.position, {.unit = "m", .doc = "joint in the parent's frame"});
  s.vector("axis", x.axis, {.unit = "-", .doc = "joint axis in the parent's axes"});
  s.number("mass", x.mass, {.unit = "kg", .doc = "mass", .range = not_negative()});
  s.vector("com", x.com, {.unit = "m", .doc = "centre of mass in the link's frame"});
  s.vector("inertia", x.inertia,
           {.unit = "kg m²", .doc = "about the centre of mass", .range = not_negative()});
  s.number("stiffness", x.stiffness,
           {.unit = "N m/rad, N/m", .doc = "joint spring", .range = not_negative()});
  s.number("rest", x.rest, {.unit = "rad, m", .doc = "position of the relaxed spring"});
  s.number("damping", x.damping,
           {.unit = "N m s/rad, N s/m", .doc = "joint damper", .range = not_negative()});
  s.number("lower", x.lower, {.unit = "rad, m", .doc = "lower limit"});
  s.number("upper", x.upper, {.unit = "rad, m", .doc = "upper limit"});
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
  s.boolean("box", x.box, {.doc = "the corners of the chassis box touch the ground"});
  s.boolean("hubs", x.hubs, {.doc = "the outer ends of the axles touch the ground"});
  s.rows("points", x.points, 3, {.unit = "m", .doc = "further points, from the centre of the box"});
}

void describe(Section& s, RobotSettings& x) {
  int format = 1;
  s.integer("format", format, {.doc = "version of the file format", .range = between(1, 1)});
  s.text("name", x.name, {.doc = "of the robot"});
  s.text("doc", x.doc, {.doc = "one line for people"});
  s.table("chassis", x.chassis, "the body; its frame has its origin in the centre of mass");
  s.each("link", "a further link and the joint that carries it", [&](Section& link) {
    describe(link, x.links.emplace_back());
    link.finish();
  });
  s.each("coupling", "joints that move together: q_a = ratio q_b", [&](Section& coupling) {
    auto& c = x.couplings.emplace_back();
    coupling.text("a", c.a, {.doc = "link whose joint follows", .required = true});
    coupling.text("b", c.b, {.doc = "link whose joint leads", .required = true});
    coupling.number("ratio", c.ratio, {.unit = "-", .doc = "q_a / q_b"});
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
         .doc = "hub with the suspension unloaded, from the centre of the chassis box (or the link's origin)",
         .required = true});
    describe_shared(one, w);
    if (!one.documenting() && !(w.radius > 0)) one.fail("radius", "is missing: give it here or in [wheel]");
    if (!one.documenting() && !(w.width > 0)) one.fail("width", "is missing: give it here or in [wheel]");
    if (!one.documenting() && !(w.spin_inertia > 0)) {
      one.fail("spin_inertia", "is missing: give it here or in [wheel]");
    }
    one.finish();
    x.wheels.push_back(w);
  });
  s.table("hull", x.hull, "points that push back when they touch the ground");
  s.table("drive", x.drive, "what turns every driven wheel");
  s.table("battery", x.battery, "behind the choppers of all motors");
  s.ignore("visual");
}

bool names_robot_file(const std::string& name) {
  return name.find('/') != std::string::npos || name.ends_with(".toml");
}

RobotSettings read_robot(const std::string& name, const std::filesystem::path& relative_to,
                         const std::vector<std::string>& overrides, const std::string& origin) {
  namespace fs = std::filesystem;
  fs::path file;
  const bool is_path = names_robot_file(name);
  if (is_path) {
    file = fs::path(name).is_absolute() ? fs::path(name) : relative_to / name;
  } else {
    file = find_data("models/" + name + "/robot.toml");
  }
  Document document = Document::from_file(file);
  for (const auto& assignment : overrides) document.set(assignment, origin);
  RobotSettings settings;
  settings.name = is_path ? file.stem().string() : name;
  Section root = document.root();
  describe(root, settings);
  root.finish();
  settings.folder = file.parent_path();
  return settings;
}

}  // namespace scree
