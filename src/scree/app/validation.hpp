#pragma once
/// Rows of a comparison with closed forms and published numbers.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace scree {

/// How far a is from b, of b [%].
inline double percent_off(double a, double b) {
  return a == b ? 0 : 100 * std::abs(a - b) / std::max(std::abs(b), 1e-12);
}

struct ValidationRow {
  std::string name;                           ///< of the case
  std::string unit;                           ///< of the errors
  std::optional<double> published;            ///< error that the paper reports
  double error = 0;                           ///< ours
  double bar = 0;                             ///< what we promise
  bool pass() const { return error <= bar; }  // false for NaN
};

/// What one set of cases gives: rows, and what else it has to say.
struct Validation {
  std::vector<ValidationRow> rows;
  std::string text;  ///< lines for people
  std::string json;  ///< the same as members of an object, or empty
};

struct ValidationSetup {
  std::string out;     ///< folder for runs and figures
  bool quiet = false;  ///< no progress bar
};

/// Accelerations, jumps, interpolation, rest on slopes (Morrot 2011 Sec. 4; validation/ has the closed
/// forms); cost of a step with few and many slices.
Validation validate_core(const ValidationSetup& setup);

/// Gravel and chopped brick of Yokokohji 2002, Table 1: H and sigma put in and read back over 50 seeds, rms.
Validation validate_fractal(const ValidationSetup& setup);

/// The VIVI experiments (Morrot 2011 Sec. 5): tables, figures, the paper's findings, other steps.
Validation validate_vivi(const ValidationSetup& setup);

/// What contact keeps on any ground: energy, weight on slopes, walls, rocks between the wheels.
Validation validate_contact(const ValidationSetup& setup);

/// How far end points and loads move with the step, median and worst of many starts on four grounds.
Validation validate_steps(const ValidationSetup& setup);

/// The Kyoto rover's success rates beside Yokokohji 2002, Tables 3 and 4 (studies/kyoto.toml, 100 trials a
/// cell).
Validation validate_kyoto(const ValidationSetup& setup);

/// El-Dorado II on Toyoura sand: slopes, drawbar loads, three gravities, random ground (Ding 2011 Sec. 5.2).
Validation validate_soil(const ValidationSetup& setup);

}  // namespace scree
