/// From text to a program: recursive descent into a tree whose constant parts are computed at once, then a
/// walk over it that needs few places.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/core/types.hpp"
#include "scree/terrain/expression_program.hpp"

namespace scree::formula {
namespace {

constexpr std::size_t kLongest = 10000;    // characters
constexpr int kDeepest = 256;              // levels of parentheses, signs, powers and ?:
constexpr std::size_t kShown = 120;        // characters of the text in a message
constexpr double kLargestWholePower = 64;  // by squares; others by logarithms

struct Callable {
  std::string_view name;
  Op op;
  int arguments;  // 0: one or more
  enum class Many { none, fold, sum, mean } many = Many::none;
};
constexpr std::array kFunctions{
    Callable{"sin", Op::sine, 1},
    Callable{"cos", Op::cosine, 1},
    Callable{"tan", Op::tangent, 1},
    Callable{"asin", Op::arc_sine, 1},
    Callable{"acos", Op::arc_cosine, 1},
    Callable{"atan", Op::arc_tangent, 1},
    Callable{"atan2", Op::arc_tangent_2, 2},
    Callable{"sinh", Op::sinh, 1},
    Callable{"cosh", Op::cosh, 1},
    Callable{"tanh", Op::tanh, 1},
    Callable{"asinh", Op::asinh, 1},
    Callable{"acosh", Op::acosh, 1},
    Callable{"atanh", Op::atanh, 1},
    Callable{"exp", Op::exponential, 1},
    Callable{"ln", Op::logarithm, 1},
    Callable{"log", Op::logarithm, 1},
    Callable{"log2", Op::logarithm_2, 1},
    Callable{"log10", Op::logarithm_10, 1},
    Callable{"sqrt", Op::square_root, 1},
    Callable{"abs", Op::magnitude, 1},
    Callable{"sign", Op::sign, 1},
    Callable{"rint", Op::nearest, 1},
    Callable{"min", Op::smaller, 0, Callable::Many::fold},
    Callable{"max", Op::larger, 0, Callable::Many::fold},
    Callable{"sum", Op::plus, 0, Callable::Many::sum},
    Callable{"avg", Op::plus, 0, Callable::Many::mean},
};
const Callable* function_of(std::string_view name) {
  const auto it =
      std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Callable& f) { return f.name == name; });
  return it == kFunctions.end() ? nullptr : &*it;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool in_name(char c) { return begins_name(c) || is_digit(c); }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// A part of the tree; parts come after those that they are made of.
struct Part {
  Op op = Op::constant;
  int of[3] = {-1, -1, -1};
  double k = 0;
  bool linear = true;  ///< in x and y
  int need = 1;        ///< places that it is computed in
  int count() const { return of[2] >= 0 ? 3 : of[1] >= 0 ? 2 : of[0] >= 0 ? 1 : 0; }
};

class Tree {
 public:
  int constant(double k) { return add({.op = Op::constant, .k = k}); }
  int coordinate(bool x) { return add({.op = x ? Op::x : Op::y}); }
  /// An operation on parts; on constants it is done at once.
  int make(Op op, int a, int b = -1, int c = -1, double k = 0) {
    Part p{.op = op, .of = {a, b, c}, .k = k};
    bool fixed = true, linear = true;
    double value[3] = {};
    for (int i = 0; i < p.count(); ++i) {
      const Part& child = parts_[static_cast<std::size_t>(p.of[i])];
      fixed = fixed && child.op == Op::constant, linear = linear && child.linear;
      value[i] = child.k;
    }
    if (fixed) return constant(value_of({op, 0, 0, 1, 2, k}, value[0], value[1], value[2]));
    p.linear = linear && (op == Op::plus_k || op == Op::times_k || op == Op::over_k || op == Op::k_minus ||
                          op == Op::negative || op == Op::plus || op == Op::minus);
    return add(p);
  }
  int plus(int a, int b) {
    if (is_constant(b)) return make(Op::plus_k, a, -1, -1, k(b));
    if (is_constant(a)) return make(Op::plus_k, b, -1, -1, k(a));
    return make(Op::plus, a, b);
  }
  int minus(int a, int b) {
    if (is_constant(b)) return make(Op::plus_k, a, -1, -1, -k(b));
    if (is_constant(a)) return make(Op::k_minus, b, -1, -1, k(a));
    return make(Op::minus, a, b);
  }
  int times(int a, int b) {
    if (is_constant(a)) std::swap(a, b);
    if (!is_constant(b)) return make(Op::times, a, b);
    const Op op = parts_[static_cast<std::size_t>(a)].op;
    if (op == Op::x || op == Op::y) return add({.op = op == Op::x ? Op::scaled_x : Op::scaled_y, .k = k(b)});
    return make(Op::times_k, a, -1, -1, k(b));
  }
  int over(int a, int b) {
    if (is_constant(b)) {
      // The inverse of a power of two is exact.
      int exponent = 0;
      if (std::abs(std::frexp(k(b), &exponent)) == 0.5 && std::abs(exponent) < 1000)
        return times(a, constant(1 / k(b)));
      return make(Op::over_k, a, -1, -1, k(b));
    }
    if (is_constant(a)) return make(Op::k_over, b, -1, -1, k(a));
    return make(Op::over, a, b);
  }
  int power(int a, int b) {
    if (!is_constant(b)) return make(Op::power, a, b);
    const double n = k(b);
    if (n == 0.5) return make(Op::square_root, a);
    const bool whole = std::floor(n) == n && std::abs(n) <= kLargestWholePower;
    return make(whole ? Op::whole_power : Op::power_k, a, -1, -1, n);
  }

  /// Operands that need most places come first; `base` and those behind it are free for a part.
  Program program(int root, const std::string& what) const {
    Program out;
    struct Task {
      int part, base;
      bool ready;
    };
    std::vector<Task> tasks{{root, 0, false}};
    while (!tasks.empty()) {
      const Task task = tasks.back();
      tasks.pop_back();
      const Part& p = parts_[static_cast<std::size_t>(task.part)];
      const std::array order = by_need(p);
      if (!task.ready) {
        if (task.base + p.need > kPlaces) input_error("{}: the expression is too long", what);
        tasks.push_back({task.part, task.base, true});
        for (int i = p.count(); i-- > 0;) tasks.push_back({p.of[order[i]], task.base + i, false});
        continue;
      }
      Instruction instruction{p.op, static_cast<unsigned char>(task.base), 0, 0, 0, p.k};
      unsigned char* places[3] = {&instruction.a, &instruction.b, &instruction.c};
      for (int i = 0; i < p.count(); ++i) *places[order[i]] = static_cast<unsigned char>(task.base + i);
      note_bends(p, out);
      out.code.push_back(instruction);
    }
    return out;
  }

 private:
  bool is_constant(int i) const { return parts_[static_cast<std::size_t>(i)].op == Op::constant; }
  double k(int i) const { return parts_[static_cast<std::size_t>(i)].k; }
  std::array<int, 3> by_need(const Part& p) const {
    std::array order{0, 1, 2};
    std::stable_sort(order.begin(), order.begin() + p.count(), [&](int i, int j) {
      return parts_[static_cast<std::size_t>(p.of[i])].need > parts_[static_cast<std::size_t>(p.of[j])].need;
    });
    return order;
  }
  int add(Part p) {
    const std::array order = by_need(p);
    for (int i = 0; i < p.count(); ++i)
      p.need = std::max(p.need, parts_[static_cast<std::size_t>(p.of[order[i]])].need + i);
    parts_.push_back(p);
    return static_cast<int>(parts_.size()) - 1;
  }
  void note_bends(const Part& p, Program& out) const {
    switch (p.op) {
      case Op::sine:
      case Op::cosine:
      case Op::tangent:
        out.bends = true;
        out.steady = out.steady && parts_[static_cast<std::size_t>(p.of[0])].linear;
        break;
      case Op::exponential:
      case Op::tanh:
      case Op::arc_tangent:
        out.bends = true, out.steady = false;
        break;
      default:
        break;
    }
  }

  std::vector<Part> parts_;
};

class Reader {
 public:
  Reader(const std::string& text, const std::vector<std::pair<std::string, double>>& parameters,
         const std::string& what)
      : text_(text), parameters_(parameters), what_(what) {}

  Program read() {
    skip();
    if (at_ == text_.size()) input_error("{}: the expression is empty", what_);
    const int root = ternary();
    if (at_ < text_.size()) refuse_rest();
    return tree_.program(root, what_);
  }

 private:
  using Many = Callable::Many;

  /// One level deeper, within bounds: a thousand parentheses are refused before they fill the stack.
  class Level {
   public:
    explicit Level(Reader& reader) : reader_(reader) {
      if (++reader.depth_ > kDeepest)
        reader.fail(reader.at_, fmt::format("nested deeper than {} levels", kDeepest));
    }
    ~Level() { --reader_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Reader& reader_;
  };

  [[noreturn]] void fail(std::size_t at, const std::string& why) const {
    std::string shown = one_line(std::string_view(text_).substr(0, kShown));
    if (text_.size() > kShown) shown += "...";
    input_error("{}: expression '{}' does not parse: at character {}: {}", what_, shown, at + 1, why);
  }
  /// What stands at a place, for a message.
  std::string found(std::size_t at) const {
    if (at >= text_.size()) return "but it ends";
    std::size_t end = at + 1;
    if (in_name(text_[at]))
      while (end < text_.size() && in_name(text_[end]) && end - at < kShown) ++end;
    if (text_[at] < ' ' || text_[at] > '~') return "found a character that no expression has";
    return fmt::format("found '{}'", text_.substr(at, end - at));
  }
  [[noreturn]] void refuse_rest() const {
    const char c = text_[at_];
    if (c == ',') fail(at_, "several values: one is wanted (a decimal comma?)");
    if (c == ')') fail(at_, "')' without '('");
    if (c == ':') fail(at_, "':' without '?'");
    if (c == '=') fail(at_, "'=' gives no value: == compares");
    if (c == '&' || c == '|') fail(at_, fmt::format("write {0}{0} for {1}", c, c == '&' ? "and" : "or"));
    if (c == '!') fail(at_, "write != to compare, or 'a == 0' for not a");
    const bool factor = in_name(c) || c == '(' || c == '.';
    fail(at_, fmt::format("expected an operator, {}{}", found(at_), factor ? " (a * is missing?)" : ""));
  }

  void skip() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  bool take(std::string_view symbol) {
    if (text_.compare(at_, symbol.size(), symbol) != 0) return false;
    at_ += symbol.size();
    skip();
    return true;
  }
  void expect(char symbol, const char* or_else) {
    if (at_ < text_.size() && text_[at_] == symbol) {
      ++at_;
      return skip();
    }
    // Other characters that cannot stand here have a better reason than the missing one.
    if (at_ < text_.size() && text_[at_] != ',' && text_[at_] != ')' && text_[at_] != ':') refuse_rest();
    fail(at_, fmt::format("expected {}, {}", or_else, found(at_)));
  }

  int ternary() {
    const Level level(*this);
    const int condition = either();
    if (!take("?")) return condition;
    const int yes = ternary();
    expect(':', "':' and the value for no");
    const int no = ternary();
    return tree_.make(Op::choose, condition, yes, no);
  }
  int either() {
    int a = both();
    while (take("||")) {
      const int b = both();
      a = tree_.make(Op::either, a, b);
    }
    return a;
  }
  int both() {
    int a = comparison();
    while (take("&&")) {
      const int b = comparison();
      a = tree_.make(Op::both, a, b);
    }
    return a;
  }
  int comparison() {
    int a = sum();
    for (;;) {
      if (take("<=")) {
        const int b = sum();
        a = tree_.make(Op::less_equal, a, b);
      } else if (take(">=")) {
        const int b = sum();
        a = tree_.make(Op::less_equal, b, a);
      } else if (take("==")) {
        const int b = sum();
        a = tree_.make(Op::equal, a, b);
      } else if (take("!=")) {
        const int b = sum();
        a = tree_.make(Op::unequal, a, b);
      } else if (take("<")) {
        const int b = sum();
        a = tree_.make(Op::less, a, b);
      } else if (take(">")) {
        const int b = sum();
        a = tree_.make(Op::less, b, a);
      } else {
        return a;
      }
    }
  }
  int sum() {
    int a = product();
    for (;;) {
      if (take("+")) {
        const int b = product();
        a = tree_.plus(a, b);
      } else if (take("-")) {
        const int b = product();
        a = tree_.minus(a, b);
      } else {
        return a;
      }
    }
  }
  int product() {
    int a = sign();
    for (;;) {
      if (take("*")) {
        const int b = sign();
        a = tree_.times(a, b);
      } else if (take("/")) {
        const int b = sign();
        a = tree_.over(a, b);
      } else {
        return a;
      }
    }
  }
  /// Signs bind less than powers: -2^2 is -4, 2^-1 is 1/2.
  int sign() {
    const Level level(*this);
    if (take("-")) return tree_.make(Op::negative, sign());
    if (take("+")) return sign();
    const int base = primary();
    if (!take("^")) return base;
    return tree_.power(base, sign());
  }
  int primary() {
    if (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return number();
      if (begins_name(c)) return name();
    }
    const std::size_t from = at_;
    if (!take("(")) fail(at_, "expected a number, a name or '(', " + found(at_));
    const int inner = ternary();
    if (at_ < text_.size() && text_[at_] == ',')
      fail(at_, "',' parts the arguments of a function only (a decimal comma?)");
    expect(')', fmt::format("')' for the '(' at character {}", from + 1).c_str());
    return inner;
  }
  int number() {
    const std::size_t from = at_;
    const auto digits = [this] {
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    };
    digits();
    if (at_ < text_.size() && text_[at_] == '.') ++at_, digits();
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      std::size_t next = at_ + 1;
      if (next < text_.size() && (text_[next] == '+' || text_[next] == '-')) ++next;
      if (next < text_.size() && is_digit(text_[next])) at_ = next, digits();
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text_.data() + from, text_.data() + at_, value);
    if (error != std::errc() || end != text_.data() + at_)
      fail(from, fmt::format("the number {} is too large or too small",
                             text_.substr(from, std::min(at_ - from, kShown))));
    skip();
    return tree_.constant(value);
  }
  int name() {
    const std::size_t from = at_;
    while (at_ < text_.size() && in_name(text_[at_])) ++at_;
    const std::string word = text_.substr(from, at_ - from);
    skip();
    if (word == "x" || word == "y") return tree_.coordinate(word == "x");
    if (word == "pi" || word == "_pi") return tree_.constant(kPi);
    if (word == "_e") return tree_.constant(2.7182818284590452);
    for (const auto& [known, value] : parameters_)
      if (known == word) return tree_.constant(value);
    const bool called = at_ < text_.size() && text_[at_] == '(';
    if (const Callable* f = function_of(word)) {
      if (!called) fail(from, fmt::format("function '{0}' needs its argument in parentheses: {0}(..)", word));
      return call(*f, from);
    }
    std::vector<std::string> known;
    if (!called) {
      known = {"x", "y", "pi"};
      for (const auto& parameter : parameters_) known.push_back(parameter.first);
    }
    for (const Callable& f : kFunctions) known.emplace_back(f.name);
    fail(from, fmt::format("unknown {} '{}'{}", called ? "function" : "name", word.substr(0, kShown),
                           name_hint(word, known)));
  }
  int call(const Callable& f, std::size_t from) {
    take("(");
    std::vector<int> arguments;
    if (at_ < text_.size() && text_[at_] == ')') fail(at_, fmt::format("{} of nothing", f.name));
    do {
      arguments.push_back(ternary());
    } while (take(","));
    expect(')', fmt::format("')' or ',' behind the argument of {}", f.name).c_str());
    const int count = static_cast<int>(arguments.size());
    if (f.arguments > 0 && count != f.arguments)
      fail(from,
           fmt::format("{} takes {} argument{}, not {}{}", f.name, f.arguments, f.arguments == 1 ? "" : "s",
                       count, count > f.arguments ? " (a decimal comma?)" : ""));
    if (f.many == Many::none) return tree_.make(f.op, arguments[0], f.arguments == 2 ? arguments[1] : -1);
    int all = arguments[0];
    for (int i = 1; i < count; ++i)
      all = f.many == Many::fold ? tree_.make(f.op, all, arguments[static_cast<std::size_t>(i)])
                                 : tree_.plus(all, arguments[static_cast<std::size_t>(i)]);
    return f.many == Many::mean ? tree_.over(all, tree_.constant(count)) : all;
  }

  const std::string& text_;
  const std::vector<std::pair<std::string, double>>& parameters_;
  const std::string& what_;
  Tree tree_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

void check_parameter(const std::string& name, double value, const std::string& what) {
  const std::string shown = one_line(std::string_view(name).substr(0, kShown));
  if (name == "x" || name == "y")
    input_error("{}: parameter '{}' hides a coordinate: rename it", what, shown);
  if (name == "pi" || name == "_pi" || name == "_e")
    input_error("{}: parameter '{}' is a constant already: rename it", what, shown);
  if (function_of(name)) input_error("{}: parameter '{}' is a function already: rename it", what, shown);
  if (name.empty() || !begins_name(name[0]) || !std::all_of(name.begin(), name.end(), in_name))
    input_error("{}: parameter '{}' is no name: letters, digits and _, no digit first", what, shown);
  if (!std::isfinite(value)) input_error("{}: parameter {} = {} must be finite", what, shown, value);
}

}  // namespace

Program compile(const std::string& text, const std::vector<std::pair<std::string, double>>& parameters,
                const std::string& what) {
  if (text.size() > kLongest)
    input_error("{}: an expression of {} characters: at most {}", what, text.size(), kLongest);
  for (const auto& [name, value] : parameters) check_parameter(name, value, what);
  return Reader(text, parameters, what).read();
}

}  // namespace scree::formula
