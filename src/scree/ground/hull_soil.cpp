#include "scree/ground/hull_soil.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/core/elementary.hpp"
#include "scree/core/maths.hpp"
#include "scree/ground/hull_patch.hpp"
#include "scree/ground/soil_rut.hpp"

namespace scree {
namespace {

constexpr double kFresh = 2e-5;       // m: prints are made of what is deeper
constexpr double kLongest = 0.25;     // m: longer faces are divided, each part passed over by itself
constexpr double kLooksUp = 0.5;      // faces that look up more than this meet no soil
constexpr double kRamp = 0.002;       // m of sinkage at which damping is there in full
constexpr double kSlowFace = 2e-3;    // m/s: a face that advances faster presses new soil
constexpr double kFlattest = 1e-3;    // |n_z| below which a face covers no cell
constexpr double kCoveredGap = 1e-3;  // m: soil so near under a face is covered by it
constexpr double kLower = 5;          // pieces of steep faces are lower than long by this
constexpr int kPrintMargin = 4;       // cells around a body that displaced soil may reach at once
constexpr double kStands = 1e-3;      // m/s: slower bodies push soil to all sides

/// A face in world axes, from the link's origin [m].
struct PlacedFace {
  Vec3 corner, u, v;
  bool triangle, point;
  double area;
};

/// Middles of the pieces of a face: use(place, area). Where a face is steep its pieces are lower than long,
/// for the pressure grows with depth.
template <class Use>
void each_piece(const PlacedFace& f, double pitch, const Use& use) {
  if (f.point) return use(f.corner, f.area);
  const auto parts = [&](const Vec3& side) {
    const double size = std::max(side.norm(), kLower * std::abs(side.z()));
    return std::max(1, static_cast<int>(std::ceil(size / pitch - 1e-9)));
  };
  int nu = parts(f.u), nv = parts(f.v);
  if (f.triangle) nu = nv = std::max({nu, nv, parts(f.u - f.v)});
  const double area = f.area / (nu * nv);
  const Vec3 du = f.u / nu, dv = f.v / nv;
  for (int j = 0; j < nv; ++j)
    for (int i = 0; i < (f.triangle ? nu - j : nu); ++i) {
      const Vec3 from = f.corner + i * du + j * dv;
      if (!f.triangle) {
        use(Vec3(from + 0.5 * (du + dv)), area);
        continue;
      }
      use(Vec3(from + (du + dv) / 3), area);
      if (i + j + 1 < nu) use(Vec3(from + (du + dv) / 1.5), area);
    }
}

double lowest_of(const SoilFacet& f, const Pose& X) {
  const double z = X.p.z() + X.R.row(2).dot(f.face.corner), u = X.R.row(2).dot(f.face.u),
               v = X.R.row(2).dot(f.face.v);
  return z + (f.face.triangle ? std::min({0.0, u, v}) : std::min(u, 0.0) + std::min(v, 0.0));
}

Rectangle under_facet(const SoilFacet& f, const Pose& X) {
  const Vec3 half = 0.5 * ((X.R * f.face.u).cwiseAbs() + (X.R * f.face.v).cwiseAbs());
  const Vec3 c = X * Vec3(f.face.corner + 0.5 * (f.face.u + f.face.v));
  return {c.x() - half.x(), c.x() + half.x(), c.y() - half.y(), c.y() + half.y()};
}

void renew_law(const SoilShape& shape, const GroundView& ground, const Vec3& at, SoilPress& press) {
  const int label = ground.soils->label(at.x(), at.y());
  const Soil* soil = &ground.soils->soil(label);
  const bool varies = ground.soils->varies();
  if (!varies && press.soil == soil && press.gravity == ground.gravity) return;
  Vec3 size = 2 * shape.half;
  std::sort(size.data(), size.data() + 3);
  const SoilWheel plate{0.5 * size[2], std::max(size[1], 1e-3), 0, 1};
  press.law = varies ? CellLaw(ground.soils->at(label, at.x(), at.y()), plate, ground.gravity, false)
                     : CellLaw(*soil, plate, ground.gravity, false);
  press.soil = soil, press.gravity = ground.gravity;
}

/// Ground, memory and the least that a cell around remembers [m], between the cells of a window; places in
/// cells.
struct SoilHere {
  double ground, sunk, least;
};
SoilHere read(const SoilWindow& w, double x, double y) {
  const double gx = std::clamp(x - w.i, 0.0, w.nx - 1.001), gy = std::clamp(y - w.j, 0.0, w.ny - 1.001);
  const int i = static_cast<int>(gx), j = static_cast<int>(gy);
  const double *p = w.cells.data() + 2 * (j * w.nx + i), *q = p + 2 * w.nx, s = gx - i, t = gy - j;
  const auto mean = [&](int k) {
    const double near = p[k] + s * (p[k + 2] - p[k]), far = q[k] + s * (q[k + 2] - q[k]);
    return near + t * (far - near);
  };
  return {mean(0), mean(1), std::min(std::min(p[1], p[3]), std::min(q[1], q[3]))};
}

/// Pressure of a piece, and its slope by sinkage and by the speed of sinking.
struct PiecePressure {
  double pressure = 0, stiffness = 0, damping = 0;
};
PiecePressure piece_pressure(const CellLaw& law, double s, double m, double sinking) {
  const double top = std::max(s, m);
  PiecePressure out;
  if (!(top > 0)) return out;
  const double held = law.modulus * lane::power(top / law.length, law.exponent);
  const double slope = law.exponent * held / std::max(top, 1e-9), line = std::max(law.unloading, slope);
  const double risen = std::max(m - s, 0.0), bare = held - line * risen;
  if (!(bare > 0)) return out;
  // One resistance for sinking, one for rising (soil_rut.hpp).
  const double rises = law.unloading * kSettlingTime, mean = 0.5 * (law.damping + rises);
  const double half = 0.5 * (rises - law.damping);
  const double corner = std::sqrt(sinking * sinking + kSettlingSpeed * kSettlingSpeed);
  const double faded = std::min(top / kRamp, 1.0);
  out.pressure = std::max(bare + faded * (mean * sinking - half * (corner - kSettlingSpeed)), 0.0);
  if (!(out.pressure > 0)) return out;
  out.stiffness = slope + std::min(risen / kBottom, 1.0) * (line - slope);
  out.damping = faded * (mean - half * sinking / corner);
  return out;
}

/// A body as its pieces see it, world axes.
struct PressedBody {
  const Vec3& origin;  ///< of its link [m]
  const Vec3 &v, &w;   ///< of that, and angular
  const SoilWindow& window;
  const CellLaw& law;
  double per_cell, pitch;
};

/// Sums over the pieces of a facet: of its forces and of what they answer to acceleration.
struct FacetPress {
  double force = 0, mass = 0, strength = 0, depth = 0;
  Vec3 force_p = Vec3::Zero(), mass_p = Vec3::Zero();  ///< times place
  Mat3 mass_pp = Mat3::Zero();
  bool below = false, fresh = false;
};

FacetPress press_facet(const PlacedFace& face, const Vec3& n, const Vec3& N, const PressedBody& body,
                       const StageStep& step, double highest) {
  FacetPress sum;
  // Speeds of a point p of the body along N and n are straight in p.
  const double sinks = -N.dot(body.v), enters = n.dot(body.v),
               facing = face.point ? 1 : std::max(-n.dot(N), 0.0);
  const Vec3 sinks_p = -N.cross(body.w), enters_p = n.cross(body.w);
  each_piece(face, body.pitch, [&](const Vec3& p, double area) {
    const double z = body.origin.z() + p.z();
    if (z > highest) return;
    const SoilHere soil = read(body.window, (body.origin.x() + p.x()) * body.per_cell,
                               (body.origin.y() + p.y()) * body.per_cell);
    const double s = (soil.ground - z) * N.z();
    if (!(s > 0)) return;
    sum.below = true;
    double m = soil.sunk * N.z();
    if (m > s && soil.least * N.z() < s && !face.point)
      m -= std::clamp((enters + enters_p.dot(p)) / kSlowFace, 0.0, 1.0) * (m - s);
    sum.fresh = sum.fresh || s > m + kFresh;
    const PiecePressure pressed = piece_pressure(body.law, s, m, sinks + sinks_p.dot(p));
    if (!(pressed.pressure > 0)) return;
    const double force = pressed.pressure * area;
    sum.force += force, sum.force_p += force * p;
    sum.depth = std::max(sum.depth, s);
    sum.strength += area * body.law.cohesion + force * body.law.tan_friction;
    const double dt = step.dt;
    const double mass =
        area * facing * (step.theta * dt * pressed.damping + 0.25 * dt * dt * pressed.stiffness);
    const Vec3 weighed = mass * p;
    sum.mass += mass, sum.mass_p += weighed, sum.mass_pp += weighed * p.transpose();
  });
  return sum;
}

/// Adds the sums of a facet, which pushes along `along` (world axes), to its link and its patch.
void add_facet_press(const FacetPress& sum, const Vec3& along, const Mat3& to_link, LinkLoad& load,
                     PatchState& patch) {
  const Vec3 a = to_link * along, force_p = to_link * sum.force_p, mass_p = to_link * sum.mass_p;
  const Mat3 turn = -skew(a);  // p x a = turn p
  load.wrench.head<3>() += sum.force * a;
  load.wrench.tail<3>() += turn * force_p;
  const Mat3 corner = a * (turn * mass_p).transpose();
  load.apparent.topLeftCorner<3, 3>() += sum.mass * a * a.transpose();
  load.apparent.topRightCorner<3, 3>() += corner;
  load.apparent.bottomLeftCorner<3, 3>() += corner.transpose();
  load.apparent.bottomRightCorner<3, 3>() +=
      turn * (to_link * sum.mass_pp * to_link.transpose()) * turn.transpose();
  patch.force += sum.force * a, patch.point += force_p, patch.pushes += sum.force;
  patch.depth = std::max(patch.depth, sum.depth);
  patch.strength += sum.strength;
}

}  // namespace

void SoilShape::add(const HullFace& f, int patch) {
  const Vec3 normal = f.u.cross(f.v);
  const double area = normal.norm() * (f.triangle ? 0.5 : 1);
  if (!(area > 0)) return;
  const double longest = std::max({f.u.norm(), f.v.norm(), f.triangle ? (f.u - f.v).norm() : 0.0});
  if (longest <= kLongest) return facets.push_back({f, normal.normalized(), area, patch});
  if (f.triangle) {
    const Vec3 u = 0.5 * f.u, v = 0.5 * f.v;
    add({f.corner, u, v, true}, patch), add({f.corner + u, u, v, true}, patch);
    add({f.corner + v, u, v, true}, patch), add({f.corner + u + v, -u, -v, true}, patch);
    return;
  }
  const int nu = std::max(1, static_cast<int>(std::ceil(f.u.norm() / kLongest - 1e-9)));
  const int nv = std::max(1, static_cast<int>(std::ceil(f.v.norm() / kLongest - 1e-9)));
  const Vec3 u = f.u / nu, v = f.v / nv;
  for (int i = 0; i < nu; ++i)
    for (int j = 0; j < nv; ++j)
      facets.push_back(
          {{f.corner + i * u + j * v, u, v, false}, normal.normalized(), area / (nu * nv), patch});
}

void SoilShape::add_point(const Vec3& p, int patch) {
  facets.push_back(
      {{p, Vec3::Zero(), Vec3::Zero(), false}, Vec3::Zero(), kColumnPitch * kColumnPitch, patch});
}

void SoilShape::close() {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const SoilFacet& f : facets)
    for (const Vec3& p : {f.face.corner, Vec3(f.face.corner + f.face.u), Vec3(f.face.corner + f.face.v),
                          Vec3(f.face.corner + (f.face.triangle ? f.face.u : Vec3(f.face.u + f.face.v)))})
      low = low.cwiseMin(p), high = high.cwiseMax(p);
  centre = 0.5 * (low + high), half = 0.5 * (high - low);
}

bool press_soil(const SoilShape& shape, int link_index, const Touch& t, SoilPress& press,
                std::span<PatchState> patches) {
  const LinkMotion& link = t.motion.link[link_index];
  const Pose& X = link.X_WL;
  const Vec3 v = X.R * link.V_WL_L.head<3>(), w = X.R * link.V_WL_L.tail<3>();
  const Terrain& terrain = *t.ground.terrain;
  press.X = X, press.v = v + w.cross(X.R * shape.centre), press.fresh = false;
  press.below.assign(shape.facets.size(), 0);
  const Mat3 to_link = X.R.transpose();
  const double D = t.ground.tiles->cell();
  bool gathered = false, below = false;
  for (std::size_t k = 0; k < shape.facets.size(); ++k) {
    const SoilFacet& f = shape.facets[k];
    const Vec3 n = X.R * f.normal;
    if (n.z() > kLooksUp) continue;
    const double highest = terrain.height_range(under_facet(f, X)).high;
    if (lowest_of(f, X) > highest) continue;
    if (!gathered) {
      const Rectangle r = ground_under(X, shape.centre, shape.half);
      const int i0 = static_cast<int>(std::floor(r.x_min / D)) - 1,
                i1 = static_cast<int>(std::floor(r.x_max / D)) + 2;
      const int j0 = static_cast<int>(std::floor(r.y_min / D)) - 1,
                j1 = static_cast<int>(std::floor(r.y_max / D)) + 2;
      press.window.gather(*t.ground.tiles, terrain, i0, j0, i1 - i0 + 1, j1 - j0 + 1);
      renew_law(shape, t.ground, X * shape.centre, press);
      gathered = true;
    }
    const PlacedFace face{X.R * f.face.corner, X.R * f.face.u,     X.R * f.face.v,
                          f.face.triangle,     f.normal.isZero(0), f.area};
    const Vec3 middle = X.p + face.corner + (face.triangle ? 1.0 / 3 : 0.5) * (face.u + face.v);
    const Vec3 N = terrain.at(middle.x(), middle.y()).normal();
    const FacetPress sum = press_facet(
        face, n, N, {X.p, v, w, press.window, press.law, 1 / D, std::clamp(D, 0.01, kColumnPitch)}, t.step,
        highest);
    if (!sum.below) continue;
    below = true, press.below[k] = 1, press.fresh = press.fresh || sum.fresh;
    if (sum.force > 0)
      add_facet_press(sum, face.point ? N : Vec3(-n), to_link, t.loads.link[link_index],
                      patches[static_cast<std::size_t>(f.patch)]);
  }
  return below;
}

void print_body(const SoilShape& shape, const SoilPress& press, const SoilGridSettings& grid,
                const Terrain& terrain, SoilTiles& tiles, PrintRoom& room) {
  if (!press.fresh) return;
  const Pose& X = press.X;
  const double D = tiles.cell();
  Rectangle all{1e300, -1e300, 1e300, -1e300};
  for (std::size_t k = 0; k < shape.facets.size(); ++k) {
    if (!press.below[k]) continue;
    const Rectangle r = under_facet(shape.facets[k], X);
    all = {std::min(all.x_min, r.x_min), std::max(all.x_max, r.x_max), std::min(all.y_min, r.y_min),
           std::max(all.y_max, r.y_max)};
  }
  const int i0 = static_cast<int>(std::floor(all.x_min / D)) - kPrintMargin,
            i1 = static_cast<int>(std::ceil(all.x_max / D)) + kPrintMargin;
  const int j0 = static_cast<int>(std::floor(all.y_min / D)) - kPrintMargin,
            j1 = static_cast<int>(std::ceil(all.y_max / D)) + kPrintMargin;
  room.gather(tiles, terrain, i0, j0, i1 - i0 + 1, j1 - j0 + 1);
  PrintSettings how{grid.bulldozing, grid.compaction, press.law.repose, press.law.stands, 0};
  if (grid.repose_angle > 0) how.repose = maths::tan(grid.repose_angle);
  const auto press_cell = [&](int x, int y, double height) {
    const auto at = static_cast<std::size_t>((y - room.j) * room.nx + (x - room.i));
    if (!(height < room.top[at] + kCoveredGap)) return;
    room.press(at, height, how);
    const double gap = height - (room.ground[at] - kSoilUnit * room.sunk[at]);
    if (height < room.ground[at] && gap <= kCoveredGap) room.cover(at, 1);
  };
  for (std::size_t k = 0; k < shape.facets.size(); ++k) {
    const SoilFacet& f = shape.facets[k];
    if (!press.below[k]) continue;
    const Vec3 c = X * f.face.corner, u = X.R * f.face.u, v = X.R * f.face.v;
    if (f.normal.isZero(0)) {
      press_cell(static_cast<int>(std::lround(c.x() / D)), static_cast<int>(std::lround(c.y() / D)), c.z());
      continue;
    }
    if (!((X.R * f.normal).z() < -kFlattest)) continue;  // its cells are those of the faces beside it
    const double det = u.x() * v.y() - u.y() * v.x();
    const Rectangle r = under_facet(f, X);
    for (int y = static_cast<int>(std::ceil(r.y_min / D)); y <= static_cast<int>(std::floor(r.y_max / D));
         ++y)
      for (int x = static_cast<int>(std::ceil(r.x_min / D)); x <= static_cast<int>(std::floor(r.x_max / D));
           ++x) {
        const double dx = x * D - c.x(), dy = y * D - c.y();
        const double a = (dx * v.y() - dy * v.x()) / det, b = (u.x() * dy - u.y() * dx) / det;
        if (!(a >= 0 && b >= 0 && (f.face.triangle ? a + b <= 1 : a <= 1 && b <= 1))) continue;
        press_cell(x, y, c.z() + a * u.z() + b * v.z());
      }
  }
  // To all sides of a body that stands; ahead of one that slides, little to its sides, nothing behind.
  const double speed = press.v.head<2>().norm();
  const Vec3 way = speed > kStands ? Vec3(press.v / speed) : Vec3(Vec3::Zero());
  const auto weight = [&](int from, int to) {
    if (!(speed > kStands)) return kRingWeight;
    const int step = to - from;
    const double ahead = step == 1 ? way.x() : step == -1 ? -way.x() : step > 0 ? way.y() : -way.y();
    return ahead > 0.3 ? kRingWeight : ahead > -0.3 ? 2 : 0;
  };
  room.finish(how, weight, tiles, terrain);
}

}  // namespace scree
