/// What a wheel can climb and traverse, and the figures of the test bed.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "scree/study/wheel_bed.hpp"

namespace scree {
namespace {

constexpr double kSteepest = 60 * kDegree, kLargestAngle = 60 * kDegree;

struct SlopeDemand {
  double thrust, cornering;  ///< N
};

/// The least slip angle at which the cornering force suffices, and whether the thrust does too there:
/// cornering grows with the slip angle, thrust falls.
bool holds_on_slope(const WheelBed& bed, double load, double slip, const SlopeDemand& demand, double& angle) {
  const auto at = [&](double beta) { return bed.measure({load, slip, beta}); };
  double low = 0, high = kLargestAngle;
  WheelBedRow row = at(0);
  if (row.cornering < demand.cornering) {
    row = at(high);
    if (row.cornering < demand.cornering) return false;
    for (int i = 0; i < 20; ++i) {
      const double middle = 0.5 * (low + high);
      (at(middle).cornering < demand.cornering ? low : high) = middle;
    }
    row = at(high);
  } else {
    high = 0;
  }
  angle = high;
  return row.thrust >= demand.thrust && !row.buried;
}

SlopeLimit steepest(const WheelBed& bed, double load, double slip, const SlopeCase& way) {
  SlopeLimit out{way.name, slip, 0, 0};
  double angle = 0;
  const auto holds = [&](double slope) {
    const SlopeDemand demand{load * std::sin(slope) * std::sin(way.climb),
                             load * std::sin(slope) * std::cos(way.climb)};
    return holds_on_slope(bed, load * std::cos(slope), slip, demand, angle);
  };
  // A wheel that descends needs a slope to move at all, so the slopes that it holds need not begin at zero:
  // the steepest of a row, then halved down.
  constexpr int kRow = 30;
  double low = -1;
  for (int i = 0; i < kRow; ++i) {
    if (!holds(kSteepest * i / kRow)) continue;
    low = kSteepest * i / kRow;
    out.slip_angle = angle;
  }
  if (low < 0) return out;
  double high = low + kSteepest / kRow;
  for (int i = 0; i < 12; ++i) {
    const double middle = 0.5 * (low + high);
    if (holds(middle)) {
      low = middle;
      out.slip_angle = angle;
    } else {
      high = middle;
    }
  }
  out.slope = low;
  return out;
}

std::string bed_title(const WheelBedSettings& s) {
  if (s.model == WheelModel::pac2002) return "tyre, pac2002";
  return fmt::format("{}, {}, wheel {:g} x {:g} m{}", s.soil.name,
                     wheel_model_names()[static_cast<std::size_t>(s.model)], s.wheel.radius, s.wheel.width,
                     s.wheel.lug_height > 0 ? fmt::format(", lugs {:g} mm", 1e3 * s.wheel.lug_height) : "");
}

}  // namespace

const std::vector<SlopeCase>& slope_cases() {
  static const std::vector<SlopeCase> cases{{"straight up", 90 * kDegree},
                                            {"1 traverse and climb (30 deg)", 30 * kDegree},
                                            {"2 traverse along the contour", 0},
                                            {"3 traverse and descend (30 deg)", -30 * kDegree}};
  return cases;
}

std::vector<SlopeLimit> slope_limits(const WheelBed& bed, double load, const std::vector<double>& slips,
                                     const std::function<void(double)>& progress) {
  std::vector<SlopeLimit> out;
  const double all = static_cast<double>(slips.size() * slope_cases().size());
  for (const SlopeCase& way : slope_cases()) {
    for (const double slip : slips) {
      out.push_back(steepest(bed, load, slip, way));
      if (progress) progress(static_cast<double>(out.size()) / all);
    }
  }
  return out;
}

Figure wheel_figure(const WheelBedSettings& settings, const std::vector<WheelBedRow>& rows) {
  Figure figure;
  figure.title = bed_title(settings), figure.panel_height = 230, figure.columns = 2;
  std::map<double, int> loads;
  for (const WheelBedRow& r : rows) loads[r.at.load] = 0;
  const auto panel = [&](const char* label, auto value) {
    Panel p{"slip [-]", label, {}};
    std::map<std::pair<double, double>, std::size_t> curve_of;
    for (const WheelBedRow& r : rows) {
      const auto key = std::pair(r.at.load, r.at.slip_angle);
      const auto [at, fresh] = curve_of.emplace(key, p.curves.size());
      if (fresh) {
        const std::string angle = fmt::format("{:g} deg", r.at.slip_angle / kDegree);
        p.curves.push_back({loads.size() > 1 ? fmt::format("{:g} N, {}", r.at.load, angle) : angle, {}, {}});
      }
      p.curves[at->second].x.push_back(r.at.slip);
      p.curves[at->second].y.push_back(value(r));
    }
    figure.panels.push_back(std::move(p));
  };
  const bool tyre = settings.model == WheelModel::pac2002;
  if (!tyre) panel("sinkage [mm]", [](const WheelBedRow& r) { return 1e3 * r.sinkage; });
  panel("drawbar pull [N]", [](const WheelBedRow& r) { return r.drawbar; });
  panel("side force [N]", [](const WheelBedRow& r) { return r.side; });
  panel("torque [N m]", [](const WheelBedRow& r) { return r.torque; });
  if (tyre) {
    panel("overturning couple [N m]", [](const WheelBedRow& r) { return r.mx; });
    panel("aligning moment [N m]", [](const WheelBedRow& r) { return r.mz; });
  } else {
    panel("entry angle [deg]", [](const WheelBedRow& r) { return r.entry / kDegree; });
    panel("efficiency [-]",
          [](const WheelBedRow& r) { return r.efficiency < -1 ? std::nan("") : r.efficiency; });
  }
  return figure;
}

Figure thrust_cornering_figure(const WheelBedSettings& settings, const std::vector<WheelBedRow>& rows) {
  Figure figure;
  figure.title = "Thrust and cornering: " + bed_title(settings), figure.panel_height = 640;
  Panel panel{"thrust F_T [N]", "cornering force F_C [N]", {}};
  std::map<double, Curve> by_angle, by_slip;
  double load = 0;
  for (const WheelBedRow& r : rows) {
    load = r.at.load;
    Curve& angle = by_angle[r.at.slip_angle];
    Curve& slip = by_slip[r.at.slip];
    angle.label = fmt::format("slip angle {:g} deg", r.at.slip_angle / kDegree);
    slip.label = fmt::format("slip {:.3g}", r.at.slip);
    for (Curve* curve : {&angle, &slip}) curve->x.push_back(r.thrust), curve->y.push_back(r.cornering);
  }
  for (auto& [angle, curve] : by_angle) panel.curves.push_back(std::move(curve));
  // A few of the curves of equal slip: they close the net.
  const std::size_t stride = std::max<std::size_t>(1, by_slip.size() / 5);
  std::size_t number = 0;
  for (auto& [slip, curve] : by_slip) {
    if (number++ % stride == 0 && curve.x.size() > 1) panel.curves.push_back(std::move(curve));
  }
  for (const double slope : {5.0, 10.0, 15.0, 20.0}) {
    Curve needed{fmt::format("needed on {:g} deg", slope), {}, {}};
    for (double way = -90; way <= 90; way += 3) {
      needed.x.push_back(load * std::sin(slope * kDegree) * std::sin(way * kDegree));
      needed.y.push_back(load * std::sin(slope * kDegree) * std::cos(way * kDegree));
    }
    panel.curves.push_back(std::move(needed));
  }
  figure.panels.push_back(std::move(panel));
  return figure;
}

Figure slope_figure(const WheelBedSettings& settings, const std::vector<SlopeLimit>& limits) {
  Figure figure;
  figure.title = "Steepest slope: " + bed_title(settings), figure.panel_height = 300;
  Panel slope{"slip [-]", "steepest slope [deg]", {}}, angle{"slip [-]", "slip angle there [deg]", {}};
  std::map<std::string, std::size_t> curve_of;
  for (const SlopeLimit& l : limits) {
    const auto [at, fresh] = curve_of.emplace(l.name, slope.curves.size());
    if (fresh) slope.curves.push_back({l.name, {}, {}}), angle.curves.push_back({l.name, {}, {}});
    slope.curves[at->second].x.push_back(l.slip), slope.curves[at->second].y.push_back(l.slope / kDegree);
    angle.curves[at->second].x.push_back(l.slip),
        angle.curves[at->second].y.push_back(l.slip_angle / kDegree);
  }
  figure.panels = {std::move(slope), std::move(angle)};
  return figure;
}

}  // namespace scree
