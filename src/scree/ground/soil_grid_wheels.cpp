/// Contact kind `soil_grid`: wheels on soil that deforms, one after the other (soil_cells.hpp).
#include <algorithm>
#include <cmath>
#include <cstring>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/ground/contact.hpp"
#include "scree/ground/soil_cells.hpp"
#include "scree/ground/wheel.hpp"

namespace scree {
namespace {

struct GridWheelSettings : ContactSettings {
  std::string mount = "rigid";
  double lug_height = 0;       ///< m
  double lug_share = 1;        ///< shear radius = radius + lug_share x lug_height [-]
  int lugs = 0;                ///< around the rim, for their print
  double slip_damping = 0.05;  ///< s
};

std::shared_ptr<const ContactSettings> read_grid_settings(Section& s, const ContactSettings* shared) {
  auto x = shared ? std::make_shared<GridWheelSettings>(static_cast<const GridWheelSettings&>(*shared))
                  : std::make_shared<GridWheelSettings>();
  s.choice("mount", x->mount, {"rigid", "suspension"},
           {.doc = "soil_grid: fixed to its link, or on the wheel's suspension"});
  s.number("lug_height", x->lug_height,
           {.unit = "m", .doc = "soil_grid: height of the lugs", .range = between(0, 1)});
  s.number("lug_share", x->lug_share,
           {.unit = "-",
            .doc = "soil_grid: shear radius = radius + lug_share x lug_height",
            .range = between(0, 1)});
  s.integer("lugs", x->lugs,
            {.unit = "-",
             .doc = "soil_grid: number of lugs, which leave their print in cells of 5 mm and less",
             .range = between(0, 1000)});
  s.number("slip_damping", x->slip_damping,
           {.unit = "s", .doc = "soil_grid: damping of shear at rest", .range = between(0, 1)});
  return x;
}

struct PlacedCellWheel {
  CellWheel wheel;
  int lugs = 0;
  bool suspended = false;
  Suspension<double> suspension{};
};

struct KeptCellLaw {
  const Soil* soil = nullptr;
  double gravity = 0;
  CellLaw law;
};

struct GridScratch : ContactScratch {
  explicit GridScratch(std::size_t wheels)
      : touch(wheels), law(wheels), rim(wheels), window(wheels), rate(wheels, 0.0) {}
  std::vector<CellTouch> touch;
  std::vector<KeptCellLaw> law;
  std::vector<RimGrid> rim;
  std::vector<SoilWindow> window;
  std::vector<double> rate;  ///< of the suspensions, as found [m/s]
  double cell = 0;
};

const CellMemory& cell_memory(const double* m) { return *reinterpret_cast<const CellMemory*>(m); }
CellMemory& cell_memory(double* m) { return *reinterpret_cast<CellMemory*>(m); }

class SoilGridWheels : public ContactGroup {
 public:
  explicit SoilGridWheels(std::span<const ContactElement> elements)
      : elements_(elements.begin(), elements.end()) {
    for (const ContactElement& e : elements_) wheels_.push_back(placed(e));
  }

  int memory() const override { return kCellMemory * static_cast<int>(wheels_.size()); }
  int contacts() const override { return static_cast<int>(wheels_.size()); }
  std::unique_ptr<ContactScratch> scratch() const override {
    return std::make_unique<GridScratch>(wheels_.size());
  }

  void touch(Touch& t, const double* memory, ContactScratch& scratch) const override {
    auto& s = static_cast<GridScratch&>(scratch);
    if (t.ground.tiles == nullptr || !t.ground.tiles->active() || t.ground.soils == nullptr)
      run_error("wheel '{}': the world has no soil that deforms", elements_[0].name);
    if (s.cell != t.ground.tiles->cell()) prepare(t.ground.tiles->cell(), s);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const ContactElement& e = elements_[i];
      const LinkMotion& link = t.motion.link[e.link];
      const CellMemory& m = cell_memory(memory + kCellMemory * i);
      CellTouch& f = s.touch[i];
      const Vec3 v_L = link.V_WL_L.head<3>(), w_L = link.V_WL_L.tail<3>();
      const bool suspended = wheels_[i].suspended;
      const double travel = suspended ? std::max(m.travel + 0.5 * t.step.dt * m.rate, 0.0) : 0;
      const Vec3 b_L = e.axes.col(2), hub_L = e.hub + travel * b_L;
      CellMotion motion;
      motion.hub = link.X_WL * hub_L;
      motion.a = link.X_WL.R * e.axes.col(1);
      motion.v = link.X_WL.R * Vec3(v_L + w_L.cross(hub_L) + (suspended ? m.rate : 0.0) * b_L);
      motion.w = link.X_WL.R * w_L;
      motion.spin = t.motion.spin[e.rotor];
      touch_cells(wheels_[i].wheel, s.rim[i], law_at(t.ground, wheels_[i], motion.hub, s.law[i]), motion, m,
                  {t.step.dt, t.step.theta, t.step.theta_slip}, *t.ground.tiles, *t.ground.terrain,
                  s.window[i], f);
      add(i, f, link, hub_L, m, t.step, t.loads, s);
      t.report.touching += f.touching ? 1 : 0;
      t.report.buried += f.buried ? 1 : 0;
      t.report.gap = std::min(t.report.gap, f.gap);
    }
  }

  void finish(const ContactMotion& motion, const StageStep& step, const ContactAnswer& answer,
              ContactScratch& scratch, double* memory) const override {
    auto& s = static_cast<GridScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const ContactElement& e = elements_[i];
      const Vec6& a = answer.link(e.link);
      const CellTouch& f = s.touch[i];
      const Mat3& R = motion.link[e.link].X_WL.R;
      const Vec3 turn = R * Vec3(a.tail<3>());
      const Vec3 hub = R * Vec3(Vec3(a.head<3>()) + Vec3(a.tail<3>()).cross(e.hub));
      const Vec3 v = f.v + 0.5 * step.dt * Vec3(hub.dot(f.f), hub.dot(f.a), hub.dot(f.u));
      const Vec3 w = f.w + 0.5 * step.dt * Vec3(turn.dot(f.f), turn.dot(f.a), turn.dot(f.u));
      advance(i, s, v, w, f.spin + 0.5 * step.dt * answer.spin()[e.rotor], step.dt,
              cell_memory(memory + kCellMemory * i));
    }
  }

  /// Explicit integrators: the shear displacements are stepped by settle(), with the speeds of the last
  /// stage.
  void rates(const ContactScratch&, const double*, double* rates) const override {
    std::fill_n(rates, memory(), 0.0);
  }
  void settle(const ContactScratch&, double*) const override {}

  void press(const GroundView& ground, SoilTiles& tiles, ContactScratch& scratch,
             double* memory) const override {
    auto& s = static_cast<GridScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const SoilGridSettings& grid = *ground.grid;
      const double repose = grid.repose_angle > 0 ? maths::tan(grid.repose_angle) : s.law[i].law.repose;
      print_wheel(wheels_[i].wheel, s.touch[i],
                  {grid.bulldozing, grid.compaction, repose, s.law[i].law.stands, wheels_[i].lugs},
                  *ground.terrain, tiles, shared_print_room(), cell_memory(memory + kCellMemory * i));
    }
  }

  void list(const GroundView&, const ContactMotion& motion, const ContactScratch& scratch,
            std::span<Contact> out) const override {
    const auto& s = static_cast<const GridScratch&>(scratch);
    for (std::size_t i = 0; i < wheels_.size(); ++i)
      out[i] = contact_of(elements_[i], motion.link[elements_[i].link].X_WL, s.touch[i]);
  }

 private:
  void prepare(double cell, GridScratch& s) const {
    for (std::size_t i = 0; i < wheels_.size(); ++i) {
      const SoilWheel& w = wheels_[i].wheel.wheel;
      s.rim[i] = RimGrid(w.radius, w.width, cell);
      s.touch[i].prepare(s.rim[i]);
    }
    s.cell = cell;
  }

  static PlacedCellWheel placed(const ContactElement& e) {
    const auto* x = static_cast<const GridWheelSettings*>(e.contact.settings.get());
    const GridWheelSettings settings = x ? *x : GridWheelSettings{};
    if (!(settings.lug_height < e.radius))
      input_error("wheel '{}': contact.lug_height {} m must be lower than its radius {} m", e.name,
                  settings.lug_height, e.radius);
    PlacedCellWheel out;
    out.wheel.wheel = {e.radius, e.width, settings.lug_height, settings.lug_share};
    out.wheel.shear_damping = settings.slip_damping;
    out.lugs = settings.lugs;
    out.suspended = settings.mount == "suspension";
    const SuspensionSettings& s = e.suspension;
    out.suspension = {s.stiffness, s.damping, s.travel, s.stiffening - 1, s.blend * s.travel};
    if (out.suspended && !(s.damping > 0))
      input_error("wheel '{}': mount = \"suspension\" needs suspension.damping above zero", e.name);
    return out;
  }

  static const CellLaw& law_at(const GroundView& ground, const PlacedCellWheel& wheel, const Vec3& at,
                               KeptCellLaw& kept) {
    const int label = ground.soils->label(at.x(), at.y());
    const Soil* soil = &ground.soils->soil(label);
    const bool varies = ground.soils->varies();
    if (varies || kept.soil != soil || kept.gravity != ground.gravity) {
      const bool slips = ground.grid == nullptr || ground.grid->slip_sinkage;
      kept.law =
          varies ? CellLaw(ground.soils->at(label, at.x(), at.y()), wheel.wheel.wheel, ground.gravity, slips)
                 : CellLaw(*soil, wheel.wheel.wheel, ground.gravity, slips);
      kept.soil = soil, kept.gravity = ground.gravity;
    }
    return kept.law;
  }

  /// Wrench and apparent inertia on link and rotor; the suspension eliminated.
  void add(std::size_t i, const CellTouch& f, const LinkMotion& link, const Vec3& hub_L, const CellMemory& m,
           const StageStep& step, const ContactLoads& loads, GridScratch& s) const {
    const ContactElement& e = elements_[i];
    const PlacedCellWheel& wheel = wheels_[i];
    const Mat3 to_link = link.X_WL.R.transpose();
    const Vec3 f_L = to_link * f.f, a_L = to_link * f.a, u_L = to_link * f.u, b_L = e.axes.col(2);
    Vec3 force = f.force[0] * f_L + f.force[1] * a_L + f.force[2] * u_L;
    const Vec3 moment = f.moment[0] * f_L + f.moment[1] * a_L + f.moment[2] * u_L;
    const double dt = step.dt;
    double yields = 1;
    if (wheel.suspended) {
      // c h' + S(h) = F.b, with what F and S answer to another h' than the last.
      const double bf = b_L.dot(f_L), bu = b_L.dot(u_L);
      const auto along = [&](const double k[4][4]) {
        return bf * bf * k[0][0] + bf * bu * (k[0][1] + k[1][0]) + bu * bu * k[1][1];
      };
      const double h = std::max(m.travel + 0.5 * dt * m.rate, 0.0);
      const SuspensionSpring<double> spring = suspension_spring(wheel.suspension, h);
      const double ground = 0.5 * dt * along(f.depth_stiffness) + along(f.depth_damping);
      const double own = wheel.suspension.damping + 0.5 * dt * spring.stiffness;
      const double excess = force.dot(b_L) - spring.force - wheel.suspension.damping * m.rate;
      double rate = m.rate + excess / (own + ground);
      if (dt > 0 && m.travel + dt * rate < 0) rate = -m.travel / dt;  // held by the stop
      s.rate[i] = rate;
      yields = own / (own + ground);
      const double carried = std::max(
          spring.force + wheel.suspension.damping * rate + 0.5 * dt * spring.stiffness * (rate - m.rate),
          0.0);
      if (f.touching) force += (carried - force.dot(b_L)) * b_L;
    }
    if (!f.touching) return;
    LinkLoad& load = loads.link[e.link];
    RotorLoad& rotor = loads.rotor[e.rotor];
    load.wrench.head<3>() += force;
    load.wrench.tail<3>() += hub_L.cross(force) + moment;
    rotor.torque += f.torque;
    if (!(dt > 0)) return;
    const double spring = 0.25 * dt * dt, damper = step.theta * dt;
    const double settle = shear_settling(wheel.wheel.shear_damping, f.rim_speed, f.hub_speed);
    const double shear = spring + step.theta_slip * dt * settle;
    const double sway = shear + step.theta_slip * dt * kSwayTime;
    // In the wheel's own axes at the hub, (v_f, v_a, v_u; w_f, w_a, w_u), then in the link's at its origin.
    Mat6 own = Mat6::Zero();
    constexpr int kDepth[4] = {0, 2, 5, 3}, kSlip[3] = {0, 2, 4}, kSide[3] = {1, 5, 3};
    constexpr double kDepthSign[4] = {1, 1, -1, 1};
    for (int r = 0; r < 4; ++r)
      for (int c = 0; c < 4; ++c)
        own(kDepth[r], kDepth[c]) += kDepthSign[r] * kDepthSign[c] * yields *
                                     (spring * f.depth_stiffness[r][c] + damper * f.depth_damping[r][c]);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        own(kSlip[r], kSlip[c]) += shear * f.slip_stiffness[r][c];
        own(kSide[r], kSide[c]) += sway * f.side_stiffness[r][c];
      }
    Mat3 axes;  // columns: the wheel's axes in the link's
    axes << f_L, a_L, u_L;
    const Mat3 S = skew(hub_L);
    const Mat3 vv = axes * own.topLeftCorner<3, 3>() * axes.transpose();
    const Mat3 vw = axes * own.topRightCorner<3, 3>() * axes.transpose() - vv * S;
    const Mat3 ww = axes * own.bottomRightCorner<3, 3>() * axes.transpose();
    // The hub's speed is v + w x hub.
    const Mat3 wv_own = axes * own.bottomLeftCorner<3, 3>() * axes.transpose();
    load.apparent.topLeftCorner<3, 3>() += vv;
    load.apparent.topRightCorner<3, 3>() += vw;
    load.apparent.bottomLeftCorner<3, 3>() += wv_own + S * vv;
    load.apparent.bottomRightCorner<3, 3>() += ww - wv_own * S + S * vw;
    const Vec3 slip_v = shear * (f.slip_stiffness[0][2] * f_L + f.slip_stiffness[1][2] * u_L);
    Vec6 slip;
    slip << slip_v, hub_L.cross(slip_v) + shear * f.slip_stiffness[2][2] * a_L;
    rotor.column = rotor.row = slip;
    rotor.apparent += shear * f.slip_stiffness[2][2];
  }

  void advance(std::size_t i, const GridScratch& s, const Vec3& v, const Vec3& w, double spin, double dt,
               CellMemory& m) const {
    finish_cells(wheels_[i].wheel, s.rim[i], s.law[i].law, s.touch[i], v, w, spin, dt, m);
    if (!wheels_[i].suspended) return;
    m.travel = std::max(m.travel + dt * s.rate[i], 0.0);
    m.rate = s.rate[i];
  }

  static Contact contact_of(const ContactElement& e, const Pose& X, const CellTouch& f) {
    Contact c;
    c.link = e.link;
    c.wheel = e.wheel;
    c.touching = f.touching;
    if (!c.touching) {
      c.p_W = X * Vec3(e.hub - e.radius * e.axes.col(2));
      return c;
    }
    c.force_W = f.force[0] * f.f + f.force[1] * f.a + f.force[2] * f.u;
    const Vec3 moment = f.moment[0] * f.f + f.moment[1] * f.a + f.moment[2] * f.u;
    c.p_W = f.hub - e.radius * (f.N - f.N.dot(f.a) * f.a).normalized();
    c.moment_W = moment - (c.p_W - f.hub).cross(c.force_W);
    c.normal_W = f.N;
    c.load = c.force_W.dot(f.N);
    c.fx = c.force_W.dot(f.x);
    c.fy = c.force_W.dot(f.y);
    c.depth = f.sinkage;
    c.travel = (f.hub - X * e.hub).dot(X.R * e.axes.col(2));
    const Vec3 n_L = X.R.transpose() * f.N;
    c.angle = maths::atan2(-n_L.dot(e.axes.col(0)), n_L.dot(e.axes.col(2)));
    c.tilt = maths::asin(std::clamp(n_L.dot(e.axes.col(1)), -1.0, 1.0));
    c.slip = logged_slip(f.rim_speed, f.hub_speed);
    c.slip_angle = f.side_speed == 0 ? 0 : maths::atan2(f.side_speed, std::abs(f.hub_speed));
    c.entry = f.entry;
    c.exit = f.exit;
    c.resistance = -f.torque;
    c.peak = f.strength;
    return c;
  }

  std::vector<ContactElement> elements_;
  std::vector<PlacedCellWheel> wheels_;
};

}  // namespace

ContactKind soil_grid_kind() {
  ContactKind kind{"soil_grid",
                   "rigid wheel on soil that deforms: ruts stay (docs/soil_grid.md), cells of "
                   "[terrain.soil.grid]",
                   true, read_grid_settings, [](std::span<const ContactElement> elements, SeenPlaces&) {
                     return std::make_unique<SoilGridWheels>(elements);
                   }};
  kind.needs_soil = true;
  kind.needs_grid = true;
  kind.signals = soil_kind().signals;
  return kind;
}

}  // namespace scree
