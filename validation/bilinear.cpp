#include "reference.hpp"

namespace reference {

double bilinear_patch(double z00, double z10, double z01, double z11, double s, double t) {
  return z00 + (z10 - z00) * s + (z01 - z00) * t + (z11 - z10 - z01 + z00) * s * t;
}

}  // namespace reference
