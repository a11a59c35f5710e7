#pragma once
/// Expressions that users write: "a * sin(2 * pi * x / l)". Evaluated by muParser where it is compiled in.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scree/terrain/terrain.hpp"

namespace scree {

struct ExpressionSettings {
  std::string text;                                        ///< in x and y [m]
  std::vector<std::pair<std::string, double>> parameters;  ///< named constants
};

/// A function of x and y. Many threads may ask at once; no allocation after construction.
class Expression {
 public:
  /// `what` names the owner in messages. Throws InputError when the text does not parse, uses an unknown
  /// name, or when the program was built without muParser. `threads` may ask at once without waiting.
  Expression(const ExpressionSettings& settings, const std::string& what, int threads);
  ~Expression();
  Expression(Expression&&) noexcept;

  /// Values at `count` points.
  void values(int count, const double* x, const double* y, double* z) const;
  /// Values and gradients. Gradients by the five-point central difference with a step of 2^-13 m (a power
  /// of two, so that x + h is exact): relative error below 1e-9 for wavelengths above 5 cm.
  void gradients(const TerrainRow& row) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace scree
