#include <fmt/core.h>
#include <muParser.h>

#include <array>
#include <atomic>
#include <cmath>
#include <thread>

#include "scree/core/errors.hpp"
#include "scree/core/types.hpp"
#include "scree/terrain/expression.hpp"

namespace scree {

/// One compiled expression with its own variables. muParser's Eval writes to the parser, so a parser serves
/// one thread at a time.
struct ExpressionEvaluator {
  mu::Parser parser;
  double x = 0, y = 0;
  std::atomic_flag busy = ATOMIC_FLAG_INIT;

  double at(double new_x, double new_y) {
    x = new_x;
    y = new_y;
    return parser.Eval();
  }
};

namespace {

void prepare(ExpressionEvaluator& e, const ExpressionSettings& s, const std::string& what) {
  try {
    e.parser.DefineConst("pi", kPi);
    e.parser.DefineVar("x", &e.x);
    e.parser.DefineVar("y", &e.y);
    for (const auto& [name, value] : s.parameters) {
      if (name == "x" || name == "y")
        input_error("{}: parameter '{}' hides a coordinate: rename it", what, name);
      if (name == "pi") input_error("{}: parameter 'pi' is a constant already: rename it", what);
      if (!std::isfinite(value)) input_error("{}: parameter {} = {} must be finite", what, name, value);
      e.parser.DefineConst(name, value);
    }
    e.parser.SetExpr(s.text);
    e.parser.Eval();
  } catch (const mu::Parser::exception_type& error) {
    input_error("{}: expression '{}' does not parse: {}", what, s.text, error.GetMsg());
  }
  if (e.parser.GetNumResults() != 1) {
    input_error("{}: expression '{}' gives {} values: one is wanted (a decimal comma?)", what, s.text,
                e.parser.GetNumResults());
  }
}

}  // namespace

struct Expression::Impl {
  std::vector<std::unique_ptr<ExpressionEvaluator>> pool;

  /// Lends an evaluator for a row of points.
  class Lease {
   public:
    explicit Lease(const Impl& impl) {
      for (std::size_t k = 0;; k = (k + 1) % impl.pool.size()) {
        evaluator_ = impl.pool[k].get();
        if (!evaluator_->busy.test_and_set(std::memory_order_acquire)) return;
        if (k + 1 == impl.pool.size()) std::this_thread::yield();
      }
    }
    ~Lease() { evaluator_->busy.clear(std::memory_order_release); }
    Lease(const Lease&) = delete;
    ExpressionEvaluator& operator*() const { return *evaluator_; }

   private:
    ExpressionEvaluator* evaluator_;
  };
};

Expression::Expression(const ExpressionSettings& settings, const std::string& what, int threads)
    : impl_(std::make_unique<Impl>()) {
  if (settings.text.empty()) input_error("{}: the expression is empty", what);
  for (int k = 0; k < std::max(threads, 1); ++k) {
    impl_->pool.push_back(std::make_unique<ExpressionEvaluator>());
    prepare(*impl_->pool.back(), settings, what);
  }
}
Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;

void Expression::values(int count, const double* x, const double* y, double* z) const {
  const Impl::Lease lease(*impl_);
  for (int k = 0; k < count; ++k) z[k] = (*lease).at(x[k], y[k]);
}

void Expression::gradients(const TerrainRow& row) const {
  constexpr double h = 1.0 / 8192;
  const Impl::Lease lease(*impl_);
  ExpressionEvaluator& f = *lease;
  for (int k = 0; k < row.count; ++k) {
    const double x = row.x[k], y = row.y[k];
    row.z[k] = f.at(x, y);
    row.slope_x[k] =
        (8 * (f.at(x + h, y) - f.at(x - h, y)) - (f.at(x + 2 * h, y) - f.at(x - 2 * h, y))) / (12 * h);
    row.slope_y[k] =
        (8 * (f.at(x, y + h) - f.at(x, y - h)) - (f.at(x, y + 2 * h) - f.at(x, y - 2 * h))) / (12 * h);
  }
}

}  // namespace scree
