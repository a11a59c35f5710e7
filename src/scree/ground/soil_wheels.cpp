/// Contact kind `soil`: wheels on soft, rough ground, one after the other (soil_touch.hpp).
#include <algorithm>
#include <cmath>
#include <optional>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/ground/contact.hpp"
#include "scree/ground/soil_touch.hpp"
#include "scree/ground/wheel.hpp"

namespace scree {
namespace {

struct SoilWheelSettings : ContactSettings {
  std::string model = "stress_integral";
  std::string mount = "suspension";
  double lug_height = 0;         ///< m
  double lug_share = 1;          ///< shear radius = radius + lug_share x lug_height [-]
  double mean_load = 0;          ///< of the closed form's corrections [N]; 0: none
  double relaxation_length = 0;  ///< m; 0: half the radius
  double damping_time = 0.05;    ///< s
};

std::shared_ptr<const ContactSettings> read_soil_settings(Section& s, const ContactSettings* shared) {
  auto x = shared ? std::make_shared<SoilWheelSettings>(static_cast<const SoilWheelSettings&>(*shared))
                  : std::make_shared<SoilWheelSettings>();
  s.choice("model", x->model, {"stress_integral", "closed_form"},
           {.doc = "soil: law of the forces (docs/soil.md)"});
  s.choice("mount", x->mount, {"suspension", "rigid"},
           {.doc = "soil: on the wheel's suspension, or fixed to its link"});
  s.number("lug_height", x->lug_height,
           {.unit = "m", .doc = "soil: height of the lugs", .range = between(0, 1)});
  s.number(
      "lug_share", x->lug_share,
      {.unit = "-", .doc = "soil: shear radius = radius + lug_share x lug_height", .range = between(0, 1)});
  s.number("mean_load", x->mean_load,
           {.unit = "N",
            .doc = "soil: of the robot's wheels, for the closed form's corrections; 0: none",
            .range = not_negative()});
  s.number("slip_length", x->relaxation_length,
           {.unit = "m",
            .doc = "soil: travel over which slip builds up; 0: half the radius",
            .range = between(0, 10)});
  s.number("slip_damping", x->damping_time,
           {.unit = "s", .doc = "soil: damping of slip at rest", .range = between(0, 1)});
  return x;
}

/// A wheel and where it belongs.
struct PlacedSoilWheel {
  SoilMount mount;
  double mean_load = 0;
};

/// The law of the soil under a wheel, kept while it stays the same.
struct KeptLaw {
  const Soil* soil = nullptr;
  double gravity = 0;
  std::optional<ClosedForm> law;
};

struct SoilScratch : ContactScratch {
  explicit SoilScratch(std::size_t wheels) : touch(wheels), law(wheels) {}
  std::vector<SoilTouch> touch;
  std::vector<KeptLaw> law;
};

SoilMemory soil_memory(const double* m) { return {m[0], m[1], m[2], m[3], m[4], m[5], m[6]}; }
void store_memory(const SoilMemory& x, double* m) {
  const double values[kSoilMemory] = {x.ux, x.uy, x.turn, x.travel, x.rate, x.rut, x.sinkage};
  std::copy(values, values + kSoilMemory, m);
}

SoilStep soil_step(const StageStep& step) { return {step.dt, step.theta, step.theta_slip}; }

class SoilWheels : public ContactGroup {
 public:
  SoilWheels(std::span<const ContactElement> elements, SeenPlaces& seen)
      : elements_(elements.begin(), elements.end()), first_seen_(seen.packs) {
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      const ContactElement& e = elements_[i];
      wheels_.push_back(placed(e));
      seen.wheels.push_back({e.link, seen_pack(i), static_cast<int>(i % kLanes), e.hub});
    }
    if (!elements_.empty()) seen.packs = seen_pack(elements_.size() - 1) + 1;
  }

  int memory() const override { return kSoilMemory * static_cast<int>(wheels_.size()); }
  int contacts() const override { return static_cast<int>(wheels_.size()); }
  std::unique_ptr<ContactScratch> scratch() const override {
    return std::make_unique<SoilScratch>(wheels_.size());
  }

  void touch(Touch& t, const double* memory, ContactScratch& scratch) const override {
    auto& s = static_cast<SoilScratch&>(scratch);
    if (t.ground.soils == nullptr) run_error("wheel '{}': the world has no soil", elements_[0].name);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const ContactElement& e = elements_[i];
      const LinkMotion& link = t.motion.link[e.link];
      const SoilMemory m = soil_memory(memory + kSoilMemory * i);
      SoilTouch& f = s.touch[i];
      const Vec3 hub = link.X_WL * e.hub;
      touch_soil(wheels_[i].mount, link, t.motion.spin[e.rotor], m, *t.ground.terrain,
                 law_at(t.ground, wheels_[i], hub, s.law[i]), soil_step(t.step), f);
      add(f, e, t.loads);
      tell_seen(i, link.X_WL.inverse() * f.patch.plane.point, t.seen);
      t.report.touching += f.touching ? 1 : 0;
      t.report.buried += f.buried ? 1 : 0;
      t.report.gap = std::min(t.report.gap, f.gap);
    }
  }

  void finish(const ContactMotion&, const StageStep& step, const ContactAnswer& answer,
              ContactScratch& scratch, double* memory) const override {
    auto& s = static_cast<SoilScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const Vec6& link = answer.link(elements_[i].link);
      const double spin = answer.spin()[elements_[i].rotor];
      const SoilTouch& f = s.touch[i];
      double acceleration[4];
      for (int k = 0; k < 4; ++k) acceleration[k] = f.speed_row[k].dot(link) + f.spin_part[k] * spin;
      SoilMemory m = soil_memory(memory + kSoilMemory * i);
      finish_soil(wheels_[i].mount, f, acceleration, soil_step(step), m);
      store_memory(m, memory + kSoilMemory * i);
    }
  }

  void rates(const ContactScratch& scratch, const double* memory, double* rates) const override {
    const auto& s = static_cast<const SoilScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i)
      store_memory(soil_rates(wheels_[i].mount, s.touch[i], soil_memory(memory + kSoilMemory * i)),
                   rates + kSoilMemory * i);
  }

  void settle(const ContactScratch& scratch, double* memory) const override {
    const auto& s = static_cast<const SoilScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      SoilMemory m = soil_memory(memory + kSoilMemory * i);
      m.rate = s.touch[i].rate;
      settle_soil(wheels_[i].mount, s.touch[i], m);
      store_memory(m, memory + kSoilMemory * i);
    }
  }

  void list(const GroundView&, const ContactMotion& motion, const ContactScratch& scratch,
            std::span<Contact> out) const override {
    const auto& s = static_cast<const SoilScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i)
      out[i] = contact_of(elements_[i], wheels_[i], motion.link[elements_[i].link].X_WL, s.touch[i],
                          s.law[i].law ? &*s.law[i].law : nullptr);
  }

 private:
  int seen_pack(std::size_t wheel) const { return first_seen_ + static_cast<int>(wheel) / kLanes; }

  /// Where this wheel found the ground: the plane's own point, one of the three that were sampled. Lanes
  /// without a wheel repeat the last.
  void tell_seen(std::size_t wheel, const Vec3& point, std::span<SeenGround> seen) const {
    SeenGround& ground = seen[static_cast<std::size_t>(seen_pack(wheel))];
    const int lane = static_cast<int>(wheel % kLanes);
    const int end = wheel + 1 == wheels_.size() ? kLanes : lane + 1;
    for (int k = lane; k < end; ++k) {
      set_lane(ground.point, k, point);
      ground.seen[k] = -1;
    }
  }

  static PlacedSoilWheel placed(const ContactElement& e) {
    const auto* x = static_cast<const SoilWheelSettings*>(e.contact.settings.get());
    const SoilWheelSettings settings = x ? *x : SoilWheelSettings{};
    if (!(settings.lug_height < e.radius))
      input_error("wheel '{}': contact.lug_height {} m must be lower than its radius {} m", e.name,
                  settings.lug_height, e.radius);
    PlacedSoilWheel out;
    SoilMount& m = out.mount;
    m.hub = e.hub;
    m.forward = e.axes.col(0), m.axle = e.axes.col(1), m.up = e.axes.col(2);
    m.wheel = {e.radius, e.width, settings.lug_height, settings.lug_share};
    m.model = settings.model == "closed_form" ? SoilModel::closed_form : SoilModel::stress_integral;
    m.relaxation_length = settings.relaxation_length > 0 ? settings.relaxation_length : 0.5 * e.radius;
    m.damping_time = settings.damping_time;
    m.suspended = settings.mount == "suspension";
    const SuspensionSettings& s = e.suspension;
    m.suspension = {s.stiffness, s.damping, s.travel, s.stiffening - 1, s.blend * s.travel};
    if (m.suspended && !(s.damping > 0))
      input_error("wheel '{}': contact = \"soil\" needs suspension.damping above zero, or mount = \"rigid\"",
                  e.name);
    out.mean_load = settings.mean_load;
    return out;
  }

  static const ClosedForm& law_at(const GroundView& ground, const PlacedSoilWheel& wheel, const Vec3& at,
                                  KeptLaw& kept) {
    const int label = ground.soils->label(at.x(), at.y());
    const Soil* soil = &ground.soils->soil(label);
    const bool varies = ground.soils->varies();
    if (varies || kept.soil != soil || kept.gravity != ground.gravity) {
      if (varies) {
        kept.law.emplace(ground.soils->at(label, at.x(), at.y()), wheel.mount.wheel, ground.gravity,
                         wheel.mean_load);
      } else {
        kept.law.emplace(*soil, wheel.mount.wheel, ground.gravity, wheel.mean_load);
      }
      kept.soil = soil, kept.gravity = ground.gravity;
    }
    return *kept.law;
  }

  static void add(const SoilTouch& f, const ContactElement& e, const ContactLoads& loads) {
    LinkLoad& link = loads.link[e.link];
    RotorLoad& rotor = loads.rotor[e.rotor];
    for (int i = 0; i < 4; ++i) link.wrench += f.force[i] * f.force_column[i];
    rotor.torque += f.spin_column * f.force[kTorque];
    Vec6 grown[4];  // force i per acceleration of the link
    double by_spin[4];
    for (int i = 0; i < 4; ++i) {
      grown[i].setZero();
      by_spin[i] = 0;
      for (int k = 0; k < 4; ++k) {
        grown[i] += f.gain[i][k] * f.speed_row[k];
        by_spin[i] += f.gain[i][k] * f.spin_part[k];
      }
    }
    rotor.column.setZero();
    for (int i = 0; i < 4; ++i) {
      link.apparent -= f.force_column[i] * grown[i].transpose();
      rotor.column -= by_spin[i] * f.force_column[i];
    }
    rotor.row = -f.spin_column * grown[kTorque];
    rotor.apparent -= f.spin_column * by_spin[kTorque];
  }

  static Contact contact_of(const ContactElement& e, const PlacedSoilWheel& wheel, const Pose& X,
                            const SoilTouch& f, const ClosedForm* law) {
    Contact c;
    c.link = e.link;
    c.wheel = e.wheel;
    c.touching = f.touching;
    c.travel = f.travel;
    if (!c.touching) {
      c.p_W = X * Vec3(e.hub - e.radius * e.axes.col(2));
      return c;
    }
    const SoilMount& m = wheel.mount;
    c.p_W = X * f.foot;
    c.normal_W = X.R * f.n;
    c.force_W = X.R * Vec3(f.force[kPull] * f.x + f.force[kSide] * f.y + f.force[kNormal] * f.n);
    c.moment_W = X.R * Vec3((f.hub - f.foot).cross(Vec3(f.force[kPull] * f.x)) - f.force[kTorque] * f.y);
    c.load = f.force[kNormal];
    c.fx = f.force[kPull];
    c.fy = f.force[kSide];
    c.depth = f.sinkage;
    c.angle = maths::atan2(-f.n.dot(m.forward), f.n.dot(m.up));
    c.tilt = maths::asin(std::clamp(f.n.dot(m.axle), -1.0, 1.0));
    c.slip = logged_slip(f.rim_speed, f.hub_speed);
    c.slip_angle = f.side_speed == 0 ? 0 : maths::atan2(f.side_speed, std::abs(f.hub_speed));
    c.entry = f.entry;
    c.exit = f.exit;
    c.resistance = f.force[kTorque];
    if (law)
      c.peak = law->soil().cohesion * patch_area(law->soil(), m.wheel, f.sinkage) +
               law->integral().tan_friction() * c.load;
    return c;
  }

  std::vector<ContactElement> elements_;
  std::vector<PlacedSoilWheel> wheels_;
  int first_seen_;  ///< of its packs in Touch::seen
};

}  // namespace

ContactKind soil_kind() {
  ContactKind kind{"soil",
                   "rigid wheel that sinks into the soil of [terrain.soil] (Ding 2011, Nagatani 2016)", true,
                   read_soil_settings, [](std::span<const ContactElement> elements, SeenPlaces& seen) {
                     return std::make_unique<SoilWheels>(elements, seen);
                   }};
  kind.suspended = true;  // unless mounted rigidly
  kind.needs_soil = true;
  kind.signals = {
      {"sinkage", "m", "of the rim below the ground", &Contact::depth},
      {"entry_angle", "rad", "where the rim enters the soil, ahead of the normal positive", &Contact::entry},
      {"exit_angle", "rad", "where it leaves it, behind negative", &Contact::exit},
      {"resistance", "N m", "torque of the soil against the spin", &Contact::resistance},
  };
  return kind;
}

}  // namespace scree
