/// Contact kind `points`: points of a body that push back (hull.hpp).
#include <algorithm>
#include <limits>

#include "scree/ground/contact.hpp"
#include "scree/terrain/sample_lanes.hpp"

namespace scree {
namespace {

using namespace lane;

struct BodyPoint {
  int element = 0, link = 0;
  Vec3 p = Vec3::Zero();  ///< link axes [m]
};

/// Four points of one link side by side, each in the lane of the wheel that is nearest to it on that link; a
/// lane without a point repeats one that has.
struct PointPack {
  int link = 0;
  int seen = -1;  ///< that wheel's place in Touch::seen; none: no wheel hangs on this link
  Mask active{};  ///< lanes with a point of their own
  V3<Lanes> p;
};

struct PointScratch : ContactScratch {
  explicit PointScratch(std::size_t points) : force(points), motion(points) {}
  bool near = false;  ///< some point is below the ground; else nothing below was computed
  std::vector<HullForce> force;
  std::vector<HullPointMotion> motion;
};

/// Whether points may be below the ground, as seen from the wheels beside them: the ground at a point d
/// away from a contact is no higher than that contact plus slope bound x distance. Squared, with the height
/// d_z above the contact and slope bound S: clear where d_z > 0 and d_z² (1 + S²) > S² d².
inline bool may_touch(const PointPack& pack, const SeenGround& ground, const Mat3& R, double slope_bound) {
  constexpr double kMargin = 1e-3;  // m: contacts are found to better than this
  const V3<Lanes> d = pack.p - ground.point;
  const Lanes up = R(2, 0) * d.x + R(2, 1) * d.y + R(2, 2) * d.z - kMargin;
  const double squared = slope_bound * slope_bound;
  const Mask clear = ground.seen & (up > Lanes{}) & (up * up * (1 + squared) > squared * dot(d, d));
  return !all(clear | ~pack.active);
}

class BodyPoints : public ContactGroup {
 public:
  BodyPoints(std::span<const ContactElement> elements, const SeenPlaces& seen)
      : elements_(elements.begin(), elements.end()) {
    for (std::size_t i = 0; i < elements_.size(); ++i)
      for (const Vec3& p : elements_[i].points)
        points_.push_back({static_cast<int>(i), elements_[i].link, p});
    for (std::size_t i = 0; i < points_.size(); ++i) add_to_pack(static_cast<int>(i), seen);
  }

  int memory() const override { return 3 * static_cast<int>(points_.size()); }
  int contacts() const override { return static_cast<int>(points_.size()); }
  std::unique_ptr<ContactScratch> scratch() const override {
    return std::make_unique<PointScratch>(points_.size());
  }

  void touch(Touch& t, const double* memory, ContactScratch& scratch) const override {
    auto& s = static_cast<PointScratch&>(scratch);
    s.near = any_below(t);
    if (!s.near) return;
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const BodyPoint& point = points_[i];
      const LinkMotion& link = t.motion.link[point.link];
      const Vec3 v_L = link.V_WL_L.head<3>(), w_L = link.V_WL_L.tail<3>();
      s.motion[i] = {link.X_WL * point.p, link.X_WL.R * (v_L + w_L.cross(point.p))};
      const Vec3 e = Eigen::Map<const Vec3>(memory + 3 * i);
      s.force[i] = touch_hull(hull(point), *t.ground.terrain, s.motion[i], e, t.step.dt, t.step.theta);
      if (!s.force[i].touching) continue;
      t.report.body = true;
      add(s.force[i], point, link.X_WL.R, t.loads.link[point.link]);
    }
  }

  void finish(const ContactMotion& motion, const StageStep& step, const ContactAnswer& answer,
              ContactScratch& scratch, double* memory) const override {
    auto& s = static_cast<PointScratch&>(scratch);
    if (!s.near) {
      std::fill_n(memory, 3 * points_.size(), 0.0);
      return;
    }
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const BodyPoint& point = points_[i];
      const Vec6& u = answer.link(point.link);
      const Vec3 a_L = u.head<3>() + Vec3(u.tail<3>()).cross(point.p);
      const Vec3 v_new = s.motion[i].v_W + step.dt * (motion.link[point.link].X_WL.R * a_L);
      Eigen::Map<Vec3> e(memory + 3 * i);
      e = finish_hull(hull(point), s.force[i], s.motion[i], v_new, e, step.dt);
    }
  }

  void rates(const ContactScratch& scratch, const double* memory, double* rates) const override {
    const auto& s = static_cast<const PointScratch&>(scratch);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Vec3 e = Eigen::Map<const Vec3>(memory + 3 * i);
      const HullForce f = s.near ? s.force[i] : HullForce{};
      Eigen::Map<Vec3>(rates + 3 * i) = hull_rate(hull(points_[i]), f, s.motion[i], e);
    }
  }

  void settle(const ContactScratch&, double*) const override {}

  void list(const GroundView&, const ContactMotion& motion, const ContactScratch& scratch,
            std::span<Contact> out) const override {
    const auto& s = static_cast<const PointScratch&>(scratch);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      Contact& c = out[i] = Contact{};
      c.link = points_[i].link;
      c.p_W = motion.link[c.link].X_WL * points_[i].p;
      if (!s.near || !s.force[i].touching) continue;
      const HullForce& f = s.force[i];
      c.touching = true;
      c.normal_W = f.normal;
      c.force_W = f.force;
      c.load = f.force.dot(f.normal);
      c.depth = f.depth;
      c.peak = f.limit;
    }
  }

 private:
  const HullSettings& hull(const BodyPoint& point) const { return elements_[point.element].hull; }

  /// All points at once, before anything is computed for one.
  bool any_below(const Touch& t) const {
    for (const PointPack& pack : packs_) {
      const Pose& X = t.motion.link[pack.link].X_WL;
      if (pack.seen >= 0 && !may_touch(pack, t.seen[pack.seen], X.R, t.ground.slope_bound)) continue;
      const auto row = [&](int i) {
        return X.p[i] + X.R(i, 0) * pack.p.x + X.R(i, 1) * pack.p.y + X.R(i, 2) * pack.p.z;
      };
      const LanesPoint ground =
          with_sampler(*t.ground.terrain, [&](const auto& sample) { return sample(row(0), row(1)); });
      if (any(row(2) < ground.z)) return true;
    }
    return false;
  }

  static void add(const HullForce& f, const BodyPoint& point, const Mat3& R, LinkLoad& load) {
    const Vec3 force = R.transpose() * f.force;
    const Mat3 E = R.transpose() * f.E * R, P = skew(point.p);
    load.wrench.head<3>() += force;
    load.wrench.tail<3>() += point.p.cross(force);
    load.apparent.topLeftCorner<3, 3>() += E;
    load.apparent.topRightCorner<3, 3>() -= E * P;
    load.apparent.bottomLeftCorner<3, 3>() += P * E;
    load.apparent.bottomRightCorner<3, 3>() -= P * E * P;
  }

  void add_to_pack(int index, const SeenPlaces& seen) {
    const BodyPoint& point = points_[index];
    int place = -1, lane = index % kLanes;
    double nearest = std::numeric_limits<double>::infinity();
    for (const SeenPlaces::Place& wheel : seen.wheels) {
      const double distance = (wheel.hub - point.p).norm();
      if (wheel.link != point.link || !(distance < nearest)) continue;
      nearest = distance, place = wheel.pack, lane = wheel.lane;
    }
    std::size_t k = 0;
    while (k < packs_.size() &&
           (packs_[k].link != point.link || packs_[k].seen != place || packs_[k].active[lane]))
      ++k;
    if (k == packs_.size()) {
      packs_.push_back({point.link, place, Mask{}, {}});
      for (int other = 0; other < kLanes; ++other) set_lane(packs_[k].p, other, point.p);
    }
    set_lane(packs_[k].p, lane, point.p);
    packs_[k].active[lane] = -1;
  }

  std::vector<ContactElement> elements_;
  std::vector<BodyPoint> points_;
  std::vector<PointPack> packs_;
};

}  // namespace

ContactKind points_kind() {
  return {"points", "points of a body, each with a spring, a damper and a bristle", false, nullptr,
          [](std::span<const ContactElement> elements, SeenPlaces& seen) {
            return std::make_unique<BodyPoints>(elements, seen);
          }};
}

}  // namespace scree
