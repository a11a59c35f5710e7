#pragma once
/// Rows of a comparison with closed forms and published numbers.
#include <optional>
#include <string>
#include <vector>

namespace scree {

struct ValidationRow {
  std::string name;                           ///< of the case
  std::string unit;                           ///< of the errors
  std::optional<double> published;            ///< error that the paper reports
  double error = 0;                           ///< ours
  double bar = 0;                             ///< what we promise
  bool pass() const { return error <= bar; }  // false for NaN
};

/// Accelerations, jumps, interpolation, rest on slopes (Morrot 2011 Sec. 4; validation/ has the closed
/// forms).
std::vector<ValidationRow> validate_core();

/// Gravel and chopped brick of Yokokohji 2002, Table 1: H and sigma put in and read back over 50 seeds, rms.
std::vector<ValidationRow> validate_fractal();

/// Cost of a step with few and many slices, with and without the terrain's bound on its slope.
struct SliceCost {
  int slices;
  bool bounded;
  double microseconds;
};
std::vector<SliceCost> slice_costs();

}  // namespace scree
