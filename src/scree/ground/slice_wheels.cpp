/// Contact kind `slices`: suspended wheels that are massless in translation, four at a time (wheel.hpp).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "scree/core/flat.hpp"
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

[[gnu::always_inline]] inline WheelMotion wheel_motion(const PlacedPack& pack, const ContactMotion& motion) {
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

/// Adds a moment about the axles.
inline void add_axle_moment(const WheelPack& pack, Lanes moment, SixLanes& six) {
  if (pack.square) {
    six.at[4] += moment;
    return;
  }
  six.at[3] += moment * pack.a.x;
  six.at[4] += moment * pack.a.y;
  six.at[5] += moment * pack.a.z;
}

/// Column j of what a pack of wheels adds to the matrix of its links.
class PackColumns {
 public:
  PackColumns(const WheelPack& pack, const WheelForces& f)
      : pack_(pack),
        f_(f),
        turned_{cross(f.point, f.E[0]), cross(f.point, f.E[1]), cross(f.point, f.E[2])},
        turned_rolling_(cross(f.point, f.rolling_row)) {}

  template <int j>
  [[gnu::always_inline]] SixLanes column() const {
    const V3<Lanes>* E = j < 3 ? f_.E : turned_;  // the right half's rows are those of -E [p]
    constexpr Lanes V3<Lanes>::*part = j % 3 == 0   ? &V3<Lanes>::x
                                       : j % 3 == 1 ? &V3<Lanes>::y
                                                    : &V3<Lanes>::z;
    SixLanes six = with_moment(f_.point, E[0].*part, E[1].*part, E[2].*part);
    // Rolling resistance grows by `rolling_row` times the acceleration of the contact point.
    const Lanes rolling = (j < 3 ? f_.rolling_row : turned_rolling_).*part;
    add_axle_moment(pack_, rolling, six);
    // And it follows the turning of the link, as it does the spin.
    if constexpr (j >= 3) {
      if (!pack_.square) add_axle_moment(pack_, f_.rolling_gain * pack_.a.*part, six);
      if (j == 4 && pack_.square) six.at[4] += f_.rolling_gain;
    }
    return six;
  }

 private:
  const WheelPack& pack_;
  const WheelForces& f_;
  V3<Lanes> turned_[3], turned_rolling_;
};

inline SixLanes pack_wrench(const WheelPack& pack, const WheelForces& f) {
  SixLanes six = with_moment(f.point, f.force.x, f.force.y, f.force.z);
  add_axle_moment(pack, -f.rolling, six);
  return six;
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

/// All wheels hang on one link: the sum of their loads.
struct OneLink {
  LinkLoad& load;
  template <int j>
  [[gnu::always_inline]] void add_columns(const PackColumns& columns) const {
    double* to = load.apparent.data() + 6 * j;  // column by column
    const SixLanes a = columns.column<j>();
    add4(to, sums(a.at[0], a.at[1], a.at[2], a.at[3]));
    const SixLanes b = columns.column<j + 1>();
    add4(to + 6, sums(b.at[0], b.at[1], b.at[2], b.at[3]));
    const Lanes tails = sums(a.at[4], a.at[5], b.at[4], b.at[5]);
    add2(to + 4, low_half(tails));
    add2(to + 10, high_half(tails));
  }
  void add_wrench(const SixLanes& w) const {
    add4(load.wrench.data(), sums(w.at[0], w.at[1], w.at[2], w.at[3]));
    add2(load.wrench.data() + 4, low_half(sums(w.at[4], w.at[5], Lanes{}, Lanes{})));
  }
};

/// Every wheel on a link of its own.
struct ManyLinks {
  const PlacedPack& pack;
  const ContactLoads& loads;
  template <int j>
  void add_columns(const PackColumns& columns) const {
    add(columns.column<j>(), [](LinkLoad& load) { return load.apparent.data() + 6 * j; });
    add(columns.column<j + 1>(), [](LinkLoad& load) { return load.apparent.data() + 6 * j + 6; });
  }
  void add_wrench(const SixLanes& w) const {
    add(w, [](LinkLoad& load) { return load.wrench.data(); });
  }

 private:
  template <class Place>
  void add(const SixLanes& six, const Place& place) const {
    const LaneRows heads = transpose(six.at[0], six.at[1], six.at[2], six.at[3]);
    for (int lane = 0; lane < pack.pack.count; ++lane) {
      double* to = place(loads.link[pack.link[lane]]);
      add4(to, heads.row[lane]);
      add2(to + 4, Pair{six.at[4][lane], six.at[5][lane]});
    }
  }
};

/// Matrix (where the step is implicit) and wrench.
template <class To>
[[gnu::always_inline]] inline void add_load(const WheelPack& pack, const WheelForces& f, bool implicit,
                                            const To& to) {
  if (implicit) {
    const PackColumns columns(pack, f);
    to.template add_columns<0>(columns);
    to.template add_columns<2>(columns);
    to.template add_columns<4>(columns);
  }
  to.add_wrench(pack_wrench(pack, f));
}

[[gnu::always_inline]] inline void add_load(const PlacedPack& pack, const WheelForces& f, bool implicit,
                                            const ContactLoads& loads) {
  if (pack.one_link) {
    add_load(pack.pack, f, implicit, OneLink{loads.link[pack.link[0]]});
  } else {
    add_load(pack.pack, f, implicit, ManyLinks{pack, loads});
  }
}

/// Rims against walls: the same for a force without friction, at another point. Seldom.
[[gnu::noinline, gnu::cold]] void add_walls(const PlacedPack& pack, const WheelForces& f, bool implicit,
                                            const ContactLoads& loads) {
  WheelForces wall{};
  wall.point = f.wall_point;
  wall.force = f.wall_force;
  for (int i = 0; i < 3; ++i) wall.E[i] = f.wall_E[i];
  add_load(pack, wall, implicit, loads);
}

/// Couples of wheels on ground that runs along their suspension: seldom.
[[gnu::noinline, gnu::cold]] void add_couples(const PlacedPack& pack, const WheelForces& f,
                                              const ContactLoads& loads) {
  for (int lane = 0; lane < pack.pack.count; ++lane)
    if (f.steep[lane]) loads.link[pack.link[lane]].wrench.tail<3>() += at_lane(f.couple, lane);
}

/// About the axles, on the wheels alone.
inline Lanes wheel_torques(const WheelPack& pack, const WheelForces& f) {
  return -pack.radius * f.fx - f.rolling;
}

/// What the wheels of a pack give their rotors, and answer to accelerations.
struct RotorAnswers {
  RotorAnswers(const WheelPack& pack, const WheelForces& f)
      : torque(wheel_torques(pack, f)), diagonal(f.diagonal) {
    V3<Lanes> column_turn = cross(f.point, f.column), row_turn = cross(f.point, f.row);
    if (pack.square) {
      column_turn.y += f.rolling_gain, row_turn.y += f.rolling_gain;
    } else {
      column_turn = column_turn + f.rolling_gain * pack.a, row_turn = row_turn + f.rolling_gain * pack.a;
    }
    column = transpose(f.column.x, f.column.y, f.column.z, column_turn.x);
    row = transpose(f.row.x, f.row.y, f.row.z, row_turn.x);
    tails = transpose(column_turn.y, column_turn.z, row_turn.y, row_turn.z);
  }
  void add(int lane, RotorLoad& load) const {
    store(load.column.data(), column.row[lane]);
    store2(load.column.data() + 4, low_half(tails.row[lane]));
    store(load.row.data(), row.row[lane]);
    store2(load.row.data() + 4, high_half(tails.row[lane]));
    load.torque += torque[lane];
    load.apparent += diagonal[lane];
  }
  LaneRows column, row, tails;
  Lanes torque, diagonal;
};

void add_to_rotors(const PlacedPack& pack, const WheelForces& f, const ContactLoads& loads) {
  const RotorAnswers answers(pack.pack, f);
  if (pack.pack.count == kLanes) {
    // A whole pack, the usual case, from registers.
#pragma GCC unroll 4
    for (int lane = 0; lane < kLanes; ++lane) answers.add(lane, loads.rotor[pack.rotor[lane]]);
  } else {
    const RotorAnswers kept = answers;
    for (int lane = 0; lane < pack.pack.count; ++lane) kept.add(lane, loads.rotor[pack.rotor[lane]]);
  }
}

/// Without answers: the torques of an instant.
void add_torques(const PlacedPack& pack, const WheelForces& f, const ContactLoads& loads) {
  const Lanes torque = wheel_torques(pack.pack, f);
  for (int lane = 0; lane < pack.pack.count; ++lane) loads.rotor[pack.rotor[lane]].torque += torque[lane];
}

WheelMemory load_memory(const double* m) {
  const auto row = [m](int i) { return load(m + i * kLanes); };
  return {row(0), row(1), row(2), row(3), row(4), row(5), row(6), row(7)};
}

WheelStep wheel_step(const StageStep& step) {
  return {step.dt, step.theta, step.theta_slip, step.load_passes};
}

WheelGround wheel_ground(const GroundView& ground) {
  return {{ground.terrain, ground.slices, ground.slope_bound, ground.feature, ground.slices_only, nullptr,
           nullptr, nullptr},
          ground.friction,
          ground.friction_map,
          ground.planar};
}

struct SliceScratch : ContactScratch {
  explicit SliceScratch(std::size_t packs)
      : forces(packs), memo(packs * kLanes), slopes(packs), places(packs) {}
  std::vector<WheelForces> forces;  ///< per pack
  std::vector<RimMemo> memo;        ///< per lane of each
  std::vector<NearSlopes> slopes;   ///< per pack
  std::vector<NearPlaces> places;   ///< per pack
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

  /// Flat: motion and forces of the wheels need not go through memory.
  SCREE_FLAT void touch(Touch& t, const double* memory, ContactScratch& scratch) const override {
    auto& [forces, memo, slopes, places] = static_cast<SliceScratch&>(scratch);
    WheelGround ground = wheel_ground(t.ground);
    const WheelStep step = wheel_step(t.step);
    Lanes touching{}, gap = lanes(1e300);
    for (std::size_t k = 0; k < packs_.size(); ++k) {
      const PlacedPack& pack = packs_[k];
      WheelForces& f = forces[k];
      ground.memo = memo.data() + k * kLanes;
      ground.slopes = &slopes[k];
      ground.places = &places[k];
      touch_wheels(pack.pack, wheel_motion(pack, t.motion), load_memory(memory + kWheelMemory * kLanes * k),
                   ground, step, f);
      const bool implicit = step.dt > 0;
      add_load(pack, f, implicit, t.loads);
      if (any(f.walled)) add_walls(pack, f, implicit, t.loads);
      if (any(f.steep)) add_couples(pack, f, t.loads);
      implicit ? add_to_rotors(pack, f, t.loads) : add_torques(pack, f, t.loads);
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
      store(m + 4 * kLanes, after.way);
      store(m + 5 * kLanes, after.spare);
      store(m + 6 * kLanes, after.wall);
      store(m + 7 * kLanes, after.bearing);
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
      for (int i = 3; i < kWheelMemory; ++i) store(rates + at + i * kLanes, Lanes{});
    }
  }

  /// A wheel without load has no slip deflection; the load under which its tyre is read follows the last
  /// stage.
  void settle(const ContactScratch& scratch, double* memory) const override {
    const auto& forces = static_cast<const SliceScratch&>(scratch).forces;
    for (std::size_t k = 0; k < packs_.size(); ++k) {
      const WheelForces& f = forces[k];
      double* m = memory + kWheelMemory * kLanes * k;
      const Mask bears = f.touching & (f.bearing > Lanes{});
      store(m, select(bears, f.worn * load(m), Lanes{}));
      store(m + kLanes, select(bears, f.worn * load(m + kLanes), Lanes{}));
      store(m + 2 * kLanes, select(f.load > Lanes{}, f.seating, Lanes{}));
      store(m + 3 * kLanes, max(f.pressed, lanes(-1e-6)));
      store(m + 6 * kLanes, f.wall);
      store(m + 7 * kLanes, bearing_after(load(m + 7 * kLanes), f.bearing));
    }
  }

  void list(const GroundView& ground, const ContactMotion& motion, const ContactScratch& scratch,
            std::span<Contact> out) const override {
    const auto& forces = static_cast<const SliceScratch&>(scratch).forces;
    for (std::size_t p = 0; p < packs_.size(); ++p) {
      const Listed seen = listed(ground, wheel_motion(packs_[p], motion), packs_[p].pack, forces[p]);
      for (int k = 0; k < packs_[p].pack.count; ++k)
        list_one(ground, motion, packs_[p], forces[p], seen, k, out[packs_[p].element[k]]);
    }
  }

  void list_wheels(const GroundView&, const ContactMotion&, const ContactScratch& scratch,
                   std::span<Contact> out) const override {
    const auto& forces = static_cast<const SliceScratch&>(scratch).forces;
    for (std::size_t p = 0; p < packs_.size(); ++p) {
      const WheelForces& f = forces[p];
      const auto held = [&](Lanes x) { return select(f.touching, x, Lanes{}); };
      const Lanes load = held(f.load), fx = held(f.fx), fy = held(f.fy), travel = held(f.h),
                  angle = held(rim_angle(f));
      for (int k = 0; k < packs_[p].pack.count; ++k) {
        Contact& c = out[packs_[p].element[k]];
        c.touching = f.touching[k] != 0;
        c.load = load[k], c.fx = fx[k], c.fy = fy[k];
        c.travel = travel[k], c.angle = angle[k];
      }
    }
  }

 private:
  /// What the list has of four wheels that is not among their forces.
  struct Listed {
    V3<Lanes> p_W, normal_W, force_W, moment_W;
    Lanes tilt, angle, slip, slip_angle;
  };

  /// Of the contact, ahead of the hub positive [rad]; its cosine is positive.
  static Lanes rim_angle(const WheelForces& f) { return arc_tangent(f.sine / f.cosine); }

  static Listed listed(const GroundView& ground, const WheelMotion& m, const WheelPack& pack,
                       const WheelForces& f) {
    const auto turned = [&](const V3<Lanes>& v) { return v.x * m.ex + v.y * m.ey + v.z * m.ez; };
    const Lanes standing = select(f.side_speed == Lanes{}, lanes(1), abs(f.hub_speed));
    return {turned(f.point) + m.p,
            turned(f.normal),
            turned(f.force),
            -f.rolling * turned(pack.a),
            ground.planar ? Lanes{} : arc_tangent(f.tilt_sine / f.tilt_cosine),
            rim_angle(f),
            logged_slip(f.rim_speed, f.hub_speed),
            arc_tangent(f.side_speed / standing)};
  }

  void list_one(const GroundView& ground, const ContactMotion& motion, const PlacedPack& pack,
                const WheelForces& f, const Listed& seen, int k, Contact& c) const {
    const ContactElement& e = elements_[pack.element[k]];
    if (!f.touching[k]) c = Contact{};
    c.link = e.link;
    c.wheel = e.wheel;
    c.touching = f.touching[k] != 0;
    if (!c.touching) {
      c.p_W = motion.link[e.link].X_WL * Vec3(e.hub - e.radius * e.axes.col(2));
      return;
    }
    c.p_W = at_lane(seen.p_W, k);
    c.normal_W = at_lane(seen.normal_W, k);
    c.force_W = at_lane(seen.force_W, k);
    c.moment_W = at_lane(seen.moment_W, k);
    c.load = f.load[k];
    c.fx = f.fx[k];
    c.fy = f.fy[k];
    c.depth = c.travel = f.h[k];
    c.tilt = seen.tilt[k];
    c.angle = seen.angle[k];
    c.slip = seen.slip[k];
    c.slip_angle = seen.slip_angle[k];
    const double local = ground.friction_map ? ground.friction_map->at(c.p_W.x(), c.p_W.y()) : 1.0;
    c.peak = ground.friction * local * pack.pack.tyre->peak_force(c.load);
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
      out.pack.spin_inertia[lane] = e.spin_inertia;
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
    out.pack.square = std::all_of(std::begin(out.element), std::end(out.element),
                                  [&](int i) { return elements_[i].axes == Mat3::Identity(); });
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
