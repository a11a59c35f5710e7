#pragma once
/// Elementary functions that give the same bits on every machine.
///
/// The C library chooses among several versions of sin, exp, pow.. by what the processor can do, and they
/// differ in the last bit; compilers compute them beforehand with yet others. What enters a state or the
/// ground comes from here instead: additions, multiplications, divisions and square roots only, which IEEE
/// 754 fixes to the last bit. (`GLIBC_TUNABLES=glibc.cpu.hwcaps=-AVX2,-FMA` shows the difference.)
/// sin, cos, exp, log and log1p are right to one unit in the last place, the others to four; zeros,
/// infinities and NaN as in C.

#include "scree/core/lanes.hpp"

namespace scree::maths {

struct SineCosine {
  double sine, cosine;
};
/// At any angle [rad], however large.
SineCosine sine_cosine(double x);
/// Four angles side by side, the same bits as one by one. (Lanes go by reference here: programs that are
/// compiled for another processor than the library would hand them over in other registers.)
struct LaneSineCosine {
  Lanes sine, cosine;
};
LaneSineCosine sine_cosines(const Lanes& x);
double sin(double x);
double cos(double x);
double tan(double x);

double atan(double x);
/// Angle of (x, y) in [-pi, pi]; signed zeros count.
double atan2(double y, double x);
/// Four side by side, the same bits as one by one where all are finite.
void atan2s(const Lanes& y, const Lanes& x, Lanes& angle);
double asin(double x);
double acos(double x);

double exp(double x);
/// Four side by side, the same bits as one by one.
void exps(const Lanes& x, Lanes& power);
double expm1(double x);
double log(double x);
double log1p(double x);
/// To (2 + |y ln x|) units in the last place; x negative only with a whole y.
double pow(double x, double y);

double hypot(double x, double y);
inline double square(double x) { return x * x; }

}  // namespace scree::maths
