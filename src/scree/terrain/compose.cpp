/// `compose`: a base and features, exact or sampled onto a grid.
#include "scree/core/hash.hpp"
#include "scree/terrain/composite.hpp"
#include "scree/terrain/extent.hpp"
#include "scree/terrain/function.hpp"
#include "scree/terrain/kinds.hpp"

namespace scree {
namespace {

struct FeatureSettings {
  Placement placement;
  std::string blend = "add";
};

void describe(Section& s, FeatureSettings& x) {
  Placement& p = x.placement;
  s.vector("at", p.at, {.unit = "m", .doc = "Where the feature's origin lies"});
  s.angle("yaw", p.yaw, {.unit = "rad", .doc = "Turn of the feature, from +x towards +y"});
  s.vector("footprint", p.size,
           {.unit = "m",
            .doc = "Length and width of the part that counts, about its origin; 0: all of it",
            .range = not_negative()});
  s.number("margin", p.margin,
           {.unit = "m",
            .doc = "Inside the footprint's edge, over which the feature fades in",
            .range = not_negative()});
  s.number("scale", p.scale, {.unit = "-", .doc = "Multiplies the feature's heights"});
  s.number("lift", p.lift, {.unit = "m", .doc = "Added to the feature's heights"});
  s.choice("blend", x.blend, {"add", "replace", "highest", "lowest"},
           {.unit = "-", .doc = "Added to the ground, in its place, or where it is higher or lower"});
  p.blend = x.blend == "add"       ? Blend::add
            : x.blend == "replace" ? Blend::replace
            : x.blend == "highest" ? Blend::highest
                                   : Blend::lowest;
}

struct ComposeSettings {
  bool sampled = false;
  Extent extent;
  GridOptions options{.name = "compose"};
};

void describe(Section& s, ComposeSettings& x) {
  s.boolean("sampled", x.sampled,
            {.unit = "-", .doc = "Sample the whole onto a grid: faster with many features"});
  describe(s, x.extent);
  describe(s, x.options);
}

/// The base as samples: its own where it is a grid and no other extent is asked for, without a copy.
HeightField base_field(std::unique_ptr<const Terrain> base, const ComposeSettings& x, int threads) {
  const auto* grid = dynamic_cast<const Grid*>(base.get());
  const bool own_extent = (x.extent.size.array() == 0).all() && x.extent.cell == 0;
  // The maker that built the grid held it as mutable; nobody else has seen it.
  if (grid && own_extent) return std::move(const_cast<Grid&>(*grid)).release();
  return sampled_field(geometry_of(x.extent, "compose"), *base, threads);
}

}  // namespace

TerrainPtr make_compose(Section& s, const MakeContext& context) {
  const auto x = read_keys<ComposeSettings>(s);
  Section base_section = s.child("base", "The ground below the features: any kind");
  TerrainPtr base = make_terrain(base_section, context);
  std::vector<Feature> features;
  s.each("feature", "Ground placed on the base: any kind, with these keys beside its own", [&](Section& f) {
    const auto settings = read_keys<FeatureSettings>(f);
    // Every feature draws its own numbers, so that two of a kind differ.
    const std::uint64_t words[2] = {context.seed, features.size() + 1};
    TerrainPtr shape = make_terrain(f, {hash_bytes(words, sizeof words), context.threads});
    if (shape) features.emplace_back(std::move(shape), settings.placement);
  });
  if (s.documenting()) return nullptr;
  if (!x.sampled) return std::make_unique<Composite>(std::move(base), std::move(features));
  HeightField field = base_field(std::move(base), x, context.threads);
  add_features(field, features, context.threads);
  return std::make_unique<Grid>(std::move(field), x.options);
}

}  // namespace scree
