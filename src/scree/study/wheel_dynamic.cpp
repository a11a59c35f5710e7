#include "scree/study/wheel_dynamic.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/maths.hpp"
#include "scree/sim/place.hpp"
#include "scree/sim/scenario.hpp"
#include "scree/sim/step.hpp"
#include "scree/sim/touch.hpp"
#include "scree/terrain/flat.hpp"

namespace scree {
namespace {

constexpr double kRailHeight = 1;       // m of the base above the ground
constexpr double kMeasuredShare = 0.2;  // of the time, at its end
constexpr double kSlideTime = 1.5;      // s that the vertical slide is given to settle at least

struct BedMotion {
  double rim, carriage;           ///< m/s
  std::optional<double> drawbar;  ///< N; given: the carriage is free
};

/// contact = { kind = "soil", ... } as a robot file would say it.
ContactChoice soil_contact(const WheelBedSettings& s) {
  const Document document =
      s.model == WheelModel::soil_grid
          ? Document::from_text(
                fmt::format("kind = \"soil_grid\"\nlug_height = {:.17g}\nlug_share = {:.17g}\n",
                            s.wheel.lug_height, s.wheel.lug_share),
                "wheel")
          : Document::from_text(
                fmt::format(
                    "kind = \"soil\"\nmodel = \"{}\"\nmount = \"rigid\"\nlug_height = {:.17g}\nlug_share = "
                    "{:.17g}\nmean_load = {:.17g}\n",
                    wheel_model_names()[static_cast<std::size_t>(s.model)], s.wheel.lug_height,
                    s.wheel.lug_share, s.mean_load),
                "wheel");
  Section root = document.root();
  ContactChoice choice;
  describe_contact(root, choice, true);
  return choice;
}

RobotSettings bed_robot(const WheelBedSettings& s, const WheelBedPoint& point, const BedMotion& motion) {
  RobotSettings x;
  x.name = "bed";
  x.base = "fixed";
  x.chassis = {.mass = 1,
               .inertia = Vec3(1, 1, 1),
               .l1 = 0.1,
               .l2 = 0.1,
               .w1 = 0.1,
               .w2 = 0.1,
               .h_base = 0.1,
               .h_top = 0.1};
  const double weight = point.load / s.gravity;
  RobotLinkSettings carriage;
  carriage.name = "carriage";
  carriage.joint = "prismatic";
  carriage.axis = Vec3::UnitX();
  carriage.mass = 0.1 * weight;
  carriage.inertia = Vec3(1, 1, 1) * 1e-3 * weight;
  if (!motion.drawbar) {
    carriage.motion.kind = "ramp";
    carriage.motion.speed = motion.carriage;
  }
  RobotLinkSettings slide;
  slide.name = "slide";
  slide.parent = "carriage";
  slide.joint = "prismatic";
  slide.axis = Vec3::UnitZ();
  slide.position = Vec3(0, 0, s.wheel.radius - kRailHeight);
  slide.mass = weight;
  slide.inertia = Vec3(1, 1, 1) * 1e-2 * weight;
  x.links = {carriage, slide};
  WheelSettings wheel;
  wheel.name = "wheel";
  wheel.link = "slide";
  wheel.yaw = -point.slip_angle;
  wheel.radius = s.wheel.radius;
  wheel.width = s.wheel.width;
  wheel.spin_inertia = 0.1 * weight * s.wheel.radius * s.wheel.radius;
  wheel.contact = soil_contact(s);
  x.wheels = {wheel};
  x.hull.choice.kind = "columns";
  x.hull.box = x.hull.hubs = false;
  // A governor so stiff that the spin is as good as prescribed; slip is measured, not believed.
  x.drive.kind = "governor";
  x.drive.speed = motion.rim / s.wheel.shear_radius();
  x.drive.gain = 100 * point.load * s.wheel.radius / std::max(std::abs(x.drive.speed), 0.1);
  if (motion.drawbar) {
    RobotDriveSettings pull;
    pull.on = "carriage";
    pull.drive.kind = "torque";
    pull.drive.name = "carriage";
    x.drives = {pull};
  }
  return x;
}

/// Running means over the measured stretch.
struct Measured {
  int count = 0;
  double load = 0, least = 1e300, most = -1e300, sinkage = 0, fx = 0, fy = 0, torque = 0, entry = 0, exit = 0;
  double rim = 0, hub = 0;
  bool buried = false;

  void add(const Contact& c, double rim_speed, double hub_speed) {
    ++count;
    load += c.load, sinkage += c.depth, fx += c.fx, fy += c.fy, torque += c.resistance;
    entry += c.entry, exit += c.exit;
    rim += rim_speed, hub += hub_speed;
    least = std::min(least, c.load), most = std::max(most, c.load);
  }
};

DynamicBedRow row_of(const Measured& m, const WheelBedSettings& s, const WheelBedPoint& point, double time) {
  DynamicBedRow row;
  const double n = std::max(m.count, 1), rim = m.rim / n, hub = m.hub / n;
  row.at = point;
  const double faster = std::max(std::abs(rim), std::abs(hub));
  row.at.slip = faster > 0 ? std::clamp((rim - hub) / faster, -1.0, 1.0) : 0;
  row.held = rim > 0 && hub < 0;
  row.sinkage = m.sinkage / n, row.drawbar = m.fx / n, row.side = m.fy / n, row.torque = m.torque / n;
  row.entry = m.entry / n, row.exit = m.exit / n;
  row.buried = m.buried;
  complete_row(row, s.wheel.shear_radius());
  row.time = time;
  row.unrest = m.count > 0 ? (m.most - m.least) / point.load : 0;
  return row;
}

DynamicBedRow run_bed(const WheelBed& bed, const WheelBedPoint& point, const BedMotion& motion,
                      const DynamicBedSettings& x) {
  const WheelBedSettings& s = bed.settings();
  if (s.model == WheelModel::pac2002)
    input_error("--dynamic rolls on soil: --model stress_integral, closed_form or soil_grid");
  const auto model = std::make_shared<const RobotModel>(bed_robot(s, point, motion));
  SolverSettings solver;
  solver.step = x.step;
  World world(Vec3(0, 0, -s.gravity), std::make_shared<const Flat>(), solver);
  world.set_soil(nullptr, std::make_shared<const GroundSoils>(s.soil));
  if (s.model == WheelModel::soil_grid) world.set_soil_grid(s.grid);
  world.add("bed", model);
  State state(world);
  SimWorkspace workspace(world);
  place(world, 0, {.height = kRailHeight, .given_height = true}, state, workspace);
  if (motion.drawbar)
    workspace.commands[0][static_cast<std::size_t>(1)] = {DriveCommand::Mode::torque, -*motion.drawbar, 0};

  const double way = x.length * 0.5 * s.wheel.radius;
  const double time =
      (way / std::max(std::abs(motion.rim), std::abs(motion.carriage)) + kSlideTime) / (1 - kMeasuredShare);
  const auto steps = static_cast<long>(std::ceil(time / x.step));
  Measured measured;
  RobotScratch& scratch = workspace.of(0);
  const RobotWheel& wheel = model->wheels()[0];
  for (long k = 0; k < steps; ++k) {
    step(world, state, x.step, workspace);
    if (workspace.report[0].buried > 0) measured.buried = true;
    if (static_cast<double>(k) < (1 - kMeasuredShare) * static_cast<double>(steps)) continue;
    examine(world, state, 0, workspace);
    const Contact& c = list_contacts(world, *model, scratch)[static_cast<std::size_t>(wheel.contact)];
    const LinkMotion& link = scratch.mechanism.link[wheel.link];
    const Vec3 v = Vec3(link.V_WL_L.head<3>()) + Vec3(link.V_WL_L.tail<3>()).cross(wheel.hub);
    measured.add(c, s.wheel.shear_radius() * scratch.mechanism.spin[wheel.rotor], v.dot(wheel.axes.col(0)));
  }
  return row_of(measured, s, point, state.time());
}

}  // namespace

DynamicBedRow run_dynamic_bed(const WheelBed& bed, const WheelBedPoint& point, const DynamicBedSettings& x) {
  // Refuses what is out of range; soil_grid measures by this very simulation.
  if (bed.settings().model != WheelModel::soil_grid) bed.measure(point);
  const double faster = x.speed, along = maths::cos(point.slip_angle);
  const double rim = point.slip >= 0 ? faster : faster * (1 + point.slip);
  const double hub = point.slip >= 0 ? faster * (1 - point.slip) : faster;
  return run_bed(bed, point, {rim, hub / along, {}}, x);
}

DynamicBedRow run_drawbar_bed(const WheelBed& bed, const WheelBedPoint& point, double drawbar,
                              const DynamicBedSettings& x) {
  if (bed.settings().model != WheelModel::soil_grid) bed.measure({point.load, 0, point.slip_angle});
  if (!std::isfinite(drawbar)) input_error("drawbar load {} N is no number", drawbar);
  return run_bed(bed, point, {x.speed, 0, drawbar}, x);
}

Figure dynamic_figure(const WheelBedSettings& settings, const std::vector<WheelBedRow>& steady,
                      const std::vector<DynamicBedRow>& dynamic) {
  Figure figure = wheel_figure(settings, steady);
  const std::vector<WheelBedRow> rows(dynamic.begin(), dynamic.end());
  Figure simulated = wheel_figure(settings, rows);
  figure.title = "Steady law (lines) and simulated bed (points): " + figure.title;
  constexpr int kColours[] = {0x1f77b4, 0xd62728, 0x2ca02c, 0x9467bd, 0xff7f0e, 0x17becf, 0x7f7f7f};
  const auto paint = [&](std::vector<Curve>& curves) {
    for (std::size_t i = 0; i < curves.size(); ++i) curves[i].colour = kColours[i % std::size(kColours)];
  };
  for (std::size_t p = 0; p < figure.panels.size(); ++p) {
    paint(figure.panels[p].curves);
    paint(simulated.panels[p].curves);
    for (Curve& curve : simulated.panels[p].curves) {
      curve.mark = Mark::points;
      curve.label += ", simulated";
      figure.panels[p].curves.push_back(std::move(curve));
    }
  }
  return figure;
}

}  // namespace scree
