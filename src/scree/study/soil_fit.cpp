#include "scree/study/soil_fit.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <unsupported/Eigen/NonLinearOptimization>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

struct FitChannel {
  const char *name, *unit;
  double WheelMeasurement::*measured;
  double WheelBedRow::*modelled;
};
constexpr std::array kChannels{FitChannel{"sinkage", "m", &WheelMeasurement::sinkage, &WheelBedRow::sinkage},
                               FitChannel{"drawbar", "N", &WheelMeasurement::drawbar, &WheelBedRow::drawbar},
                               FitChannel{"side", "N", &WheelMeasurement::side, &WheelBedRow::side},
                               FitChannel{"torque", "N m", &WheelMeasurement::torque, &WheelBedRow::torque}};

/// Where a number may go, and what it starts from when the soil has it at zero.
struct NumberRange {
  const char* key;
  double low, high, start;
};
constexpr std::array kRanges{NumberRange{"cohesion", 1e-3, 1e6, 300},
                             NumberRange{"friction_angle", 0.01, 1.3, 0.5},
                             NumberRange{"density", 10, 5000, 1600},
                             NumberRange{"cohesive_modulus", 1e-3, 1e9, 1e3},
                             NumberRange{"frictional_modulus", 1e-3, 1e10, 1e6},
                             NumberRange{"sinkage_exponent", 0.05, 3.5, 1},
                             NumberRange{"slip_sinkage", -0.5, 3, 0},
                             NumberRange{"diameter_exponent", -2, 2, 0},
                             NumberRange{"shear_modulus", 1e-4, 0.5, 0.02},
                             NumberRange{"shear_modulus_angle", 1e-5, 0.9, 0.02},
                             NumberRange{"side_shear_modulus", 1e-4, 0.5, 0.02},
                             NumberRange{"side_shear_modulus_angle", 1e-5, 0.9, 0.02},
                             NumberRange{"peak_offset", 0.02, 0.9, 0.4},
                             NumberRange{"peak_slip", -0.8, 0.8, 0.1},
                             NumberRange{"exit_ratio", 1e-3, 1.1, 0.05}};

/// A number as the search sees it: the logarithm where it must be positive, itself where it may change sign.
struct SearchNumber {
  std::string key;
  NumberRange range;
  bool logarithmic;
  double to_search(double value) const { return logarithmic ? std::log(value) : value; }
  double from_search(double x) const {
    return std::clamp(logarithmic ? std::exp(std::clamp(x, -80.0, 80.0)) : x, range.low, range.high);
  }
};

/// What MINPACK asks for: residuals and their derivatives.
class SoilResiduals {
 public:
  using Scalar = double;
  enum { InputsAtCompileTime = Eigen::Dynamic, ValuesAtCompileTime = Eigen::Dynamic };
  using InputType = VecX;
  using ValueType = VecX;
  using JacobianType = MatX;

  SoilResiduals(const std::vector<WheelMeasurement>& data, const FitSettings& settings)
      : data_(data), settings_(settings) {
    for (std::size_t c = 0; c < kChannels.size(); ++c) {
      double sum = 0;
      int count = 0;
      for (const WheelMeasurement& m : data) {
        const double y = m.*kChannels[c].measured;
        if (std::isfinite(y)) sum += y * y, ++count;
      }
      counts_[c] = count;
      scales_[c] = count > 0 ? std::sqrt(sum / count) : 1;
      if (count > 0 && !(scales_[c] > 0)) scales_[c] = 1;
      values_ += count;
    }
    for (const std::string& key : settings.parameters) {
      const auto range =
          std::find_if(kRanges.begin(), kRanges.end(), [&](const NumberRange& r) { return key == r.key; });
      if (range == kRanges.end())
        input_error("fit: '{}' is no number of a soil{}", key, name_hint(key, soil_number_keys()));
      for (const SearchNumber& n : numbers_) {
        if (n.key == key) input_error("fit: '{}' is named twice", key);
      }
      numbers_.push_back({key, *range, range->low > 0});
    }
  }

  int inputs() const { return static_cast<int>(numbers_.size()); }
  int values() const { return values_; }
  const std::vector<SearchNumber>& numbers() const { return numbers_; }
  int count(std::size_t channel) const { return counts_[channel]; }
  double scale(std::size_t channel) const { return scales_[channel]; }

  VecX start() const {
    VecX x(inputs());
    Soil soil = settings_.bed.soil;
    for (int i = 0; i < inputs(); ++i) {
      const SearchNumber& n = numbers_[static_cast<std::size_t>(i)];
      double value = *soil_number(soil, n.key);
      if (n.logarithmic && !(value > n.range.low)) value = n.range.start;
      x[i] = n.to_search(std::clamp(value, n.range.low, n.range.high));
    }
    return x;
  }
  Soil soil_at(const VecX& x) const {
    Soil soil = settings_.bed.soil;
    for (int i = 0; i < inputs(); ++i) {
      const SearchNumber& n = numbers_[static_cast<std::size_t>(i)];
      *soil_number(soil, n.key) = n.from_search(x[i]);
    }
    // N stays positive at full slip, as for soils that are read.
    soil.slip_sinkage = std::max(soil.slip_sinkage, 0.02 - soil.sinkage_exponent);
    return soil;
  }

  int operator()(const VecX& x, VecX& residual) const {
    WheelBedSettings bed = settings_.bed;
    bed.soil = soil_at(x);
    const WheelBed wheel(bed);
    int k = 0;
    for (const WheelMeasurement& m : data_) {
      const WheelBedRow row = wheel.measure(m.at);
      for (std::size_t c = 0; c < kChannels.size(); ++c) {
        const double y = m.*kChannels[c].measured;
        if (std::isfinite(y)) residual[k++] = (row.*kChannels[c].modelled - y) / scales_[c];
      }
    }
    return 0;
  }
  /// Central differences: the sinkage is solved to 1e-13, so steps of 1e-5 leave 1e-8.
  int df(const VecX& x, MatX& jacobian) const {
    constexpr double kStep = 1e-5;
    VecX up(values_), down(values_), moved = x;
    for (int i = 0; i < inputs(); ++i) {
      moved[i] = x[i] + kStep;
      (*this)(moved, up);
      moved[i] = x[i] - kStep;
      (*this)(moved, down);
      moved[i] = x[i];
      jacobian.col(i) = (up - down) / (2 * kStep);
    }
    return 0;
  }

 private:
  const std::vector<WheelMeasurement>& data_;
  const FitSettings& settings_;
  std::vector<SearchNumber> numbers_;
  std::array<int, kChannels.size()> counts_{};
  std::array<double, kChannels.size()> scales_{};
  int values_ = 0;
};

void check_fit(const std::vector<WheelMeasurement>& data, const FitSettings& settings) {
  if (settings.bed.model == WheelModel::pac2002) input_error("fit: pac2002 has no soil to identify");
  if (settings.parameters.empty()) input_error("fit: name at least one parameter");
  if (data.empty()) input_error("fit: no measurements");
}

/// Errors, correlations and warnings from the Jacobian at the solution.
void judge(const SoilResiduals& problem, const VecX& x, double sum_of_squares, FitResult& out) {
  const int m = problem.values(), p = problem.inputs();
  MatX J(m, p);
  problem.df(x, J);
  const Eigen::JacobiSVD<MatX> svd(J, Eigen::ComputeThinV);
  const VecX sigma = svd.singularValues();
  const double least = 1e-9 * std::max(sigma[0], 1e-30);
  MatX inverse =
      MatX::Zero(p, p);  // (J^T J)^-1, with nearly empty directions held at the least singular value
  for (int k = 0; k < p; ++k) {
    const double s = std::max(sigma[k], least);
    inverse += svd.matrixV().col(k) * svd.matrixV().col(k).transpose() / (s * s);
  }
  const double scatter = std::sqrt(sum_of_squares / std::max(m - p, 1));
  const double assumed = std::max(scatter, 0.01);
  out.correlation = MatX::Identity(p, p);
  for (int i = 0; i < p; ++i) {
    const SearchNumber& n = problem.numbers()[static_cast<std::size_t>(i)];
    FittedNumber& number = out.numbers[static_cast<std::size_t>(i)];
    const double spread = std::sqrt(inverse(i, i));
    const double unit = n.logarithmic ? number.value : 1;
    number.error = J.col(i).norm() > 0 ? scatter * spread * unit : std::numeric_limits<double>::infinity();
    const bool at_end = number.value <= n.range.low * (n.range.low > 0 ? 1.0001 : 1) + 1e-12 ||
                        number.value >= n.range.high * 0.9999;
    const double uncertain = assumed * spread / (n.logarithmic ? 1 : std::max(std::abs(number.value), 0.2));
    number.identifiable = J.col(i).norm() > 0 && uncertain < 0.5 && !at_end;
    if (J.col(i).norm() == 0) {
      out.warnings.push_back(fmt::format("{} has no influence on these measurements", n.key));
    } else if (at_end) {
      out.warnings.push_back(fmt::format("{} ran to the end of its range ({:.4g})", n.key, number.value));
    } else if (!number.identifiable) {
      out.warnings.push_back(fmt::format(
          "{} is not identifiable from these measurements: {:.0f} % uncertain with {:.2g} % noise", n.key,
          100 * std::min(uncertain, 1e4), 100 * assumed));
    }
    for (int j = 0; j < i; ++j) {
      const double r = inverse(i, j) / std::sqrt(inverse(i, i) * inverse(j, j));
      out.correlation(i, j) = out.correlation(j, i) = r;
      if (std::abs(r) > 0.98)
        out.warnings.push_back(fmt::format("{} and {} can be exchanged (correlation {:.3f}): fix one of them",
                                           problem.numbers()[static_cast<std::size_t>(j)].key, n.key, r));
    }
  }
}

}  // namespace

FitResult fit_soil(const std::vector<WheelMeasurement>& data, const FitSettings& settings) {
  check_fit(data, settings);
  SoilResiduals problem(data, settings);
  if (problem.values() < problem.inputs())
    input_error("fit: {} measured values cannot give {} parameters", problem.values(), problem.inputs());
  VecX x = problem.start(), first = x;
  Eigen::LevenbergMarquardt<SoilResiduals> search(problem);
  search.parameters.ftol = search.parameters.xtol = 1e-12;
  search.parameters.maxfev = settings.most_evaluations;
  search.parameters.factor = 1;  // steps of a factor e at first: soils do not lie further apart
  const auto status = search.minimize(x);
  FitResult out;
  out.evaluations = static_cast<int>(search.nfev);
  out.converged = status != Eigen::LevenbergMarquardtSpace::TooManyFunctionEvaluation &&
                  status != Eigen::LevenbergMarquardtSpace::ImproperInputParameters;
  out.soil = problem.soil_at(x);
  for (int i = 0; i < problem.inputs(); ++i) {
    const SearchNumber& n = problem.numbers()[static_cast<std::size_t>(i)];
    out.numbers.push_back({n.key, n.from_search(first[i]), n.from_search(x[i]), 0, true});
  }
  VecX residual(problem.values());
  problem(x, residual);
  judge(problem, x, residual.squaredNorm(), out);
  WheelBedSettings bed = settings.bed;
  bed.soil = out.soil;
  const WheelBed wheel(bed);
  for (std::size_t c = 0; c < kChannels.size(); ++c) {
    if (problem.count(c) == 0) continue;
    double sum = 0;
    for (const WheelMeasurement& m : data) {
      const double y = m.*kChannels[c].measured;
      if (std::isfinite(y)) sum += std::pow(wheel.measure(m.at).*kChannels[c].modelled - y, 2);
    }
    out.channels.push_back(
        {kChannels[c].name, kChannels[c].unit, problem.count(c), std::sqrt(sum / problem.count(c))});
  }
  if (!out.converged)
    out.warnings.emplace_back("the search did not settle: start from a nearer soil, or fit fewer numbers");
  return out;
}

}  // namespace scree
