// Order of convergence of the three integrators, and what they conserve, on jointed trees with rotors.
#include <gtest/gtest.h>

#include <cmath>

#include "mechanism/random_tree.hpp"
#include "mechanism/stepper.hpp"

namespace scree {
namespace {

using test::Stepper;
using Step = void (Stepper::*)(double);

/// A floating tree that tumbles, with springs and dampers in its joints and fast rotors.
Stepper tumbling(bool damped, bool coupled = false) {
  RandomStream random(41, 2, "order");
  TreeSettings settings = test::random_tree(random, 5, false);
  for (JointSettings& joint : settings.joints) {
    joint.spring_stiffness = 60;
    joint.damping = damped ? 0.5 : 0;
  }
  std::vector<std::string> moving;
  for (const JointSettings& j : settings.joints) {
    if (j.type != JointType::fixed) moving.push_back(j.name);
  }
  if (coupled) settings.couplings = {{"tie", moving[0], moving[1], -0.7, 0.1}};
  Stepper s(settings);
  for (std::size_t i = 0; i < s.v.size(); ++i) s.v[i] = 1.5 * std::sin(1.0 + 2.3 * i);
  for (int r = 0; r < s.tree.rotor_count(); ++r) s.spin(r) = 30 + 10 * r;
  meet_couplings(s.tree, s.x, s.v);
  return s;
}

void run(Stepper& s, Step step, double end, int steps) {
  for (int i = 0; i < steps; ++i) (s.*step)(end / steps);
}

double distance(const Stepper& a, const Stepper& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) sum += std::pow(a.x[i] - b.x[i], 2);
  for (std::size_t i = 0; i < a.v.size(); ++i) sum += std::pow(a.v[i] - b.v[i], 2);
  return std::sqrt(sum);
}

struct OrderCase {
  const char* name;
  Step step;
  int steps;
  double order;
};

void PrintTo(const OrderCase& c, std::ostream* out) { *out << c.name; }

class Order : public testing::TestWithParam<OrderCase> {};

TEST_P(Order, OfATumblingTreeIsTheIntegrators) {
  const double end = 0.4;
  Stepper reference = tumbling(true);
  run(reference, &Stepper::rk4, end, 4000);
  double error[3];
  for (int level = 0; level < 3; ++level) {
    Stepper s = tumbling(true);
    run(s, GetParam().step, end, GetParam().steps << level);
    error[level] = distance(s, reference);
  }
  const double order = std::log2(error[1] / error[2]);
  RecordProperty("order", std::to_string(order));
  EXPECT_NEAR(order, GetParam().order, 0.15) << error[0] << " " << error[1] << " " << error[2];
}

INSTANTIATE_TEST_SUITE_P(All, Order,
                         testing::Values(OrderCase{"euler", &Stepper::euler, 2000, 1},
                                         OrderCase{"dkd", &Stepper::dkd, 100, 2},
                                         OrderCase{"rk4", &Stepper::rk4, 100, 4}),
                         [](const auto& info) { return info.param.name; });

TEST(Conservation, EnergyAndMomentumOfAFreeTreeToTheIntegratorsOrder) {
  for (const auto& [step, order, steps] :
       {std::tuple{&Stepper::dkd, 2.0, 200}, std::tuple{&Stepper::rk4, 4.0, 100}}) {
    double energy[2], turning[2];
    for (int level = 0; level < 2; ++level) {
      Stepper s = tumbling(false);
      s.gravity.setZero();
      const double E = s.energy();
      const Momentum before = momentum(s.tree, s.ws);
      run(s, step, 0.4, steps << level);
      energy[level] = std::abs(s.energy() - E);
      const Momentum after = momentum(s.tree, s.ws);
      turning[level] = (after.angular - before.angular).norm();
    }
    EXPECT_GT(std::log2(energy[0] / energy[1]), order - 0.3) << energy[0] << " " << energy[1];
    EXPECT_GT(std::log2(turning[0] / turning[1]), order - 0.3) << turning[0] << " " << turning[1];
  }
}

TEST(Conservation, Rk4AtSmallStepsKeepsMomentumAndEnergyToTenDigits) {
  Stepper s = tumbling(false);
  s.gravity.setZero();
  const double E = s.energy();
  const Momentum before = momentum(s.tree, s.ws);
  run(s, &Stepper::rk4, 0.4, 4000);
  EXPECT_NEAR(s.energy(), E, 1e-10 * E);
  const Momentum after = momentum(s.tree, s.ws);
  EXPECT_LT((after.linear - before.linear).norm(), 1e-10 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-10 * before.angular.norm());
}

TEST(Coupling, DoesNoWork) {
  Stepper s = tumbling(false, true);
  s.gravity.setZero();
  const double E = s.energy();
  run(s, &Stepper::rk4, 0.4, 2000);
  EXPECT_NEAR(s.energy(), E, 1e-9 * E);
}

TEST(Drift, TurnsWithFifthOrderAndBackAgain) {
  TreeSettings settings;
  settings.links = {{"body", 1, Vec3::Zero(), Mat3::Identity()}};
  const Tree tree(settings);
  std::vector<double> x = tree.home();
  const std::vector<double> v = {1, 2, 3, 0.3, -1.2, 0.8};
  const double rate = Vec3(0.3, -1.2, 0.8).norm();
  double error[2];
  for (int level = 0; level < 2; ++level) {
    std::vector<double> y = x;
    const double h = 0.4 / (1 << level);
    drift(tree, y, v, h);
    error[level] = std::abs(2 * std::acos(y[3]) - rate * h);
    drift(tree, y, v, -h);
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(y[i], x[i], 1e-15);
  }
  EXPECT_NEAR(std::log2(error[0] / error[1]), 5, 0.1);
}

}  // namespace
}  // namespace scree
