#include "scree/terrain/expression.hpp"

#include "scree/core/errors.hpp"

#ifndef SCREE_HAVE_MUPARSER
namespace scree {

struct Expression::Impl {};

Expression::Expression(const ExpressionSettings& settings, const std::string& what, int) {
  input_error("{}: expression '{}' needs muParser: configure with -DSCREE_MUPARSER=ON and install it", what,
              settings.text);
}
Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
void Expression::values(int, const double*, const double*, double*) const {}
void Expression::gradients(const TerrainRow&) const {}

}  // namespace scree
#endif
