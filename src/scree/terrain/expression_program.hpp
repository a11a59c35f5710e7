#pragma once
/// What an expression becomes: a flat list of operations on numbered places, without jumps.
#include <string>
#include <utility>
#include <vector>

namespace scree::formula {

/// `k` is the instruction's own constant.
enum class Op : unsigned char {
  constant,
  x,
  y,
  scaled_x,
  scaled_y,  // k; x; y; k x; k y
  plus_k,
  times_k,
  over_k,
  k_minus,
  k_over,  // a + k; a k; a / k; k - a; k / a
  plus,
  minus,
  times,
  over,
  power,
  power_k,
  whole_power,  // a + b; ..; a^b; a^k; a^k with a whole k
  negative,
  less,
  less_equal,
  equal,
  unequal,
  both,
  either,
  choose,  // choose: a ? b : c
  smaller,
  larger,
  magnitude,
  sign,
  nearest,  // min, max, abs, sign, rint
  sine,
  cosine,
  tangent,
  arc_sine,
  arc_cosine,
  arc_tangent,
  arc_tangent_2,
  sinh,
  cosh,
  tanh,
  asinh,
  acosh,
  atanh,
  exponential,
  logarithm,
  logarithm_2,
  logarithm_10,
  square_root,
};

/// Places are few: operands that need most are computed first, so that n operations need about log2(n).
inline constexpr int kPlaces = 32;

struct Instruction {
  Op op = Op::constant;
  unsigned char to = 0, a = 0, b = 0, c = 0;  ///< places
  double k = 0;
};

struct Program {
  std::vector<Instruction> code;  ///< the answer is left in place 0
  bool bends = false;             ///< has an operation whose features may be small (sine, exp, ..)
  bool steady = true;             ///< and their arguments are linear in x and y, all of them sines
};

/// Reads the text; throws InputError that begins with `what`. The language is that of docs/terrain.md.
Program compile(const std::string& text, const std::vector<std::pair<std::string, double>>& parameters,
                const std::string& what);

/// The value of one operation on constants.
double value_of(const Instruction& instruction, double a, double b, double c);

}  // namespace scree::formula
