#include "scree/terrain/function.hpp"

#include "scree/terrain/extent.hpp"
#include "scree/terrain/kinds.hpp"
#include "scree/terrain/parallel.hpp"

namespace scree {

Function::Function(const ExpressionSettings& settings, int threads)
    : expression_(settings, "function", threads), text_(settings.text) {}

HeightField sampled_field(const GridGeometry& g, const Terrain& terrain, int threads) {
  HeightField field = make_field(g, "samples");
  const double first = terrain.height(g.x_min, g.y_min);
  if (std::isfinite(first)) field.datum = std::round(first);
  in_parallel(threads, g.ny, [&](int begin, int end) {
    std::vector<double> x(g.nx), y(g.nx), z(g.nx), sx(g.nx), sy(g.nx);
    for (int i = 0; i < g.nx; ++i) x[i] = g.x(i);
    for (int j = begin; j < end; ++j) {
      std::fill(y.begin(), y.end(), g.y(j));
      terrain.sample({g.nx, x.data(), y.data(), z.data(), sx.data(), sy.data()});
      for (int i = 0; i < g.nx; ++i) field.at(i, j) = static_cast<float>(z[i] - field.datum);
    }
  });
  return field;
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
  if (!x.sampled) return std::make_unique<Function>(x.expression, context.threads + 1);
  const GridGeometry geometry = geometry_of(x.extent, x.options.name);
  const Expression expression(x.expression, "function", 1);
  return std::make_unique<Grid>(sampled_field(geometry, x.options.name,
                                              [&](int n, const double* px, const double* py, double* z) {
                                                expression.values(n, px, py, z);
                                              }),
                                x.options);
}

}  // namespace scree
