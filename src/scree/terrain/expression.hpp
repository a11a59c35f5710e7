#pragma once
/// Expressions that users write: "a * sin(2 * pi * x / l)", compiled once and evaluated four points at a time
/// with exact slopes, and over whole rectangles by interval arithmetic. The language: docs/terrain.md.
#include <string>
#include <utility>
#include <vector>

#include "scree/terrain/expression_program.hpp"
#include "scree/terrain/terrain.hpp"

namespace scree {

struct ExpressionSettings {
  std::string text;                                        ///< in x and y [m]
  std::vector<std::pair<std::string, double>> parameters;  ///< named constants
};

/// What is known of an expression over a rectangle.
struct ExpressionBounds {
  HeightRange value;   ///< infinite where unknown
  double slope = 0;    ///< no |gradient| is larger; infinity where unknown, or where the value may jump
  double feature = 0;  ///< of the smallest half wave, bump or rise; 0: smooth
};

/// A function of x and y. Any number of threads may ask at once; no allocation after construction. The same
/// bits for a point alone and among others, on every processor.
class Expression {
 public:
  /// `what` names the owner in messages. Throws InputError when the text does not parse or uses an unknown
  /// name.
  Expression(const ExpressionSettings& settings, const std::string& what);

  /// Values at `count` points.
  void values(int count, const double* x, const double* y, double* z) const;
  /// Values and gradients, by the chain rule (forward differentiation). At a corner (abs, min, max, ?:) the
  /// gradient is that of one side; sign, rint and comparisons have none. Where an infinite slope meets an
  /// argument at rest, as at the tip of the cone sqrt(x^2 + y^2), it is zero.
  void gradients(const TerrainRow& row) const;

  /// No |gradient| in the rectangle is larger, and the value jumps nowhere in it; else infinity. Rigorous,
  /// but intervals over-estimate, so the rectangle is taken in 2 x 2 parts, and in 4 x 4 where that may show
  /// that it is gentle. A gentle bound that holds everywhere is given as it is.
  double slope_bound(const Rectangle& area) const;
  HeightRange range(const Rectangle& area) const;
  /// About the smallest half wave, bump or rise in the rectangle [m]; 0: smooth. Sines: half a wave; exp,
  /// tanh and atan: what they rise by over their steepest slope. Others are taken to be smooth.
  double feature(const Rectangle& area) const;
  /// All of these by 4 x 4 parts.
  ExpressionBounds over(const Rectangle& area) const;

 private:
  formula::Program program_;
  ExpressionBounds everywhere_;
};

}  // namespace scree
