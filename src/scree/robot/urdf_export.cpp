#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>
#include <sstream>

#include "scree/core/dense.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/robot/urdf.hpp"

namespace scree {
namespace {

struct Piece {
  double mass = 0;
  Vec3 com = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass
};

Mat3 tensor(const Vec3& moments, const Vec3& products) {
  Mat3 I = moments.asDiagonal();
  I(0, 1) = I(1, 0) = -products[0], I(0, 2) = I(2, 0) = -products[1], I(1, 2) = I(2, 1) = -products[2];
  return I;
}
Mat3 steiner(double m, const Vec3& p) { return m * skew(p) * skew(p).transpose(); }

/// A piece without a part of it.
Piece without(const Piece& whole, const Piece& part) {
  Piece out;
  out.mass = whole.mass - part.mass;
  out.com = (whole.mass * whole.com - part.mass * part.com) / out.mass;
  const Mat3 about_origin =
      whole.inertia + steiner(whole.mass, whole.com) - part.inertia - steiner(part.mass, part.com);
  out.inertia = about_origin - steiner(out.mass, out.com);
  return out;
}

bool is_body(const Piece& p) {
  const Vec3 m = symmetric_eigen(p.inertia).values;
  return p.mass > 0 && m[0] > 0 && m[2] <= m[0] + m[1];
}

std::string rpy_text(const Mat3& R) {
  const double pitch = maths::atan2(-R(2, 0), maths::hypot(R(0, 0), R(1, 0)));
  return fmt::format("{:.17g} {:.17g} {:.17g}", maths::atan2(R(2, 1), R(2, 2)), pitch,
                     maths::atan2(R(1, 0), R(0, 0)));
}
std::string xyz(const Vec3& v) { return fmt::format("{:.17g} {:.17g} {:.17g}", v.x(), v.y(), v.z()); }

std::string escaped(const std::string& s) {
  std::string out;
  for (const char c : s)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '"' ? "&quot;" : std::string(1, c);
  return out;
}

std::string inertial(const Piece& p) {
  const Mat3& I = p.inertia;
  return fmt::format(
      "    <inertial>\n      <origin xyz=\"{}\"/>\n      <mass value=\"{:.17g}\"/>\n      <inertia "
      "ixx=\"{:.17g}\" "
      "ixy=\"{:.17g}\" ixz=\"{:.17g}\" iyy=\"{:.17g}\" iyz=\"{:.17g}\" izz=\"{:.17g}\"/>\n    </inertial>\n",
      xyz(p.com), p.mass, I(0, 0), I(0, 1), I(0, 2), I(1, 1), I(1, 2), I(2, 2));
}

/// Names of files made absolute: the companion lies elsewhere.
std::string with_whole_paths(const std::string& line, const std::filesystem::path& folder) {
  static const std::regex file(R"((file|mesh)\s*=\s*(['"])([^'"/][^'"]*)(['"]))");
  std::smatch m;
  if (!std::regex_search(line, m, file)) return line;
  const std::string whole = std::filesystem::absolute(folder / m[3].str()).lexically_normal().string();
  return m.prefix().str() + m[1].str() + " = \"" + whole + "\"" + m.suffix().str();
}

/// The companion: the robot file without what the URDF says.
std::string companion_text(const RobotSettings& x, const std::string& text, const std::string& name) {
  std::istringstream in(text);
  std::string line,
      out = fmt::format("# Companion of {0}.urdf: what a URDF cannot say.\nurdf = \"{0}.urdf\"\n", name);
  std::string block;
  std::size_t wheel = 0;
  const auto key_of = [](const std::string& l) { return trim(l.substr(0, l.find('='))); };
  while (std::getline(in, line)) {
    const std::string bare = trim(line);
    if (!bare.empty() && bare[0] == '[') {
      block = bare;
      const bool dropped = bare.rfind("[[link]]", 0) == 0 || bare.rfind("[link.", 0) == 0 ||
                           bare.rfind("[[link.", 0) == 0 || bare.rfind("[[coupling]]", 0) == 0;
      if (dropped) {
        block = "dropped";
        continue;
      }
      out += line + "\n";
      if (bare.rfind("[[wheels]]", 0) == 0 && wheel < x.wheels.size())
        out += fmt::format("link = \"{}_wheel\"\n", x.wheels[wheel++].name);
      continue;
    }
    if (block == "dropped") continue;
    const std::string key = key_of(bare);
    if (block.rfind("[chassis]", 0) == 0 && (key == "mass" || key == "inertia" || key == "products"))
      continue;
    if (block.rfind("[[wheels]]", 0) == 0 && (key == "link" || key == "position" || key == "yaw" ||
                                              key == "yaw_deg" || key == "camber" || key == "camber_deg"))
      continue;
    out += with_whole_paths(line, x.folder) + "\n";
  }
  for (const RobotLinkSettings& l : x.links) {
    if (l.stiffness == 0 && !l.motion.active()) continue;
    out += fmt::format("\n[[joint]]\non = \"{}\"\nstiffness = {:.17g}\nrest = {:.17g}\n", l.name, l.stiffness,
                       l.rest);
    const MotionSettings& m = l.motion;
    if (!m.active()) continue;
    std::string rows;
    for (const auto& r : m.rows)
      rows += fmt::format("{}[{:.17g}, {:.17g}]", rows.empty() ? "" : ", ", r[0], r[1]);
    out += fmt::format(
        "motion = {{ kind = \"{}\", offset = {:.17g}, speed = {:.17g}, amplitude = {:.17g}, frequency = "
        "{:.17g}, phase = {:.17g}{} }}\n",
        m.kind, m.offset, m.speed, m.amplitude, m.frequency, m.phase,
        rows.empty() ? "" : ", rows = [" + rows + "]");
  }
  return out;
}

}  // namespace

UrdfText export_urdf(const RobotSettings& x, const std::string& text, const std::string& name) {
  std::map<std::string, Piece> pieces;
  pieces["chassis"] = {x.chassis.mass, Vec3::Zero(), tensor(x.chassis.inertia, x.chassis.products)};
  for (const auto& l : x.links) pieces[l.name] = {l.mass, l.com, tensor(l.inertia, l.products)};
  std::string links, joints;
  for (const WheelSettings& w : x.wheels) {
    Piece& carrier = pieces.at(w.link);
    const Mat3 axes = rotation_about(Vec3::UnitZ(), w.yaw) * rotation_about(Vec3::UnitX(), w.camber);
    const Vec3 hub = w.position + (w.link == "chassis" ? x.chassis.box_centre() : Vec3(Vec3::Zero()));
    const Vec3 axle = axes.col(1);
    const double J = w.spin_inertia;
    // The chassis' inertia was given with its wheels' spin in it.
    Piece rest = carrier;
    if (w.link == "chassis") rest.inertia -= J * axle * axle.transpose();
    // A ring: all its mass at the rim and half its spin inertia across, or less where the carrier is light.
    Piece wheel;
    double across = 0.5 * J;
    bool found = false;
    for (int thinner = 0; thinner < 4 && !found; ++thinner) {
      across = thinner == 3 ? 0 : 0.5 * J / (1 << thinner);
      wheel = {J / (w.radius * w.radius), hub, across * (Mat3::Identity() - axle * axle.transpose())};
      for (int i = 0; i < 24 && !found; ++i) {
        if (i > 0) wheel.mass *= 0.5;
        if (!(wheel.mass < 0.8 * rest.mass)) continue;
        const Piece left = without(rest, wheel);
        if (!is_body(left)) continue;
        carrier = left;
        found = true;
      }
    }
    if (!found)
      input_error(
          "robot '{}': link '{}' is too light to be told apart from wheel '{}' (spin inertia {} kg m²) in a "
          "URDF",
          x.name, w.link, w.name, J);
    links += fmt::format("  <link name=\"{}_wheel\">\n", escaped(w.name));
    Piece own{wheel.mass, Vec3::Zero(), Mat3(Vec3(across, J, across).asDiagonal())};
    links += inertial(own);
    const std::string shape = fmt::format(
        "      <origin rpy=\"{:.17g} 0 0\"/>\n      <geometry><cylinder radius=\"{:.17g}\" "
        "length=\"{:.17g}\"/></geometry>\n",
        kPi / 2, w.radius, w.width);
    links += "    <visual>\n" + shape +
             "      <material name=\"rubber\"><color rgba=\"0.2 0.2 0.22 1\"/></material>\n    </visual>\n";
    links += "    <collision>\n" + shape + "    </collision>\n  </link>\n";
    joints += fmt::format(
        "  <joint name=\"{0}_joint\" type=\"continuous\">\n    <parent link=\"{1}\"/>\n    <child "
        "link=\"{0}_wheel\"/>\n    "
        "<origin xyz=\"{2}\" rpy=\"{3}\"/>\n    <axis xyz=\"0 1 0\"/>\n  </joint>\n",
        escaped(w.name), escaped(w.link), xyz(hub), rpy_text(axes));
  }
  const ChassisSettings& c = x.chassis;
  std::string out =
      fmt::format("<?xml version=\"1.0\"?>\n<!-- {} -->\n<robot name=\"{}\">\n  <link name=\"chassis\">\n",
                  escaped(x.doc.find("--") == std::string::npos ? x.doc : ""), escaped(name));
  out += inertial(pieces["chassis"]);
  out += fmt::format(
      "    <visual>\n      <origin xyz=\"{}\"/>\n      <geometry><box size=\"{}\"/></geometry>\n      "
      "<material "
      "name=\"paint\"><color rgba=\"0.88 0.48 0.17 1\"/></material>\n    </visual>\n  </link>\n",
      xyz(c.box_centre()), xyz(Vec3(c.l1 + c.l2, c.w1 + c.w2, c.h_base + c.h_top)));
  for (const RobotLinkSettings& l : x.links) {
    const Piece& p = pieces.at(l.name);
    out += fmt::format("  <link name=\"{}\">\n{}  </link>\n", escaped(l.name), p.mass > 0 ? inertial(p) : "");
    const bool limited = l.lower > -1e8 || l.upper < 1e8;
    const std::string type = l.joint == "revolute" && !limited ? "continuous" : l.joint;
    out += fmt::format(
        "  <joint name=\"{0}_joint\" type=\"{1}\">\n    <parent link=\"{2}\"/>\n    <child link=\"{0}\"/>\n  "
        "  "
        "<origin xyz=\"{3}\" rpy=\"{4}\"/>\n",
        escaped(l.name), type, escaped(l.parent), xyz(l.position), rpy_text(l.rotation));
    if (l.joint != "fixed") {
      out += fmt::format("    <axis xyz=\"{}\"/>\n", xyz(l.axis));
      if (type != "continuous")
        out +=
            fmt::format("    <limit lower=\"{:.17g}\" upper=\"{:.17g}\" effort=\"1000\" velocity=\"10\"/>\n",
                        l.lower, l.upper);
      out += fmt::format("    <dynamics damping=\"{:.17g}\"/>\n", l.damping);
      for (const RobotCouplingSettings& k : x.couplings)
        if (k.a == l.name)
          out += fmt::format("    <mimic joint=\"{}_joint\" multiplier=\"{:.17g}\" offset=\"{:.17g}\"/>\n",
                             escaped(k.b), k.ratio, k.offset);
    }
    out += "  </joint>\n";
  }
  out += links + joints + "</robot>\n";
  return {out, companion_text(x, text, name)};
}

}  // namespace scree
