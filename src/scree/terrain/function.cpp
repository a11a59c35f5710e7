#include "scree/terrain/function.hpp"

#include "scree/terrain/extent.hpp"
#include "scree/terrain/kinds.hpp"

namespace scree {

Function::Function(const ExpressionSettings& settings)
    : expression_(settings, "function"), text_(settings.text) {}

HeightField sampled_field(const GridGeometry& g, const Terrain& terrain, int threads) {
  return sampled_field(g, "samples", threads, [&](int n, const double* x, const double* y, double* z) {
    std::vector<double> slopes(2 * static_cast<std::size_t>(n));
    terrain.sample({n, x, y, z, slopes.data(), slopes.data() + n});
  });
}

namespace {

struct FunctionSettings {
  ExpressionSettings expression;
  bool sampled = false;
  Extent extent;
  GridOptions options{.name = "function on a grid"};
};

void describe(Section& s, FunctionSettings& x) {
  s.text("expression", x.expression.text,
         {.unit = "m",
          .doc = "Height as an expression in x and y, e.g. a * sin(2 * pi * x / l)",
          .required = true});
  s.named_numbers("parameters", x.expression.parameters,
                  {.unit = "-", .doc = "Named constants of the expression"});
  s.boolean("sampled", x.sampled,
            {.unit = "-", .doc = "Sample onto a grid (fast) in place of evaluating at every point (exact)"});
  describe(s, x.extent);
  describe(s, x.options);
}

}  // namespace

TerrainPtr make_function(Section& s, const MakeContext& context) {
  const auto x = read_keys<FunctionSettings>(s);
  if (s.documenting()) return nullptr;
  if (!x.sampled) return std::make_unique<Function>(x.expression);
  const GridGeometry geometry = geometry_of(x.extent, x.options.name);
  const Expression expression(x.expression, "function");
  return std::make_unique<Grid>(sampled_field(geometry, x.options.name, context.threads,
                                              [&](int n, const double* px, const double* py, double* z) {
                                                expression.values(n, px, py, z);
                                              }),
                                x.options);
}

}  // namespace scree
