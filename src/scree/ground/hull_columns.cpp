/// Contact kind `columns`: bodies whose surface meets the ground column by column (hull.hpp).
///
/// Columns are fixed to the body: a lattice on every face, edges and corners included, as fine as the ground
/// (25 mm where that is smooth), each with its share of the face's area. Before any column is looked at,
/// bodies and faces that are clear of the ground are passed over: by what the wheels beside them saw and the
/// slope bound, by the ground's kept heights, and on a grid by its samples (hull_room.hpp).
#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/ground/convex.hpp"
#include "scree/ground/hull_patch.hpp"
#include "scree/ground/hull_room.hpp"
#include "scree/ground/side_way.hpp"

namespace scree {
namespace {

using namespace lane;

constexpr double kFaceSide = 0.25;       // m: longer faces are divided, each part passed over by itself
constexpr double kColumnShallow = 0.01;  // m: up to this depth the way out is along the ground's normal
constexpr double kColumnDeepest = 0.1;   // m: no column pushes as if deeper
constexpr double kFacingUp = 0.5;        // faces that look up more than this meet no ground,
constexpr double kFacingUpFar =
    0.75;                           // and more than this will not until the body has turned by the difference
constexpr double kGentleBody = 2;   // slope bound below which a look tells about the ground around it
constexpr double kMostRoom = 0.05;  // m that a body moves unseen: ground near it is bounded only so far
constexpr double kFacetRoom = 0.03;   // m likewise, of a facet on a grid,
constexpr double kNearRoom = 0.012;   // and of both where ground farther away is in the way
constexpr double kFairRoom = 0.004;   // m: with less than this a closer look is worth its while
constexpr double kUntilWhole = 0.02;  // m until a body is looked at as a whole again, where that was in vain
constexpr double kSeenMargin = 1e-3;  // m: contacts of wheels are found to better than this
constexpr double kLookPitch = 0.1;    // m: between looks at ground of which nothing is known
constexpr double kLeastSlope = 0.1;   // of such ground, where all looks found it level
constexpr int kBinsX = 3, kBinsY = 2, kBinsZ = 2;  // of a body's bounding box: patches that share a bristle

/// A part of a body's surface, link axes.
struct Facet {
  HullFace face;
  Vec3 normal = Vec3::Zero();  ///< outward, unit; zero: a point
  double columns = 1;          ///< its area in columns of kColumnPitch
  int patch = 0;               ///< of its body
  int first_four = 0;          ///< of its columns among those of its body, at any pitch
};

/// Four wheels on the body's link and the part of the body that each is nearest to.
struct BodyView {
  int seen = 0;  ///< place in Touch::seen
  Mask active{};
  V3<Lanes> centre{}, half{};  ///< of the part's box, link axes [m]
  Lanes level{};               ///< |(half_x, half_y)| [m]
};

struct Body {
  Vec3 centre = Vec3::Zero(), half = Vec3::Zero();  ///< of its box, link axes [m]
  int first_facet = 0, facets = 0;
  int places = 0;               ///< in its ColumnRoom: facets, fours of columns as close as they get, whole()
  std::vector<BodyView> views;  ///< none: no wheel hangs on its link
  BodyView quarters;            ///< the four quarters of its box
  /// The body as a whole.
  int whole() const { return places - 1; }
};

/// The motion of a body and how the step weighs it: the same for all its columns.
struct BodyMotion {
  Pose X;
  Vec3 v, w;  ///< of the link's origin, and angular; link axes
  double dt = 0, theta = 1;
  double pitch = kColumnPitch;  ///< of the columns [m]
};

V3<Lanes> wide(const Vec3& v) { return {lanes(v.x()), lanes(v.y()), lanes(v.z())}; }
double sum_of(Lanes x) { return sum(x); }
Vec3 sum_of(const V3<Lanes>& v) { return {sum(v.x), sum(v.y), sum(v.z)}; }

/// Four columns of a face.
struct ColumnRow {
  V3<Lanes> p;  ///< link axes [m]
  Lanes share;  ///< of area, in columns of kColumnPitch
  Mask active{};
};

/// Parts of a face's sides between its columns.
struct Lattice {
  int nu = 0, nv = 0;
  Lattice(const Facet& f, double pitch) {
    if (f.normal.isZero(0)) return;
    const auto parts = [&](double length) {
      return std::max(1, static_cast<int>(std::ceil(length / pitch - 1e-9)));
    };
    nu = parts(f.face.u.norm()), nv = parts(f.face.v.norm());
    if (f.face.triangle) nu = nv = std::max({nu, nv, parts((f.face.u - f.face.v).norm())});
  }
  int fours() const { return (nv + 1) * (nu / kLanes + 1); }
};

/// The lattice of a face, four columns at a time: those that are `wanted`, by their number.
template <class Wanted, class Use>
void each_row(const Facet& f, double pitch, const Wanted& wanted, const Use& use) {
  const HullFace& face = f.face;
  const bool point = f.normal.isZero(0);
  const auto [nu, nv] = Lattice(f, pitch);
  const double per_u = nu > 0 ? 1.0 / nu : 0, per_v = nv > 0 ? 1.0 / nv : 0;
  const double piece = point ? 1 : f.columns * per_u * per_v;  // a triangle has half as many of twice this
  const Lanes count{0, 1, 2, 3};
  int four = 0;
  for (int j = 0; j <= nv; ++j) {
    const int last = face.triangle ? nu - j : nu;
    for (int i = 0; i <= last; i += kLanes, ++four) {
      if (!wanted(four)) continue;
      const Lanes index = min(count + i, lanes(last));
      ColumnRow row;
      row.p = wide(face.corner + (j * per_v) * face.v) + (index * per_u) * wide(face.u);
      row.active = count + i <= lanes(last);
      if (point) {
        row.share = lanes(1);
      } else if (face.triangle) {
        // A third of each small triangle that meets here: six inside, three on an edge, one in a corner.
        const Lanes ends = select(index == Lanes{}, lanes(1), Lanes{}) +
                           select(index == lanes(last), lanes(1), Lanes{}) + (j == 0 ? 1.0 : 0.0);
        row.share =
            piece * select(ends == Lanes{}, lanes(2), select(ends == lanes(1), lanes(1), lanes(1.0 / 3)));
      } else {
        const Lanes end = select((index == Lanes{}) | (index == lanes(last)), lanes(0.5), lanes(1));
        row.share = (piece * (j == 0 || j == nv ? 0.5 : 1.0)) * end;
      }
      use(row, four);
    }
  }
}
template <class Use>
void each_row(const Facet& f, double pitch, const Use& use) {
  each_row(
      f, pitch, [](int) { return true; }, [&use](const ColumnRow& row, int) { use(row); });
}

/// Sums over the columns of a facet.
struct FacetSum {
  V3<Lanes> force{}, moment{}, point{};
  Lanes load{}, depth{};
  Lanes apparent[21] = {};  ///< upper triangle, column by column
  bool below = false;       ///< some column is below the ground
  bool looked = false;      ///< for a way out to the side,
  SideWay side;             ///< and found this one
};

/// The way out to the side for a facet of which some columns are deep: that of their middle, so that it does
/// not matter which column comes first.
template <class Sampler>
SideWay facet_way(const Sampler& sample, const Facet& f, const Pose& X, double pitch) {
  Vec3 middle = Vec3::Zero();
  int count = 0;
  each_row(f, pitch, [&](const ColumnRow& row) {
    const V3<Lanes> p = column_place(X, row.p);
    const Lanes below = sample(p.x, p.y).z - p.z;
    for (int k = 0; k < kLanes; ++k) {
      if (!row.active[k] || !(below[k] > kColumnShallow)) continue;
      middle += Vec3(p.x[k], p.y[k], p.z[k]);
      ++count;
    }
  });
  if (count == 0) return {};
  middle /= count;
  const double depth = sample(lanes(middle.x()), lanes(middle.y())).z[0] - middle.z();
  return depth > 0 ? side_way(sample, middle, depth) : SideWay{};
}

/// A row of columns in the world, and the ground there.
struct PlacedRow {
  const ColumnRow& row;
  const V3<Lanes>& p_W;
  const LanesPoint& ground;
};

/// The columns of a row (hull.hpp), of which some are below the ground.
template <class Sampler>
void press_row(const Sampler& sample, const HullSettings& hull, const Facet& f, const BodyMotion& m,
               const PlacedRow& at, FacetSum& sum) {
  const ColumnRow& row = at.row;
  const LanesPoint& ground = at.ground;
  const Lanes below = ground.z - at.p_W.z;
  const Mask inside = row.active & (below > Lanes{});
  const Lanes per = 1.0 / sqrt(1.0 + ground.slope_x * ground.slope_x + ground.slope_y * ground.slope_y);
  Lanes depth = below * per;
  V3<Lanes> g{-per * ground.slope_x, -per * ground.slope_y, per};
  const Mask deep = inside & (depth > kColumnShallow);
  if (any(deep)) {
    if (!sum.looked) sum.side = facet_way(sample, f, m.X, m.pitch);
    sum.looked = true;
    if (const SideWay& side = sum.side; side.x != 0 || side.y != 0) {
      const Lanes most = min(depth, lanes(kSideReach));
      const Lanes out = way_out(sample, at.p_W, side.x, side.y, most);
      const Mask better = deep & (out < most);
      depth = select(better, out, depth);
      g.x = select(better, lanes(side.x), g.x), g.y = select(better, lanes(side.y), g.y);
      g.z = select(better, Lanes{}, g.z);
    }
    depth = min(depth, lanes(kColumnDeepest));
  }
  const Mat3& R = m.X.R;
  const V3<Lanes> g_L{R(0, 0) * g.x + R(1, 0) * g.y + R(2, 0) * g.z,
                      R(0, 1) * g.x + R(1, 1) * g.y + R(2, 1) * g.z,
                      R(0, 2) * g.x + R(1, 2) * g.y + R(2, 2) * g.z};
  const bool point = f.normal.isZero(0);
  const V3<Lanes> surface = wide(f.normal);
  const Lanes facing = point ? lanes(1) : max(-dot(surface, g_L), Lanes{});
  const V3<Lanes> v = wide(m.v) + cross(wide(m.w), row.p);
  const Lanes damping = hull.damping * min(depth * (1 / hull.ramp), lanes(1));
  const Lanes push = hull.stiffness * depth - damping * dot(g_L, v);
  const Mask pressed = inside & (push > Lanes{}) & (facing > Lanes{});
  if (!any(pressed)) return;
  const Lanes area = select(pressed, facing * row.share, Lanes{});
  const Lanes load = area * push;
  const V3<Lanes> force = load * g_L;
  sum.force = sum.force + force;
  sum.moment = sum.moment + cross(row.p, force);
  if (!point) {
    const Lanes couple = select(pressed, (0.5 * hull.stiffness) * row.share * depth * depth, Lanes{});
    sum.moment = sum.moment + couple * cross(surface, g_L);
  }
  sum.point = sum.point + load * row.p;
  sum.load += load;
  sum.depth = max(sum.depth, select(pressed, depth, Lanes{}));
  const Lanes mass = area * (m.theta * m.dt) * (damping + 0.5 * m.dt * hull.stiffness);
  const V3<Lanes> turn = cross(row.p, g_L);
  const Lanes J[6] = {g_L.x, g_L.y, g_L.z, turn.x, turn.y, turn.z};
  for (int j = 0, k = 0; j < 6; ++j) {
    const Lanes scaled = mass * J[j];
    for (int i = 0; i <= j; ++i, ++k) sum.apparent[k] += scaled * J[i];
  }
}

/// Adds the sums of a facet to its link and its patch.
void add_facet(const FacetSum& sum, LinkLoad& load, PatchState& patch) {
  const Vec3 force = sum_of(sum.force);
  load.wrench.head<3>() += force;
  load.wrench.tail<3>() += sum_of(sum.moment);
  for (int j = 0, k = 0; j < 6; ++j) {
    for (int i = 0; i <= j; ++i, ++k) {
      const double a = sum_of(sum.apparent[k]);
      load.apparent(i, j) += a;
      if (i != j) load.apparent(j, i) += a;
    }
  }
  patch.force += force;
  patch.point += sum_of(sum.point);
  patch.pushes += sum_of(sum.load);
  for (int k = 0; k < kLanes; ++k) patch.depth = std::max(patch.depth, sum.depth[k]);
}

class HullColumns : public PatchedBodies {
 public:
  HullColumns(std::span<const ContactElement> elements, const SeenPlaces& seen) {
    for (const ContactElement& e : elements) add_body(e, seen);
  }

  double sunk(const GroundView& ground, const ContactMotion& motion) const override {
    double most = -std::numeric_limits<double>::infinity();
    with_sampler(*ground.terrain, [&](const auto& sample) {
      for (std::size_t b = 0; b < bodies_.size(); ++b) {
        const Body& body = bodies_[b];
        const Pose& X = motion.link[owners_[b].link].X_WL;
        const double pitch =
            column_pitch(ground.terrain->finest_feature(ground_under(X, body.centre, body.half)));
        for (int i = 0; i < body.facets; ++i)
          each_row(facets_[body.first_facet + i], pitch, [&](const ColumnRow& row) {
            const V3<Lanes> p = column_place(X, row.p);
            const Lanes below = sample(p.x, p.y).z - p.z;
            for (int k = 0; k < kLanes; ++k) most = std::max(most, below[k]);
          });
      }
      return 0;
    });
    return most;
  }

 private:
  int most_fours(int b) const override { return bodies_[b].places; }

  /// How far boxes are above what ground with this slope bound, found at `from` (link axes), can reach: it is
  /// no higher than there plus slope bound x distance [m].
  static Lanes above_reach(const BodyView& boxes, const V3<Lanes>& from, const Mat3& R, double slope_bound) {
    const V3<Lanes> d = boxes.centre - from;
    const Lanes rise = R(2, 0) * d.x + R(2, 1) * d.y + R(2, 2) * d.z;
    const Lanes low = abs(R(2, 0)) * boxes.half.x + abs(R(2, 1)) * boxes.half.y + abs(R(2, 2)) * boxes.half.z;
    const double tilt = std::sqrt(max(1 - R(2, 2) * R(2, 2), 0.0));
    const Lanes away = sqrt(max(dot(d, d) - rise * rise, Lanes{})) + boxes.level + tilt * boxes.half.z;
    return rise - low - kSeenMargin - slope_bound * away;
  }
  static double least(Lanes x) { return std::min(std::min(x[0], x[1]), std::min(x[2], x[3])); }

  /// How far the body is above the ground that can touch it, as seen from the wheels beside it; not above 0
  /// where it may touch.
  static double seen_above(const Body& body, const Touch& t, const Mat3& R) {
    Lanes above = lanes(body.views.empty() ? 0.0 : std::numeric_limits<double>::infinity());
    for (const BodyView& view : body.views) {
      const SeenGround& ground = t.seen[view.seen];
      const Lanes here =
          select(ground.seen, above_reach(view, ground.point, R, t.ground.slope_bound), Lanes{});
      above = select(view.active, min(above, here), above);
    }
    return least(above);
  }

  /// And from the ground under its quarters.
  template <class Sampler>
  static double quarters_above(const Sampler& sample, const Body& body, const Pose& X, double slope_bound) {
    const V3<Lanes> c = column_place(X, body.quarters.centre);
    const Lanes up = c.z - sample(c.x, c.y).z;  // the ground lies this far below the quarters' middles
    const V3<Lanes> from{body.quarters.centre.x - up * X.R(2, 0), body.quarters.centre.y - up * X.R(2, 1),
                         body.quarters.centre.z - up * X.R(2, 2)};
    return least(above_reach(body.quarters, from, X.R, slope_bound));
  }

  /// Nor from looks at ground that knows neither a bound of its slope nor its finest feature (an expression):
  /// one every kLookPitch under the body, and between them ground no steeper than twice the steepest seen. A
  /// spike that is narrower than that may be missed until a look falls on it.
  template <class Sampler>
  static bool looks_clear(const Sampler& sample, const Body& body, const Pose& X) {
    const auto parts = [](double half) {
      return std::max(1, static_cast<int>(std::ceil(2 * half / kLookPitch)));
    };
    const int nx = parts(body.half.x()), ny = parts(body.half.y());
    const double hx = body.half.x() / nx, hy = body.half.y() / ny, hz = body.half.z();
    const Lanes count{0, 1, 2, 3};
    Lanes least = lanes(std::numeric_limits<double>::infinity()), steepest{};
    for (int j = 0; j < ny; ++j) {
      for (int i = 0; i < nx; i += kLanes) {
        const Lanes index = min(count + i, lanes(nx - 1));
        const V3<Lanes> middle{body.centre.x() - body.half.x() + hx * (2.0 * index + 1.0),
                               lanes(body.centre.y() - body.half.y() + hy * (2 * j + 1)),
                               lanes(body.centre.z())};
        const V3<Lanes> p = column_place(X, middle);
        const LanesPoint ground = sample(p.x, p.y);
        least = min(least, p.z - ground.z);
        steepest = max(steepest, ground.slope_x * ground.slope_x + ground.slope_y * ground.slope_y);
      }
    }
    double up = least[0], steep = steepest[0];
    for (int k = 1; k < kLanes; ++k) up = std::min(up, least[k]), steep = std::max(steep, steepest[k]);
    const Mat3& R = X.R;
    const double low = std::abs(R(2, 0)) * hx + std::abs(R(2, 1)) * hy + std::abs(R(2, 2)) * hz;
    const double away = std::sqrt(hx * hx + hy * hy) + std::sqrt(std::max(1 - R(2, 2) * R(2, 2), 0.0)) * hz;
    return up - low - kSeenMargin > (2 * std::sqrt(steep) + kLeastSlope) * away;
  }

  bool press(int b, const Touch& t, SoilPress* soil, std::span<PatchState> patches, double& room,
             ColumnRoom& columns) const override {
    const Body& body = bodies_[b];
    const PatchOwner& owner = owners_[b];
    const LinkMotion& link = t.motion.link[owner.link];
    const Terrain& terrain = *t.ground.terrain;
    const double slope_bound = t.ground.slope_bound;
    double above = seen_above(body, t, link.X_WL.R);
    if (!(above > 0) && slope_bound < kGentleBody)
      above = with_sampler(
          terrain, [&](const auto& sample) { return quarters_above(sample, body, link.X_WL, slope_bound); });
    if (!(above > 0)) above = height_above(terrain, link.X_WL, body.centre, body.half);
    const GridView* grid = soil ? nullptr : terrain.bilinear_view();
    if (above > 0) {
      // A point that moves by d is d (1 + slope bound) nearer to such ground, at most.
      room = std::min(above / (1 + slope_bound), kMostRoom);
      if (!grid || room > kFairRoom) return false;
    }
    const double finest = terrain.finest_feature(ground_under(link.X_WL, body.centre, body.half));
    if (std::isinf(slope_bound) && finest == 0 &&
        with_sampler(terrain, [&](const auto& sample) { return looks_clear(sample, body, link.X_WL); }))
      return false;
    std::fill(patches.begin(), patches.end(), PatchState{});
    if (soil) return press_soil(shapes_[b], owner.link, t, *soil, patches);
    const BodyMotion m{link.X_WL, link.V_WL_L.head<3>(), link.V_WL_L.tail<3>(),
                       t.step.dt, t.step.theta,          column_pitch(finest)};
    columns.move(t.ground, m.X, owner.reach, m.pitch);
    if (grid && !columns.enough(body.whole())) {
      room = std::max(room, body_room(*grid, body, m.X));
      if (room > kFairRoom) return false;
      columns.set_way(body.whole(), kUntilWhole);
    }
    const bool below = with_sampler(
        terrain, [&](const auto& sample) { return press_facets(sample, b, t, m, patches, columns); });
    // On a grid columns stay where they are on the body, so their clearance says how far it may move.
    if (!below && grid) room = std::max(room, std::min(columns.least_left(body.facets), kMostRoom));
    return below;
  }

  /// How far a body may move over a grid before it can touch; not above 0 where that may be at once.
  static double body_room(const GridView& grid, const Body& body, const Pose& X) {
    const double far = box_room(grid, body.centre, body.half, X, kMostRoom);
    return far > kNearRoom ? far : std::max(far, box_room(grid, body.centre, body.half, X, kNearRoom));
  }

  /// The columns of the facets that may touch. Whether any is below the ground.
  template <class Sampler>
  bool press_facets(const Sampler& sample, int b, const Touch& t, const BodyMotion& m,
                    std::span<PatchState> patches, ColumnRoom& columns) const {
    const Body& body = bodies_[b];
    const PatchOwner& owner = owners_[b];
    bool below = false;
    for (int i = 0; i < body.facets; ++i) {
      if (columns.enough(i)) continue;
      const Facet& f = facets_[body.first_facet + i];
      if (const FacetRoom clear =
              facet_room(*t.ground.terrain, sample, f, m.X, t.ground.slope_bound, owner.reach);
          clear.above) {
        columns.set_way(i, clear.way);
        continue;
      }
      FacetSum sum;
      double free = kMostRoom;  // way of the facet before a column can touch
      const int first = body.facets + f.first_four;
      const auto wanted = [&](int four) {
        if (!columns.enough(first + four)) return true;
        free = std::min(free, columns.left(first + four));
        return false;
      };
      each_row(f, m.pitch, wanted, [&](const ColumnRow& row, int four) {
        const V3<Lanes> p = column_place(m.X, row.p);
        const LanesPoint ground = sample(p.x, p.y);
        const double clear =
            least(select(row.active, p.z - ground.z, lanes(std::numeric_limits<double>::infinity())));
        columns.set(first + four, std::min(clear, kMostRoom));
        free = std::min(free, columns.left(first + four));
        if (!any(row.active & (ground.z > p.z))) return;
        sum.below = true;
        press_row(sample, owner.hull, f, m, {row, p, ground}, sum);
      });
      columns.set_way(i, free);
      if (!sum.below) continue;
      below = true;
      add_facet(sum, t.loads.link[owner.link], patches[f.patch]);
    }
    return below;
  }

  /// Whether a facet is above the ground that can touch it, and how far every point of it may then move.
  struct FacetRoom {
    bool above;
    double way;
  };
  template <class Sampler>
  static FacetRoom facet_room(const Terrain& terrain, const Sampler& sample, const Facet& f, const Pose& X,
                              double slope_bound, double reach) {
    // A normal that turns by an angle rises by no more than that.
    const double up = X.R.row(2).dot(f.normal);
    if (up > kFacingUpFar) return {true, std::min((kFacingUpFar - kFacingUp) * reach, kMostRoom)};
    if (const GridView* grid = terrain.bilinear_view()) {
      double room = face_room(*grid, f.face, f.normal, X, kFacetRoom);
      if (!(room > kFairRoom)) room = std::max(room, face_room(*grid, f.face, f.normal, X, kNearRoom));
      return {room > 0 || up > kFacingUp, std::max(room, 0.0)};
    }
    const double above = facet_above(terrain, sample, f, X, slope_bound);
    const double way = std::clamp(above, 0.0, kMostRoom) / std::sqrt(1 + slope_bound * slope_bound);
    return {above > 0 || up > kFacingUp, way};
  }

  /// How far a facet is above the ground that can touch it; not above 0 where it may.
  template <class Sampler>
  static double facet_above(const Terrain& terrain, const Sampler& sample, const Facet& f, const Pose& X,
                            double slope_bound) {
    const Vec3 half = 0.5 * (f.face.u.cwiseAbs() + f.face.v.cwiseAbs());
    const Vec3 centre = f.face.corner + 0.5 * (f.face.u + f.face.v);
    if (slope_bound < kGentleBody) {
      const Vec3 c = X * centre;
      const double low = (X.R.row(2).cwiseAbs() * half).value(), away = half.norm();
      const double above = c.z() - low - (sample(lanes(c.x()), lanes(c.y())).z[0] + slope_bound * away);
      if (above > 0) return above;
    }
    return height_above(terrain, X, centre, half);
  }

  void add_body(const ContactElement& e, const SeenPlaces& seen) {
    Body body;
    body.first_facet = static_cast<int>(facets_.size());
    for (const HullFace& face : e.faces) divide(face);
    for (const Vec3& p : e.points)
      facets_.push_back({{p, Vec3::Zero(), Vec3::Zero(), false}, Vec3::Zero(), 1, 0});
    body.facets = static_cast<int>(facets_.size()) - body.first_facet;
    Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
    int fours = 0;
    for (int i = 0; i < body.facets; ++i) {
      Facet& f = facets_[body.first_facet + i];
      f.first_four = fours;
      fours += Lattice(f, kFinestPitch).fours();
    }
    body.places = body.facets + fours + 1;
    for (int i = 0; i < body.facets; ++i)
      for (const Vec3& p : corners_of(facets_[body.first_facet + i].face))
        low = low.cwiseMin(p), high = high.cwiseMax(p);
    body.centre = 0.5 * (low + high), body.half = 0.5 * (high - low);
    add_owner({e.link, e.hull, static_cast<int>(patches_.size()), 0, body.centre.norm() + body.half.norm()});
    owners_.back().count = assign_patches(body, low, high);
    assign_views(body, e.link, seen);
    SoilShape shape;
    for (int i = 0; i < body.facets; ++i) {
      const Facet& f = facets_[body.first_facet + i];
      f.normal.isZero(0) ? shape.add_point(f.face.corner, f.patch) : shape.add(f.face, f.patch);
    }
    shape.close();
    shapes_.push_back(std::move(shape));
    bodies_.push_back(body);
  }

  /// A face, or parts of it no longer than kFaceSide.
  void divide(const HullFace& f) {
    const double longest = std::max({f.u.norm(), f.v.norm(), f.triangle ? (f.u - f.v).norm() : 0.0});
    const Vec3 normal = f.u.cross(f.v);
    const double area = normal.norm() * (f.triangle ? 0.5 : 1);
    if (!(area > 0)) return;
    const auto add = [&](const HullFace& part, double share) {
      facets_.push_back({part, normal.normalized(), area * share / (kColumnPitch * kColumnPitch), 0});
    };
    if (f.triangle) {
      if (longest <= 1.5 * kFaceSide) return add(f, 1);
      const Vec3 u = 0.5 * f.u, v = 0.5 * f.v;
      divide({f.corner, u, v, true});
      divide({f.corner + u, u, v, true});
      divide({f.corner + v, u, v, true});
      divide({f.corner + u + v, -u, -v, true});
      return;
    }
    const int nu = std::max(1, static_cast<int>(std::ceil(f.u.norm() / kFaceSide - 1e-9)));
    const int nv = std::max(1, static_cast<int>(std::ceil(f.v.norm() / kFaceSide - 1e-9)));
    const Vec3 u = f.u / nu, v = f.v / nv;
    for (int i = 0; i < nu; ++i)
      for (int j = 0; j < nv; ++j) add({f.corner + i * u + j * v, u, v, false}, 1.0 / (nu * nv));
  }

  /// Facets whose middles fall into the same part of the body's box share a patch; points have their own. How
  /// many.
  int assign_patches(const Body& body, const Vec3& low, const Vec3& high) {
    const int first = static_cast<int>(patches_.size());
    int of_bin[kBinsX * kBinsY * kBinsZ];
    std::fill(std::begin(of_bin), std::end(of_bin), -1);
    const int bins[3] = {kBinsX, kBinsY, kBinsZ};
    for (int i = 0; i < body.facets; ++i) {
      Facet& f = facets_[body.first_facet + i];
      const Vec3 middle = f.face.corner + (f.face.triangle ? 1.0 / 3 : 0.5) * (f.face.u + f.face.v);
      int own = -1, *place = &own;
      if (!f.normal.isZero(0)) {
        int bin = 0;
        for (int k = 0; k < 3; ++k) {
          const double size = std::max(high[k] - low[k], 1e-9);
          const int at = std::clamp(static_cast<int>(bins[k] * (middle[k] - low[k]) / size), 0, bins[k] - 1);
          bin = bin * bins[k] + at;
        }
        place = &of_bin[bin];
      }
      if (*place < 0) {
        *place = static_cast<int>(patches_.size()) - first;
        patches_.push_back(static_cast<int>(bodies_.size()));
      }
      f.patch = *place;
    }
    return static_cast<int>(patches_.size()) - first;
  }

  /// Each column belongs to the wheel of its link that is nearest to it; the box around a wheel's columns is
  /// its part of the body.
  void assign_views(Body& body, int link, const SeenPlaces& seen) {
    struct Part {
      Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity());
      Vec3 high = Vec3::Constant(-std::numeric_limits<double>::infinity());
    };
    std::vector<Part> parts(seen.wheels.size());
    for (int i = 0; i < body.facets; ++i)
      each_row(facets_[body.first_facet + i], kColumnPitch, [&](const ColumnRow& row) {
        for (int k = 0; k < kLanes; ++k) {
          const Vec3 p(row.p.x[k], row.p.y[k], row.p.z[k]);
          std::size_t nearest = seen.wheels.size();
          double least = std::numeric_limits<double>::infinity();
          for (std::size_t w = 0; w < seen.wheels.size(); ++w) {
            const double d = (seen.wheels[w].hub - p).norm();
            if (seen.wheels[w].link == link && d < least) least = d, nearest = w;
          }
          if (nearest == seen.wheels.size()) return;
          parts[nearest].low = parts[nearest].low.cwiseMin(p),
          parts[nearest].high = parts[nearest].high.cwiseMax(p);
        }
      });
    for (std::size_t w = 0; w < parts.size(); ++w) {
      if (!(parts[w].high.x() >= parts[w].low.x())) continue;
      std::size_t k = 0;
      while (k < body.views.size() && body.views[k].seen != seen.wheels[w].pack) ++k;
      if (k == body.views.size()) body.views.push_back({seen.wheels[w].pack});
      BodyView& view = body.views[k];
      // Between columns the body has more: half a pitch on every side, as far as it goes.
      const Vec3 more = Vec3::Constant(0.5 * kColumnPitch);
      const Vec3 low = (parts[w].low - more).cwiseMax(body.centre - body.half);
      const Vec3 high = (parts[w].high + more).cwiseMin(body.centre + body.half);
      set_box(view, seen.wheels[w].lane, 0.5 * (low + high), 0.5 * (high - low));
    }
    for (int k = 0; k < kLanes; ++k) {
      const Vec3 half(0.5 * body.half.x(), 0.5 * body.half.y(), body.half.z());
      const Vec3 side(k & 1 ? 1 : -1, k & 2 ? 1 : -1, 0);
      set_box(body.quarters, k, body.centre + side.cwiseProduct(half), half);
    }
  }

  static void set_box(BodyView& view, int lane, const Vec3& centre, const Vec3& half) {
    set_lane(view.centre, lane, centre);
    set_lane(view.half, lane, half);
    view.level[lane] = half.head<2>().norm();
    view.active[lane] = -1;
  }

  std::vector<Body> bodies_;
  std::vector<Facet> facets_;
};

}  // namespace

ContactKind columns_kind() {
  return {"columns", "the surface of a body, column by column, each with a spring and a damper", false,
          nullptr, [](std::span<const ContactElement> elements, SeenPlaces& seen) {
            return std::make_unique<HullColumns>(elements, seen);
          }};
}

}  // namespace scree
