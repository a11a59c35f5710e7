#pragma once
/// The C1 surface through the samples of a grid: a biquadratic B-spline that interpolates.
#include "scree/terrain/height_field.hpp"

namespace scree {

/// Replaces the samples by the coefficients of the biquadratic B-spline that passes through them.
///
/// Along each axis a quadratic B-spline with knots half-way between samples takes at sample k the value
/// (c[k-1] + 6 c[k] + c[k+1]) / 8; at the two ends the second derivative is zero, so that c = z there. The
/// two tridiagonal systems are solved in place, in double, a block of columns at a time (no second field).
/// Error for a smooth surface: O(step^3) inside, O(step^2) in the outermost cell.
void to_spline_coefficients(HeightField& field);

/// The inverse: coefficients back to samples (to float32 rounding).
void to_spline_samples(HeightField& field);

}  // namespace scree
