#include "scree/terrain/expression.hpp"

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/types.hpp"
#include "scree/terrain/expression_ranges.hpp"

namespace scree {
namespace formula {
namespace {

/// A value and, where they are wanted, its derivatives by x and y; of numbers (Lanes) or of ranges.
template <class T>
struct Jet {
  T v, dx, dy;
};

/// An infinite slope of an argument that does not move is none.
inline Lanes at_rest(Lanes slope, Lanes rate) { return select(rate == 0.0, Lanes{}, slope * rate); }
inline Range at_rest(const Range& slope, const Range& rate) { return slope * rate; }

inline Lanes divided(Lanes a, double k) { return a / k; }
inline Range divided(const Range& a, double k) { return a / checked(range(k), ~Mask{}); }
inline Lanes constant_as(double k, Lanes) { return lanes(k); }
/// Constants were computed beforehand: ln(-1) is no number here either.
inline Range constant_as(double k, const Range&) { return checked(range(k), ~Mask{}); }

/// Truth of numbers as 1 and 0; of ranges as far as it is certain.
struct Verdict {
  Mask yes, no;
};
template <class F>
inline Jet<Range> verdict_range(const F& f) {
  const auto [yes, no] = f();
  const Mask open = ~(yes | no);
  const Range rate = select(open, anything(), range(0));
  return {
      {lane::select(yes, lanes(1.0), Lanes{}), lane::select(no, Lanes{}, lanes(1.0)), Mask{}}, rate, rate};
}
inline Verdict truth(const Range& r) {
  return {((r.lo > 0.0) | (r.hi < 0.0)) & ~r.bad, (r.lo == 0.0) & (r.hi == 0.0) & ~r.bad};
}
inline Jet<Lanes> verdict(Mask yes) { return {select(yes, lanes(1.0), Lanes{}), Lanes{}, Lanes{}}; }

inline Jet<Lanes> compare(Op op, const Jet<Lanes>& a, const Jet<Lanes>& b) {
  switch (op) {
    case Op::less:
      return verdict(a.v < b.v);
    case Op::less_equal:
      return verdict(a.v <= b.v);
    case Op::equal:
      return verdict(a.v == b.v);
    case Op::unequal:
      return verdict(a.v != b.v);
    case Op::both:
      return verdict((a.v != 0.0) & (b.v != 0.0));
    default:
      return verdict((a.v != 0.0) | (b.v != 0.0));
  }
}
inline Jet<Range> compare(Op op, const Jet<Range>& a, const Jet<Range>& b) {
  return verdict_range([&]() -> Verdict {
    const Range &p = a.v, &q = b.v;
    const Mask good = ~(p.bad | q.bad);
    const Mask same = (p.lo == p.hi) & (q.lo == q.hi) & (p.lo == q.lo);
    const Mask apart = (p.hi < q.lo) | (p.lo > q.hi);
    const Verdict s = truth(p), t = truth(q);
    switch (op) {
      case Op::less:
        return {(p.hi < q.lo) & good, (p.lo >= q.hi) & good};
      case Op::less_equal:
        return {(p.hi <= q.lo) & good, (p.lo > q.hi) & good};
      case Op::equal:
        return {same & good, apart & good};
      case Op::unequal:
        return {apart & good, same & good};
      case Op::both:
        return {s.yes & t.yes, s.no | t.no};
      default:
        return {s.yes | t.yes, s.no & t.no};
    }
  });
}

inline Jet<Lanes> pick(Mask m, const Jet<Lanes>& yes, const Jet<Lanes>& no) {
  return {select(m, yes.v, no.v), select(m, yes.dx, no.dx), select(m, yes.dy, no.dy)};
}
inline Jet<Range> pick(Mask m, const Jet<Range>& yes, const Jet<Range>& no) {
  return {select(m, yes.v, no.v), select(m, yes.dx, no.dx), select(m, yes.dy, no.dy)};
}
inline Jet<Lanes> chosen(const Jet<Lanes>& a, const Jet<Lanes>& b, const Jet<Lanes>& c) {
  return pick(a.v != 0.0, b, c);
}
inline Jet<Range> chosen(const Jet<Range>& a, const Jet<Range>& b, const Jet<Range>& c) {
  const Verdict t = truth(a.v);
  return pick(t.yes, b, pick(t.no, c, {hull(b.v, c.v), anything(), anything()}));
}
inline Jet<Lanes> larger(const Jet<Lanes>& a, const Jet<Lanes>& b) { return pick(a.v > b.v, a, b); }
inline Jet<Lanes> smaller(const Jet<Lanes>& a, const Jet<Lanes>& b) { return pick(a.v < b.v, a, b); }
inline Jet<Range> larger(const Jet<Range>& a, const Jet<Range>& b) {
  const Mask good = ~(a.v.bad | b.v.bad);
  const Range both{lane::max(a.v.lo, b.v.lo), lane::max(a.v.hi, b.v.hi), a.v.bad | b.v.bad};
  return pick((a.v.lo > b.v.hi) & good, a,
              pick((b.v.lo > a.v.hi) & good, b, {both, hull(a.dx, b.dx), hull(a.dy, b.dy)}));
}
inline Jet<Range> negated(const Jet<Range>& a) { return {-a.v, -a.dx, -a.dy}; }
inline Jet<Range> smaller(const Jet<Range>& a, const Jet<Range>& b) {
  return negated(larger(negated(a), negated(b)));
}

inline Jet<Lanes> sign_of(const Jet<Lanes>& a) {
  return {select(a.v > 0.0, lanes(1.0), select(a.v < 0.0, lanes(-1.0), a.v)), Lanes{}, Lanes{}};
}
/// Halves go up, as floor(a + 1/2).
inline Lanes nearest_of(Lanes v) {
  return one_by_one(v + 0.5, [](double t) { return std::floor(t); });
}
inline Jet<Lanes> nearest(const Jet<Lanes>& a) { return {nearest_of(a.v), Lanes{}, Lanes{}}; }
inline Jet<Range> steps(const Range& v) {
  const Range rate = select(v.lo == v.hi, range(0), anything());
  return {v, rate, rate};
}
inline Jet<Range> sign_of(const Jet<Range>& a) {
  const auto sign = [](Lanes v) {
    return lane::select(v > 0.0, lanes(1.0), lane::select(v < 0.0, lanes(-1.0), Lanes{}));
  };
  return steps({sign(a.v.lo), sign(a.v.hi), a.v.bad});
}
inline Jet<Range> nearest(const Jet<Range>& a) {
  return steps(checked({nearest_of(a.v.lo), nearest_of(a.v.hi), a.v.bad}, is_finite(a.v)));
}

/// What an argument's rates say about features; where nobody asks, nothing.
struct NoFeatures {
  template <class T>
  void wave(const Jet<T>&) {}
  template <class T>
  void rise(const Jet<T>&) {}
};
struct Features {
  static constexpr double kUnseen = 1e-3;  // of a function's value: a rise this low is none
  Lanes least = lanes(kInf);
  static Lanes most(const Range& r) { return lane::max(lane::abs(r.lo), lane::abs(r.hi)); }
  static Lanes gradient(const Jet<Range>& a) {
    const Lanes x = most(a.dx), y = most(a.dy);
    const Lanes size = lane::sqrt(x * x + y * y) * (1 + 1e-15);
    return lane::select(size < 1e-140, x + y, size);  // squares vanish there
  }
  void note(Lanes size) { least = lane::select((size > 0.0) & (size < least), size, least); }
  /// Half a wave of the sine of `a`.
  void wave(const Jet<Range>& a) { note(kPi / gradient(a)); }
  /// The way over which a function's result rises or falls.
  void rise(const Jet<Range>& result) {
    const Lanes height = result.v.hi - result.v.lo;
    note(lane::select(height > kUnseen, height / gradient(result), Lanes{}));
  }
};

/// The machine: T is Lanes or Range. Derivatives are left out where nobody asks.
template <bool kSlopes, class T, class Noted>
inline void run(const std::vector<Instruction>& code, const T& x, const T& y, Jet<T>* place, Noted& noted) {
  const T zero = constant_as(0, T{}), one = constant_as(1, T{});
  for (const Instruction& i : code) {
    const Jet<T>&a = place[i.a], &b = place[i.b];
    Jet<T>& to = place[i.to];
    // A value, and its rate from those of the operands, along x and y alike.
    const auto with_rate = [&a, &b](const T& value, const auto& rate) -> Jet<T> {
      if constexpr (!kSlopes) return {value, T{}, T{}};
      return {value, rate(a.dx, b.dx), rate(a.dy, b.dy)};
    };
    const auto chain = [&with_rate](const Bent<T>& f) {
      return with_rate(f.value, [&f](const T& da, const T&) -> T { return f.slope * da; });
    };
    const auto chain_at_rest = [&with_rate](const Bent<T>& f) {
      return with_rate(f.value, [&f](const T& da, const T&) -> T { return at_rest(f.slope, da); });
    };
    const auto chain_two = [&with_rate](const Bent2<T>& f) {
      return with_rate(
          f.value, [&f](const T& da, const T& db) -> T { return at_rest(f.by_a, da) + at_rest(f.by_b, db); });
    };
    switch (i.op) {
      case Op::constant:
        to = {constant_as(i.k, T{}), zero, zero};
        break;
      case Op::x:
        to = {x, one, zero};
        break;
      case Op::y:
        to = {y, zero, one};
        break;
      case Op::scaled_x:
        to = {i.k * x, constant_as(i.k, T{}), zero};
        break;
      case Op::scaled_y:
        to = {i.k * y, zero, constant_as(i.k, T{})};
        break;
      case Op::plus_k:
        to = with_rate(a.v + i.k, [](const T& da, const T&) -> T { return da; });
        break;
      case Op::times_k:
        to = with_rate(i.k * a.v, [&i](const T& da, const T&) -> T { return i.k * da; });
        break;
      case Op::over_k:
        to = with_rate(divided(a.v, i.k), [&i](const T& da, const T&) -> T { return (1 / i.k) * da; });
        break;
      case Op::k_minus:
        to = with_rate(-a.v + i.k, [](const T& da, const T&) -> T { return -da; });
        break;
      case Op::k_over: {
        const T q = constant_as(i.k, T{}) / a.v;
        to = chain({q, -q / a.v});
        break;
      }
      case Op::plus:
        to = with_rate(a.v + b.v, [](const T& da, const T& db) -> T { return da + db; });
        break;
      case Op::minus:
        to = with_rate(a.v - b.v, [](const T& da, const T& db) -> T { return da - db; });
        break;
      case Op::times:
        to = with_rate(a.v * b.v, [&](const T& da, const T& db) -> T { return da * b.v + a.v * db; });
        break;
      case Op::over: {
        const T q = a.v / b.v;
        to = with_rate(q, [&](const T& da, const T& db) -> T { return (da - q * db) / b.v; });
        break;
      }
      case Op::power:
        to = chain_two(power(a.v, b.v));
        break;
      case Op::power_k:
        to = chain_at_rest(constant_power(a.v, i.k));
        break;
      case Op::whole_power:
        to = chain(whole_power(a.v, i.k));
        break;
      case Op::negative:
        to = with_rate(-a.v, [](const T& da, const T&) -> T { return -da; });
        break;
      case Op::less:
      case Op::less_equal:
      case Op::equal:
      case Op::unequal:
      case Op::both:
      case Op::either:
        to = compare(i.op, a, b);
        break;
      case Op::choose:
        to = chosen(a, b, place[i.c]);
        break;
      case Op::smaller:
        to = smaller(a, b);
        break;
      case Op::larger:
        to = larger(a, b);
        break;
      case Op::magnitude:
        to = chain(magnitude(a.v));
        break;
      case Op::sign:
        to = sign_of(a);
        break;
      case Op::nearest:
        to = nearest(a);
        break;
      case Op::sine:
        noted.wave(a);
        to = chain(sine(a.v));
        break;
      case Op::cosine:
        noted.wave(a);
        to = chain(cosine(a.v));
        break;
      case Op::tangent:
        noted.wave(a);
        to = chain(tangent(a.v));
        break;
      case Op::arc_sine:
        to = chain_at_rest(arc_sine(a.v));
        break;
      case Op::arc_cosine:
        to = chain_at_rest(arc_cosine(a.v));
        break;
      case Op::arc_tangent:
        to = chain(arc_tangent(a.v));
        noted.rise(to);
        break;
      case Op::arc_tangent_2:
        to = chain_two(arc_tangent_2(a.v, b.v));
        break;
      case Op::sinh:
        to = chain(hyperbolic_sine(a.v));
        break;
      case Op::cosh:
        to = chain(hyperbolic_cosine(a.v));
        break;
      case Op::tanh:
        to = chain(hyperbolic_tangent(a.v));
        noted.rise(to);
        break;
      case Op::asinh:
        to = chain(area_sine(a.v));
        break;
      case Op::acosh:
        to = chain_at_rest(area_cosine(a.v));
        break;
      case Op::atanh:
        to = chain_at_rest(area_tangent(a.v));
        break;
      case Op::exponential:
        to = chain(exponential(a.v));
        noted.rise(to);
        break;
      case Op::logarithm:
        to = chain(logarithm(a.v, 1));
        break;
      case Op::logarithm_2:
        to = chain(logarithm(a.v, kLn2));
        break;
      case Op::logarithm_10:
        to = chain(logarithm(a.v, kLn10));
        break;
      case Op::square_root:
        to = chain_at_rest(square_root(a.v));
        break;
    }
  }
}

/// Below this the contact search takes its quick way (ground/contact_search.hpp): worth a closer look.
constexpr double kGentleSlope = 0.6;

/// What a pass over four rectangles found, the widest of them.
struct Found {
  double low = kInf, high = -kInf, slope = 0, feature = kInf;
  void add(const Range& r) {
    for (int k = 0; k < kLanes; ++k) {
      low = std::min(low, r.bad[k] ? -kInf : r.lo[k]);
      high = std::max(high, r.bad[k] ? kInf : r.hi[k]);
    }
  }
};

void look_at(const Program& program, const Range& x, const Range& y, Found& found) {
  Jet<Range> place[kPlaces];
  Features features;
  run<true>(program.code, x, y, place, features);
  const Jet<Range>& r = place[0];
  const Lanes slope = lane::select(r.v.bad, lanes(kInf), Features::gradient(r));
  for (int k = 0; k < kLanes; ++k) {
    found.feature = std::min(found.feature, features.least[k]);
    if (!(slope[k] <= found.slope)) found.slope = std::isnan(slope[k]) ? kInf : slope[k];
  }
  found.add(r.v);
}
/// Values only: a third of the work.
void look_at_values(const Program& program, const Range& x, const Range& y, Found& found) {
  Jet<Range> place[kPlaces];
  NoFeatures none;
  run<false>(program.code, x, y, place, none);
  found.add(place[0].v);
}

/// The rectangle in `parts` (1, 2 or 4) a side.
template <class Look>
Found look_over(const Program& program, const Rectangle& area, int parts, const Look& look) {
  Found found;
  if (parts == 1) {
    look(program, Range{lanes(area.x_min), lanes(area.x_max), Mask{}},
         Range{lanes(area.y_min), lanes(area.y_max), Mask{}}, found);
    return found;
  }
  const auto cut = [parts](double low, double high, int k) {
    return k == parts ? high : low + (high - low) * k / parts;
  };
  for (int j = 0; j < parts; j += 2) {
    for (int i = 0; i < parts; i += 2) {
      Range x{}, y{};
      for (int k = 0; k < kLanes; ++k) {
        const int across = i + k % 2, along = j + k / 2;
        x.lo[k] = cut(area.x_min, area.x_max, across), x.hi[k] = cut(area.x_min, area.x_max, across + 1);
        y.lo[k] = cut(area.y_min, area.y_max, along), y.hi[k] = cut(area.y_min, area.y_max, along + 1);
      }
      look(program, x, y, found);
    }
  }
  return found;
}
Found look_over(const Program& program, const Rectangle& area, int parts) {
  return look_over(program, area, parts, look_at);
}

bool has_size(const Rectangle& a) {
  return std::isfinite(a.x_max - a.x_min) && std::isfinite(a.y_max - a.y_min);
}

/// Four points at a time; a row's end repeats its last point.
template <bool kSlopes, class Store>
void each_four(const Program& program, int count, const double* px, const double* py, const Store& store) {
  Jet<Lanes> place[kPlaces];
  NoFeatures none;
  for (int k = 0; k < count; k += kLanes) {
    const int left = std::min(kLanes, count - k);
    Lanes x, y;
    if (left == kLanes) {
      x = lane::load(px + k), y = lane::load(py + k);
    } else {
      for (int i = 0; i < kLanes; ++i)
        x[i] = px[k + std::min(i, left - 1)], y[i] = py[k + std::min(i, left - 1)];
    }
    run<kSlopes>(program.code, x, y, place, none);
    store(k, left, place[0]);
  }
}

/// Is the ground steep at one of four points? Then smaller parts cannot show that it is gentle.
bool is_steep(const Program& program, const Rectangle& area) {
  const double dx = 0.25 * (area.x_max - area.x_min), dy = 0.25 * (area.y_max - area.y_min);
  const double x[kLanes] = {area.x_min + dx, area.x_max - dx, area.x_min + dx, area.x_max - dx};
  const double y[kLanes] = {area.y_min + dy, area.y_min + dy, area.y_max - dy, area.y_max - dy};
  bool steep = false;
  each_four<true>(program, kLanes, x, y, [&steep](int, int, const Jet<Lanes>& p) {
    steep = lane::any(~(p.dx * p.dx + p.dy * p.dy < kGentleSlope * kGentleSlope));
  });
  return steep;
}

void put(double* to, int count, Lanes from) {
  if (count == kLanes) return lane::store(to, from);
  for (int i = 0; i < count; ++i) to[i] = from[i];
}

}  // namespace

double value_of(const Instruction& instruction, double a, double b, double c) {
  Jet<Lanes> place[kPlaces];
  place[instruction.a] = {lanes(a), Lanes{}, Lanes{}};
  place[instruction.b] = {lanes(b), Lanes{}, Lanes{}};
  place[instruction.c] = {lanes(c), Lanes{}, Lanes{}};
  NoFeatures none;
  run<false>({instruction}, Lanes{}, Lanes{}, place, none);
  return place[instruction.to].v[0];
}

}  // namespace formula

Expression::Expression(const ExpressionSettings& settings, const std::string& what)
    : program_(formula::compile(settings.text, settings.parameters, what)) {
  const formula::Found found = formula::look_over(program_, {}, 1);
  everywhere_ = {{found.low, found.high}, found.slope, std::isfinite(found.feature) ? found.feature : 0};
}

void Expression::values(int count, const double* x, const double* y, double* z) const {
  formula::each_four<false>(program_, count, x, y, [z](int k, int left, const formula::Jet<Lanes>& p) {
    formula::put(z + k, left, p.v);
  });
}

void Expression::gradients(const TerrainRow& row) const {
  formula::each_four<true>(program_, row.count, row.x, row.y,
                           [&row](int k, int left, const formula::Jet<Lanes>& p) {
                             formula::put(row.z + k, left, p.v);
                             formula::put(row.slope_x + k, left, p.dx);
                             formula::put(row.slope_y + k, left, p.dy);
                           });
}

double Expression::slope_bound(const Rectangle& area) const {
  if (everywhere_.slope < formula::kGentleSlope) return everywhere_.slope;
  if (!formula::has_size(area)) return formula::look_over(program_, area, 1).slope;
  const double slope = formula::look_over(program_, area, 2).slope;
  if (slope < formula::kGentleSlope || formula::is_steep(program_, area)) return slope;
  return formula::look_over(program_, area, 4).slope;
}

HeightRange Expression::range(const Rectangle& area) const {
  const formula::Found found =
      formula::look_over(program_, area, formula::has_size(area) ? 2 : 1, formula::look_at_values);
  return {found.low, found.high};
}

double Expression::feature(const Rectangle& area) const {
  if (!program_.bends) return 0;
  if (program_.steady) return everywhere_.feature;
  const formula::Found found = formula::look_over(program_, area, formula::has_size(area) ? 2 : 1);
  return std::isfinite(found.feature) ? found.feature : 0;
}

ExpressionBounds Expression::over(const Rectangle& area) const {
  const formula::Found found = formula::look_over(program_, area, formula::has_size(area) ? 4 : 1);
  return {{found.low, found.high}, found.slope, std::isfinite(found.feature) ? found.feature : 0};
}

}  // namespace scree
