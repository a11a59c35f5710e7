#include "scree/robot/bodies.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/ground/convex.hpp"

namespace scree {
namespace {

ContactElement body_on(const RobotSettings& x, const Tree& tree, const std::string& link) {
  ContactElement e;
  const LinkFrame frame = tree.frame(link);
  e.name = link;
  e.link = frame.link;
  e.contact = x.hull.choice;
  e.hull = x.hull.contact;
  return e;
}

std::vector<Vec3> body_corners(const RobotSettings& x, const RobotBodySettings& body) {
  if (!body.mesh.empty()) return mesh_vertices(x.folder / body.mesh);
  const Vec3 origin = body.link == "chassis" ? x.chassis.box_centre() : Vec3(Vec3::Zero());
  std::vector<Vec3> out;
  for (const auto& p : body.points) out.push_back(origin + Vec3(p[0], p[1], p[2]));
  return out;
}

constexpr double kLargestBody = 30;  // m

/// Longer than any vehicle: a number in millimetres, which columns would take seconds to cover.
void check_size(const std::string& what, const Vec3& low, const Vec3& high) {
  const Vec3 size = high - low;
  if (size.maxCoeff() <= kLargestBody) return;
  input_error("{}: a body of {:.4g} m x {:.4g} m x {:.4g} m; at most {:g} m a side (numbers are metres)",
              what, size.x(), size.y(), size.z(), kLargestBody);
}

ContactElement convex_element(const RobotSettings& x, const Tree& tree, const RobotBodySettings& body) {
  std::vector<std::string> links{"chassis"};
  for (const auto& link : x.links) links.push_back(link.name);
  if (std::find(links.begin(), links.end(), body.link) == links.end()) {
    input_error("{}: no link '{}'{}", body.where, body.link, name_hint(body.link, links));
  }
  const std::vector<Vec3> corners = body_corners(x, body);
  if (corners.size() > kMostCorners) {
    input_error("{}: a body of {} corners; at most {}: simplify its mesh", body.where, corners.size(),
                kMostCorners);
  }
  Vec3 low = Vec3::Constant(1e300), high = -low;
  for (const Vec3& p : corners) low = low.cwiseMin(p), high = high.cwiseMax(p);
  if (!corners.empty()) check_size(body.where, low, high);
  ContactElement e = body_on(x, tree, body.link);
  if (corners.size() >= 4) e.faces = convex_faces(corners);
  if (e.faces.empty()) {
    input_error("{}: a body needs four corners that do not lie in a plane", body.where);
  }
  const Pose& X = tree.frame(body.link).X_LF;
  for (HullFace& f : e.faces) f = {X * f.corner, X.R * f.u, X.R * f.v, f.triangle};
  return e;
}

}  // namespace

std::vector<ContactElement> body_elements(const RobotSettings& x, const Tree& tree) {
  std::vector<ContactElement> out;
  const ChassisSettings& c = x.chassis;
  if (x.hull.box) {
    const Pose& X = tree.frame("chassis").X_LF;
    check_size("hull.box of the chassis", Vec3(-c.l1, -c.w1, -c.h_base), Vec3(c.l2, c.w2, c.h_top));
    ContactElement e = body_on(x, tree, "chassis");
    for (const HullFace& f : box_faces(Vec3(-c.l1, -c.w1, -c.h_base), Vec3(c.l2, c.w2, c.h_top)))
      e.faces.push_back({X * f.corner, X.R * f.u, X.R * f.v, f.triangle});
    out.push_back(std::move(e));
  }
  for (const RobotBodySettings& body : x.hull.bodies) out.push_back(convex_element(x, tree, body));
  if (!x.hull.points.empty()) {
    ContactElement e = body_on(x, tree, "chassis");
    for (const auto& p : x.hull.points)
      e.points.push_back(tree.frame("chassis").X_LF * Vec3(c.box_centre() + Vec3(p[0], p[1], p[2])));
    out.push_back(std::move(e));
  }
  return out;
}

std::vector<Vec3> mesh_vertices(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) input_error("{}: cannot be read", file.string());
  std::vector<Vec3> out;
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line);
    std::string word;
    Vec3 p;
    if (!(words >> word) || word != "v") continue;
    if (!(words >> p.x() >> p.y() >> p.z()) || !p.allFinite()) {
      input_error("{}:{}: a vertex is not three numbers: '{}'", file.string(), number, line);
    }
    if (std::find(out.begin(), out.end(), p) == out.end()) out.push_back(p);
    if (out.size() > 100000) input_error("{}: more than 100,000 vertices", file.string());
  }
  return out;
}

}  // namespace scree
