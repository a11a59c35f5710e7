/// Contact kind `axis_columns`: a body as Yokokohji 2002 Sec. 4.2 divides it, into columns along its own
/// axes.
///
/// The body is the box around its corners, in the axes of its link. It is cut into upright columns along z
/// and into lengthwise columns along x (Fig. 9); the paper neglects those along y. Where an end of a column
/// is below the ground, L is the length of the column from that end to where it comes out of the ground, and
/// the column pushes back along itself, towards its other end (unit vector i):
///
///     f_bv = max(0, K_bv L + D_bv L') i   (Eq. 20, upright)      f_bl = max(0, K_bl L + D_bl L') i   (Eq.
///     21)
///
/// With g(s) = ground - height along the column, L is the first zero of g, found by steps of the column's
/// width, halved four times, and a straight line between the last two looks, and L' = (dg/dt)/(-dg/ds) there,
/// which is -N.v/(N.i) with the ground's upward normal N. A column that is below the ground as a whole has L
/// = its length from both ends, which cancels. Friction (Eq. 22) belongs to the upright columns: mu_bt f_bv
/// against the slip, by the bristles of hull.hpp, which the paper's sliding friction becomes where it slides.
///
/// Deviations: K and D are those of a column of 25 mm x 25 mm (errata 001-20..22), finer columns on fine
/// ground share them by area (the paper's average over a column); forces never pull; dampers fade in over
/// `ramp`.
///
/// The law is the paper's and has its limits: a stone that a nose runs into pushes straight back, however
/// sloped it is, and does not lift the nose by that; sides feel nothing; forces along the axes are not those
/// of a potential, so a body that wobbles in the ground may win or lose energy beyond its dampers. `columns`
/// has none of these.
#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/ground/convex.hpp"
#include "scree/ground/hull_patch.hpp"
#include "scree/terrain/sample_lanes.hpp"

namespace scree {
namespace {

using namespace lane;

struct AxisColumnSettings : ContactSettings {
  double stiffness = 4e4;  ///< K_bl [N/m] per column of 25 mm x 25 mm
  double damping = 800;    ///< D_bl [N s/m] likewise
};

std::shared_ptr<const ContactSettings> read_axis_columns(Section& s, const ContactSettings* shared) {
  auto out = std::make_shared<AxisColumnSettings>();
  if (shared) *out = static_cast<const AxisColumnSettings&>(*shared);
  s.number(
      "lengthwise_stiffness", out->stiffness,
      {.unit = "N/m", .doc = "axis_columns: of lengthwise columns of 25 mm x 25 mm", .range = positive()});
  s.number("lengthwise_damping", out->damping,
           {.unit = "N s/m", .doc = "axis_columns: likewise", .range = not_negative()});
  return out;
}

constexpr double kLeastFall = 0.05;  // of g along a column where it comes out: bounds L'
constexpr int kCuts = 4;             // of the stride in which a column comes out of the ground
constexpr int kSides = 2;            // patches: front and rear, left and right

/// One end of all columns along one axis of a box.
struct ColumnEnds {
  int axis, u, v;  ///< along the columns, and across
  double sign;     ///< of the outward direction
  double stiffness, damping;
};

struct AxisBody {
  Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< link axes [m]
  double reach = 0;                              ///< of its farthest corner from the link's origin [m]
  ColumnEnds ends[4];
};

/// Four columns that look for where they come out of the ground.
struct WayOut {
  Lanes length{};  ///< L [m]
  Lanes fall{};    ///< -dg/ds there
  Mask below{};    ///< whose end is below the ground
  Lanes depth{};   ///< of the end below the ground [m]
};

/// Of points of a link, below the ground [m].
template <class Sampler>
Lanes depth_at(const Sampler& sample, const Pose& X, const V3<Lanes>& p) {
  const V3<Lanes> at = column_place(X, p);
  return sample(at.x, at.y).z - at.z;
}

template <class Sampler>
WayOut way_along(const Sampler& sample, const Pose& X, const V3<Lanes>& end, const Vec3& inward,
                 double length, double stride, Mask active) {
  const auto g = [&](Lanes s) {
    return depth_at(sample, X, {end.x + s * inward.x(), end.y + s * inward.y(), end.z + s * inward.z()});
  };
  WayOut out;
  Lanes before = g(Lanes{});
  out.below = active & (before > Lanes{}), out.depth = before;
  Mask open = out.below;
  const int steps = std::max(1, static_cast<int>(std::ceil(length / stride - 1e-9)));
  const double ds = length / steps;
  Lanes in{}, in_below = before, way = lanes(ds),
              way_below = lanes(-1);  // the bracket in which g becomes zero
  for (int k = 1; k <= steps && any(open); ++k) {
    const Lanes now = g(lanes(k * ds));
    const Mask through = open & (now <= Lanes{});
    in = select(through, lanes((k - 1) * ds), in), in_below = select(through, before, in_below);
    way = select(through, lanes(k * ds), way), way_below = select(through, now, way_below);
    open = open & ~through;
    before = now;
  }
  out.length = lanes(length), out.fall = lanes(1);
  const Mask found = out.below & ~open;
  if (!any(found)) return out;
  for (int k = 0; k < kCuts; ++k) {
    const Lanes middle = 0.5 * (in + way), now = g(middle);
    const Mask under = now > Lanes{};
    in = select(under, middle, in), in_below = select(under, now, in_below);
    way = select(under, way, middle), way_below = select(under, way_below, now);
  }
  const Lanes drop = select(found, in_below - way_below, lanes(1)), width = way - in;
  out.length = select(found, in + width * in_below / drop, out.length);
  out.fall = select(found, max(drop / width, lanes(kLeastFall)), out.fall);
  return out;
}

class AxisColumns : public PatchedBodies {
 public:
  explicit AxisColumns(std::span<const ContactElement> elements) {
    for (const ContactElement& e : elements) add_body(e);
  }

  double sunk(const GroundView& ground, const ContactMotion& motion) const override {
    double most = -std::numeric_limits<double>::infinity();
    with_sampler(*ground.terrain, [&](const auto& sample) {
      for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const Pose& X = motion.link[owners_[b].link].X_WL;
        for (const ColumnEnds& ends : bodies_[b].ends)
          each_end(
              bodies_[b], ends, pitch_under(*ground.terrain, bodies_[b], X), [](int) { return true; },
              [&](int, const V3<Lanes>& p, double, Mask active) {
                const Lanes below = depth_at(sample, X, p);
                for (int k = 0; k < kLanes; ++k)
                  if (active[k]) most = std::max(most, below[k]);
              });
      }
      return 0;
    });
    return most;
  }

 protected:
  bool press(int b, const Touch& t, SoilPress* soil, std::span<PatchState> patches, double&,
             ColumnRoom& room) const override {
    const AxisBody& body = bodies_[b];
    const PatchOwner& owner = owners_[b];
    const LinkMotion& link = t.motion.link[owner.link];
    const Pose& X = link.X_WL;
    const Terrain& terrain = *t.ground.terrain;
    if (height_above(terrain, X, 0.5 * (body.low + body.high), 0.5 * (body.high - body.low)) > 0)
      return false;
    std::fill(patches.begin(), patches.end(), PatchState{});
    if (soil) return press_soil(shapes_[b], owner.link, t, *soil, patches);
    const double pitch = pitch_under(terrain, body, X);
    room.move(t.ground, X, body.reach, pitch);
    return with_sampler(terrain, [&](const auto& sample) {
      bool below = false;
      int first = 0;
      for (const ColumnEnds& ends : body.ends) {
        const Vec3 inward = -ends.sign * Vec3::Unit(ends.axis);
        const double length = body.high[ends.axis] - body.low[ends.axis];
        const auto looked_at = [&](int four) { return !room.enough(first + four); };
        first += each_end(
            body, ends, pitch, looked_at, [&](int four, const V3<Lanes>& p, double share, Mask active) {
              const WayOut way = way_along(sample, X, p, inward, length, pitch, active);
              room.set(first + four, least_height(way.depth));
              if (!any(way.below)) return;
              for (int k = 0; k < kLanes; ++k) {
                if (!way.below[k]) continue;
                below = true;
                const Vec3 end(p.x[k], p.y[k], p.z[k]);
                push(owner, ends, {end, inward, way.length[k], way.fall[k], share, length}, link,
                     ground_normal(sample, X, end + way.length[k] * inward), t, patches[patch_of(body, end)]);
              }
            });
      }
      return below;
    });
  }

 private:
  struct Pushed {
    Vec3 end, inward;  ///< link axes
    double depth, fall, share, whole;
  };

  /// The force of one column.
  static void push(const PatchOwner& owner, const ColumnEnds& ends, const Pushed& c, const LinkMotion& link,
                   const Vec3& N_L, const Touch& t, PatchState& patch) {
    // L' = rate . V: of the point where the column comes out; a column that is below the ground as a whole is
    // not growing any more.
    const Vec3 out = c.end + c.depth * c.inward;
    const bool buried = c.depth >= c.whole;
    Vec6 rate = Vec6::Zero();
    if (!buried) rate << Vec3(-N_L / c.fall), Vec3(-out.cross(N_L) / c.fall);
    const double ramp = std::min(1.0, c.depth / owner.hull.ramp), damping = ramp * ends.damping;
    const double force = c.share * (ends.stiffness * c.depth + damping * rate.dot(link.V_WL_L));
    if (!(force > 0)) return;
    Vec6 along;
    along << c.inward, c.end.cross(c.inward);
    LinkLoad& load = t.loads.link[owner.link];
    load.wrench += force * along;
    const double theta_dt = t.step.theta * t.step.dt;
    load.apparent.noalias() -=
        along * (c.share * theta_dt * (damping + 0.5 * t.step.dt * ends.stiffness) * rate).transpose();
    patch.depth = std::max(patch.depth, c.depth);
    if (ends.axis != 2) {
      patch.slick += force * c.inward;
      patch.slick_point += force * c.end;
      return;
    }
    patch.force += force * c.inward;
    patch.point += force * c.end;
    patch.pushes += force;
  }

  int most_fours(int b) const override {
    const Vec3 size = bodies_[b].high - bodies_[b].low;
    int fours = 0;
    for (const ColumnEnds& ends : bodies_[b].ends)
      fours += (column_count(size[ends.u], kFinestPitch) + kLanes - 1) / kLanes *
               column_count(size[ends.v], kFinestPitch);
    return fours;
  }

  static double pitch_under(const Terrain& terrain, const AxisBody& body, const Pose& X) {
    return column_pitch(
        terrain.finest_feature(ground_under(X, 0.5 * (body.low + body.high), 0.5 * (body.high - body.low))));
  }

  /// (-slope, 1) of the ground at a point, in link axes.
  template <class Sampler>
  static Vec3 ground_normal(const Sampler& sample, const Pose& X, const Vec3& p) {
    const Vec3 p_W = X * p;
    const LanesPoint ground = sample(lanes(p_W.x()), lanes(p_W.y()));
    return X.R.transpose() * Vec3(-ground.slope_x[0], -ground.slope_y[0], 1);
  }

  /// Middles of the ends of all columns at one end of the box, four at a time, with the share of each of a
  /// column of 25 mm x 25 mm.
  /// Only fours that `wanted(four)` asks for; how many there are.
  template <class Wanted, class Use>
  static int each_end(const AxisBody& body, const ColumnEnds& ends, double pitch, const Wanted& wanted,
                      const Use& use) {
    const Vec3 size = body.high - body.low;
    const int nu = column_count(size[ends.u], pitch), nv = column_count(size[ends.v], pitch);
    const double du = size[ends.u] / nu, dv = size[ends.v] / nv;
    const double share = du * dv / (kColumnPitch * kColumnPitch);
    const Lanes count{0, 1, 2, 3};
    int four = 0;
    for (int j = 0; j < nv; ++j) {
      for (int i = 0; i < nu; i += kLanes, ++four) {
        if (!wanted(four)) continue;
        Lanes at[3];
        at[ends.axis] = lanes(ends.sign > 0 ? body.high[ends.axis] : body.low[ends.axis]);
        at[ends.u] = body.low[ends.u] + du * (min(count + i, lanes(nu - 1)) + 0.5);
        at[ends.v] = lanes(body.low[ends.v] + dv * (j + 0.5));
        use(four, V3<Lanes>{at[0], at[1], at[2]}, share, count + i <= lanes(nu - 1));
      }
    }
    return four;
  }

  static int column_count(double length, double pitch) {
    return std::max(1, static_cast<int>(std::ceil(length / pitch - 1e-9)));
  }

  /// Of four ends above the ground, from their depths below it.
  static double least_height(Lanes depth) {
    return -std::max(std::max(depth[0], depth[1]), std::max(depth[2], depth[3]));
  }

  static int patch_of(const AxisBody& body, const Vec3& p) {
    const Vec3 middle = 0.5 * (body.low + body.high);
    return kSides * (p.x() > middle.x()) + (p.y() > middle.y());
  }

  void add_body(const ContactElement& e) {
    if (e.faces.empty()) return;  // points have no columns
    const auto* settings = static_cast<const AxisColumnSettings*>(e.contact.settings.get());
    const AxisColumnSettings along = settings ? *settings : AxisColumnSettings{};
    AxisBody body;
    body.low = Vec3::Constant(std::numeric_limits<double>::infinity()), body.high = -body.low;
    for (const HullFace& f : e.faces)
      for (const Vec3& p : corners_of(f)) body.low = body.low.cwiseMin(p), body.high = body.high.cwiseMax(p);
    body.reach = body.low.cwiseAbs().cwiseMax(body.high.cwiseAbs()).norm();
    const double K = e.hull.stiffness, D = e.hull.damping;
    body.ends[0] = {2, 0, 1, -1.0, K, D};
    body.ends[1] = {2, 0, 1, 1.0, K, D};
    body.ends[2] = {0, 1, 2, 1.0, along.stiffness, along.damping};
    body.ends[3] = {0, 1, 2, -1.0, along.stiffness, along.damping};
    add_owner({e.link, e.hull, static_cast<int>(patches_.size()), kSides * kSides, 0});
    patches_.insert(patches_.end(), kSides * kSides, static_cast<int>(bodies_.size()));
    SoilShape shape;
    for (const HullFace& f : e.faces) shape.add(f, 0);
    for (SoilFacet& f : shape.facets)
      f.patch = patch_of(body, f.face.corner + (f.face.triangle ? 1.0 / 3 : 0.5) * (f.face.u + f.face.v));
    shape.close();
    shapes_.push_back(std::move(shape));
    bodies_.push_back(body);
  }

  std::vector<AxisBody> bodies_;
};

}  // namespace

ContactKind axis_columns_kind() {
  return {"axis_columns", "columns along the body's own axes, upright and lengthwise (Yokokohji 2002)", false,
          read_axis_columns, [](std::span<const ContactElement> elements, SeenPlaces&) {
            return std::make_unique<AxisColumns>(elements);
          }};
}

}  // namespace scree
