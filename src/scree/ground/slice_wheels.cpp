/// Contact kind `slices`: suspended wheels that are massless in translation, four at a time (wheel.hpp).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "scree/ground/contact.hpp"
#include "scree/ground/wheel.hpp"

namespace scree {
namespace {

using namespace lane;

V3<Lanes> spread(const Vec3& v) { return {lanes(v.x()), lanes(v.y()), lanes(v.z())}; }
Vec3 at_lane(const V3<Lanes>& v, int k) { return {v.x[k], v.y[k], v.z[k]}; }

/// Four wheels side by side and where they belong. Lanes beyond pack.count repeat the first wheel.
struct PlacedPack {
  WheelPack pack;
  int element[kLanes] = {};
  int link[kLanes] = {};
  int rotor[kLanes] = {};
  int seen = 0;          ///< place in Touch::seen
  bool one_link = true;  ///< all lanes ride on link[0]
};

/// The values of a pack's rotors, wheel by wheel.
inline Lanes of_rotors(const PlacedPack& pack, const double* values) {
  const int* rotor = pack.rotor;
  return Lanes{values[rotor[0]], values[rotor[1]], values[rotor[2]], values[rotor[3]]};
}

WheelMotion wheel_motion(const PlacedPack& pack, const ContactMotion& motion) {
  const Lanes spin = of_rotors(pack, motion.spin.data());
  if (pack.one_link) {
    const LinkMotion& link = motion.link[pack.link[0]];
    const Mat3& R = link.X_WL.R;
    return {spread(link.X_WL.p),
            spread(R.col(0)),
            spread(R.col(1)),
            spread(R.col(2)),
            spread(link.V_WL_L.head<3>()),
            spread(link.V_WL_L.tail<3>()),
            spin};
  }
  WheelMotion m;
  m.spin = spin;
  for (int lane = 0; lane < kLanes; ++lane) {
    const LinkMotion& link = motion.link[pack.link[lane]];
    set_lane(m.p, lane, link.X_WL.p);
    set_lane(m.ex, lane, link.X_WL.R.col(0));
    set_lane(m.ey, lane, link.X_WL.R.col(1));
    set_lane(m.ez, lane, link.X_WL.R.col(2));
    set_lane(m.v, lane, link.V_WL_L.head<3>());
    set_lane(m.w, lane, link.V_WL_L.tail<3>());
  }
  return m;
}

/// Element k of a six-vector in lane form, for all wheels.
struct SixLanes {
  Lanes at[6];
};

/// Column j of the 6 x 6 matrix [E, -E [p]; [p] E, -[p] E [p]] of a contact at p: a force column and its
/// moment.
inline SixLanes with_moment(const V3<Lanes>& p, Lanes x, Lanes y, Lanes z) {
  return {{x, y, z, p.y * z - p.z * y, p.z * x - p.x * z, p.x * y - p.y * x}};
}

/// The six columns, then the wrench: what a pack of wheels puts on its links.
struct PackLoad {
  SixLanes column[6];
  SixLanes wrench;
};

inline void pack_load(const WheelPack& pack, const WheelForces& f, PackLoad& out) {
  const V3<Lanes>& p = f.point;
  const V3<Lanes>* E = f.E;
  const V3<Lanes> turned[3] = {cross(p, E[0]), cross(p, E[1]), cross(p, E[2])};  // rows of -E [p]
  out.column[0] = with_moment(p, E[0].x, E[1].x, E[2].x);
  out.column[1] = with_moment(p, E[0].y, E[1].y, E[2].y);
  out.column[2] = with_moment(p, E[0].z, E[1].z, E[2].z);
  out.column[3] = with_moment(p, turned[0].x, turned[1].x, turned[2].x);
  out.column[4] = with_moment(p, turned[0].y, turned[1].y, turned[2].y);
  out.column[5] = with_moment(p, turned[0].z, turned[1].z, turned[2].z);
  // Rolling resistance grows by `rolling_row` times the acceleration of the contact point.
  const V3<Lanes>&linear = f.rolling_row, angular = cross(p, f.rolling_row);
  const Lanes by[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
  for (int j = 0; j < 6; ++j) {
    out.column[j].at[3] += by[j] * pack.a.x;
    out.column[j].at[4] += by[j] * pack.a.y;
    out.column[j].at[5] += by[j] * pack.a.z;
  }
  out.wrench = with_moment(p, f.force.x, f.force.y, f.force.z);
  out.wrench.at[3] -= f.rolling * pack.a.x;
  out.wrench.at[4] -= f.rolling * pack.a.y;
  out.wrench.at[5] -= f.rolling * pack.a.z;
}

// The solve loads six-vectors as four and two: they are written the same way, so that what was just stored
// can be forwarded to the load.
using Pair = double __attribute__((vector_size(16)));
inline Pair low_half(Lanes x) { return Pair{x[0], x[1]}; }
inline Pair high_half(Lanes x) { return Pair{x[2], x[3]}; }
inline void store2(double* to, Pair x) { std::memcpy(to, &x, sizeof x); }
inline void add4(double* to, Lanes x) { store(to, load(to) + x); }
inline void add2(double* to, Pair x) {
  Pair sum;
  std::memcpy(&sum, to, sizeof sum);
  store2(to, sum + x);
}

/// Rims against walls: the same for a force without friction, at another point.
PackLoad wall_load(const WheelForces& f) {
  WheelForces wall{};
  wall.point = f.wall_point;
  wall.force = f.wall_force;
  for (int i = 0; i < 3; ++i) wall.E[i] = f.wall_E[i];
  PackLoad out;
  pack_load({}, wall, out);
  return out;
}

/// All wheels hang on one link: the sum of their loads.
inline void add_to_one_link(const PackLoad& pack, LinkLoad& load) {
  double* A = load.apparent.data();  // column by column
  const SixLanes* c = pack.column;
  for (int j = 0; j < 6; ++j) add4(A + 6 * j, sums(c[j].at[0], c[j].at[1], c[j].at[2], c[j].at[3]));
  for (int j = 0; j < 6; j += 2) {
    const Lanes tails = sums(c[j].at[4], c[j].at[5], c[j + 1].at[4], c[j + 1].at[5]);
    add2(A + 6 * j + 4, low_half(tails));
    add2(A + 6 * j + 10, high_half(tails));
  }
  const Lanes* w = pack.wrench.at;
  add4(load.wrench.data(), sums(w[0], w[1], w[2], w[3]));
  add2(load.wrench.data() + 4, low_half(sums(w[4], w[5], Lanes{}, Lanes{})));
}

void add_to_links(const PlacedPack& pack, const PackLoad& load, const ContactLoads& loads) {
  const auto add = [&](const SixLanes& six, int offset, bool wrench) {
    const LaneRows heads = transpose(six.at[0], six.at[1], six.at[2], six.at[3]);
    for (int lane = 0; lane < pack.pack.count; ++lane) {
      LinkLoad& link = loads.link[pack.link[lane]];
      double* to = wrench ? link.wrench.data() : link.apparent.data() + offset;
      add4(to, heads.row[lane]);
      add2(to + 4, Pair{six.at[4][lane], six.at[5][lane]});
    }
  };
  for (int j = 0; j < 6; ++j) add(load.column[j], 6 * j, false);
  add(load.wrench, 0, true);
}

inline void add_load(const PlacedPack& pack, const PackLoad& load, const ContactLoads& loads) {
  if (pack.one_link) {
    add_to_one_link(load, loads.link[pack.link[0]]);
  } else {
    add_to_links(pack, load, loads);
  }
}

void add_to_rotors(const PlacedPack& pack, const WheelForces& f, const ContactLoads& loads) {
  const V3<Lanes> column_turn = cross(f.point, f.column), row_turn = cross(f.point, f.row);
  const Lanes torque = -pack.pack.radius * f.fx - f.rolling;
  const LaneRows column = transpose(f.column.x, f.column.y, f.column.z, column_turn.x);
  const LaneRows row = transpose(f.row.x, f.row.y, f.row.z, row_turn.x);
  const LaneRows tails = transpose(column_turn.y, column_turn.z, row_turn.y, row_turn.z);
  for (int lane = 0; lane < pack.pack.count; ++lane) {
    RotorLoad& load = loads.rotor[pack.rotor[lane]];
    store(load.column.data(), column.row[lane]);
    store2(load.column.data() + 4, low_half(tails.row[lane]));
    store(load.row.data(), row.row[lane]);
    store2(load.row.data() + 4, high_half(tails.row[lane]));
    load.torque += torque[lane];
    load.apparent += f.diagonal[lane];
  }
}

WheelMemory load_memory(const double* m) {
  return {load(m), load(m + kLanes), load(m + 2 * kLanes), load(m + 3 * kLanes)};
}

WheelStep wheel_step(const StageStep& step) {
  return {step.dt, step.theta, step.theta_slip, step.load_passes};
}

WheelGround wheel_ground(const GroundView& ground) {
  return {ground.terrain,      ground.slices, ground.slope_bound, ground.feature, ground.friction,
          ground.friction_map, ground.planar, ground.slices_only, nullptr};
}

struct SliceScratch : ContactScratch {
  explicit SliceScratch(std::size_t packs) : forces(packs), memo(packs * kLanes) {}
  std::vector<WheelForces> forces;  ///< per pack
  std::vector<RimMemo> memo;        ///< per lane of each
};

class SliceWheels : public ContactGroup {
 public:
  SliceWheels(std::span<const ContactElement> elements, SeenPlaces& seen)
      : elements_(elements.begin(), elements.end()) {
    build_packs(seen);
  }

  int memory() const override { return static_cast<int>(packs_.size()) * kWheelMemory * kLanes; }
  int contacts() const override { return static_cast<int>(elements_.size()); }
  std::unique_ptr<ContactScratch> scratch() const override {
    return std::make_unique<SliceScratch>(packs_.size());
  }

  void touch(Touch& t, const double* memory, ContactScratch& scratch) const override {
    auto& [forces, memo] = static_cast<SliceScratch&>(scratch);
    WheelGround ground = wheel_ground(t.ground);
    const WheelStep step = wheel_step(t.step);
    Lanes touching{}, gap = lanes(1e300);
    for (std::size_t k = 0; k < packs_.size(); ++k) {
      const PlacedPack& pack = packs_[k];
      WheelForces& f = forces[k];
      ground.memo = memo.data() + k * kLanes;
      touch_wheels(pack.pack, wheel_motion(pack, t.motion), load_memory(memory + kWheelMemory * kLanes * k),
                   ground, step, f);
      PackLoad load;
      pack_load(pack.pack, f, load);
      add_load(pack, load, t.loads);
      if (any(f.walled)) add_load(pack, wall_load(f), t.loads);
      add_to_rotors(pack, f, t.loads);
      t.seen[pack.seen] = {f.point, f.seen};
      touching += select(f.touching, lanes(1.0), Lanes{});
      gap = min(gap, -f.h);  // idle lanes repeat the first wheel
    }
    t.report.touching += static_cast<int>(sum(touching));
    t.report.gap = min(t.report.gap, min(min(gap[0], gap[1]), min(gap[2], gap[3])));
  }

  void finish(const ContactMotion&, const StageStep& step, const ContactAnswer& answer,
              ContactScratch& scratch, double* memory) const override {
    const auto& forces = static_cast<SliceScratch&>(scratch).forces;
    for (std::size_t k = 0; k < packs_.size(); ++k) {
      const PlacedPack& pack = packs_[k];
      const Lanes spin = of_rotors(pack, answer.spin());
      V3<Lanes> linear, angular;
      if (pack.one_link) {
        const Vec6& u = answer.link(pack.link[0]);
        linear = {lanes(u[0]), lanes(u[1]), lanes(u[2])}, angular = {lanes(u[3]), lanes(u[4]), lanes(u[5])};
      } else {
        for (int lane = 0; lane < kLanes; ++lane) {
          const Vec6& u = answer.link(pack.link[lane]);
          set_lane(linear, lane, u.head<3>());
          set_lane(angular, lane, u.tail<3>());
        }
      }
      const V3<Lanes> point = linear + cross(angular, forces[k].point);
      double* m = memory + kWheelMemory * kLanes * k;
      WheelMemory after = load_memory(m);
      finish_wheels(pack.pack, forces[k], point, angular, spin, wheel_step(step), after);
      store(m, after.ux);
      store(m + kLanes, after.uy);
      store(m + 2 * kLanes, after.seating);
      store(m + 3 * kLanes, after.h);
    }
  }

  void rates(const ContactScratch& scratch, const double* memory, double* rates) const override {
    const auto& forces = static_cast<const SliceScratch&>(scratch).forces;
    for (std::size_t k = 0; k < packs_.size(); ++k) {
      const std::size_t at = kWheelMemory * kLanes * k;
      Lanes ux, uy;
      wheel_rates(packs_[k].pack, forces[k], load_memory(memory + at), ux, uy);
      store(rates + at, ux);
      store(rates + at + kLanes, uy);
      store(rates + at + 2 * kLanes, Lanes{});
      store(rates + at + 3 * kLanes, Lanes{});
    }
  }

  /// A wheel in the air has no slip deflection; the load under which its tyre is read follows the last stage.
  void settle(const ContactScratch& scratch, double* memory) const override {
    const auto& forces = static_cast<const SliceScratch&>(scratch).forces;
    for (std::size_t k = 0; k < packs_.size(); ++k) {
      const WheelForces& f = forces[k];
      double* m = memory + kWheelMemory * kLanes * k;
      store(m, select(f.touching, load(m), Lanes{}));
      store(m + kLanes, select(f.touching, load(m + kLanes), Lanes{}));
      store(m + 2 * kLanes, select(f.load > Lanes{}, f.seating, Lanes{}));
      store(m + 3 * kLanes, max(f.pressed, lanes(-1e-6)));
    }
  }

  void list(const GroundView& ground, const ContactMotion& motion, const ContactScratch& scratch,
            std::span<Contact> out) const override {
    const auto& forces = static_cast<const SliceScratch&>(scratch).forces;
    for (std::size_t p = 0; p < packs_.size(); ++p) {
      const WheelForces& f = forces[p];
      const Lanes standing = select(f.side_speed == Lanes{}, lanes(1), abs(f.hub_speed));
      const Angles angles{ground.planar ? Lanes{} : arc_tangent(f.tilt_sine / f.tilt_cosine),
                          arc_tangent(f.sine / f.cosine),  // the cosine is positive
                          arc_tangent(f.side_speed / standing)};
      for (int k = 0; k < packs_[p].pack.count; ++k)
        out[packs_[p].element[k]] = contact_of(ground, motion, packs_[p], f, angles, k);
    }
  }

 private:
  struct Angles {
    Lanes tilt, contact, slip;
  };

  Contact contact_of(const GroundView& ground, const ContactMotion& motion, const PlacedPack& pack,
                     const WheelForces& f, const Angles& angles, int k) const {
    const ContactElement& e = elements_[pack.element[k]];
    const Pose& X = motion.link[e.link].X_WL;
    Contact c;
    c.link = e.link;
    c.wheel = e.wheel;
    c.touching = f.touching[k] != 0;
    if (!c.touching) {
      c.p_W = X * Vec3(e.hub - e.radius * e.axes.col(2));
      return c;
    }
    c.p_W = X * at_lane(f.point, k);
    c.normal_W = X.R * at_lane(f.normal, k);
    c.force_W = X.R * at_lane(f.force, k);
    c.moment_W = -f.rolling[k] * (X.R * e.axes.col(1));
    c.load = f.load[k];
    c.fx = f.fx[k];
    c.fy = f.fy[k];
    c.depth = c.travel = f.h[k];
    c.tilt = angles.tilt[k];
    c.angle = angles.contact[k];
    c.slip = logged_slip(f.rim_speed[k], f.hub_speed[k]);
    c.slip_angle = angles.slip[k];
    const double local = ground.friction_map ? ground.friction_map->at(c.p_W.x(), c.p_W.y()) : 1.0;
    c.peak = ground.friction * local * pack.pack.tyre->peak_force(c.load);
    return c;
  }

  V3<Lanes> gather(const PlacedPack& pack, const auto& vector_of) const {
    V3<Lanes> out{};
    for (int lane = 0; lane < kLanes; ++lane) set_lane(out, lane, vector_of(elements_[pack.element[lane]]));
    return out;
  }

  /// Up to four wheels that share a tyre make a pack.
  void build_packs(SeenPlaces& seen) {
    std::vector<char> placed(elements_.size(), 0);
    for (std::size_t first = 0; first < elements_.size(); ++first) {
      if (placed[first]) continue;
      PlacedPack out{};
      const TyreSettings& tyre = elements_[first].tyre;
      out.seen = seen.packs++;
      for (std::size_t i = first; i < elements_.size() && out.pack.count < kLanes; ++i) {
        const ContactElement& e = elements_[i];
        if (placed[i] || !(e.tyre == tyre)) continue;
        placed[i] = 1;
        seen.wheels.push_back({e.link, out.seen, out.pack.count, e.hub});
        out.element[out.pack.count++] = static_cast<int>(i);
      }
      fill(out);
      tyres_.push_back(std::make_unique<Tyre>(tyre));
      out.pack.tyre = tyres_.back().get();
      packs_.push_back(out);
    }
  }

  void fill(PlacedPack& out) const {
    for (int lane = 0; lane < out.pack.count; ++lane) out.pack.active[lane] = -1;
    for (int lane = out.pack.count; lane < kLanes; ++lane) out.element[lane] = out.element[0];
    for (int lane = 0; lane < kLanes; ++lane) {
      const ContactElement& e = elements_[out.element[lane]];
      out.link[lane] = e.link;
      out.rotor[lane] = e.rotor;
      out.one_link = out.one_link && e.link == out.link[0];
      const SuspensionSettings& s = e.suspension;
      out.pack.radius[lane] = e.radius;
      out.pack.suspension.stiffness[lane] = s.stiffness;
      out.pack.suspension.damping[lane] = s.damping;
      out.pack.suspension.travel[lane] = s.travel;
      out.pack.suspension.extra[lane] = s.stiffening - 1;
      out.pack.suspension.blend_length[lane] = s.blend * s.travel;
    }
    out.pack.hub = gather(out, [](const ContactElement& e) { return e.hub; });
    out.pack.n = gather(out, [](const ContactElement& e) -> Vec3 { return e.axes.col(0); });
    out.pack.a = gather(out, [](const ContactElement& e) -> Vec3 { return e.axes.col(1); });
    out.pack.b = gather(out, [](const ContactElement& e) -> Vec3 { return e.axes.col(2); });
  }

  std::vector<ContactElement> elements_;
  std::vector<std::unique_ptr<Tyre>> tyres_;
  std::vector<PlacedPack> packs_;
};

}  // namespace

ContactKind slices_kind() {
  return {"slices",
          "suspended wheel, massless in translation, one contact on its rim (Morrot 2011)",
          true,
          nullptr,
          [](std::span<const ContactElement> elements, SeenPlaces& seen) {
            return std::make_unique<SliceWheels>(elements, seen);
          },
          true};
}

}  // namespace scree
