#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/view/scene.hpp"

namespace scree::view {

std::vector<std::string> palette_names() { return {"earth", "mars", "moon"}; }

Palette palette_named(const std::string& name) {
  Palette p;
  p.low = rgb(0x8c7350);
  p.high = rgb(0xb8a077);
  p.steep = rgb(0x6f6558);
  if (name == "earth") return p;
  Environment& e = p.environment;
  if (name == "mars") {
    e.zenith = rgb(0xa98a6a);
    e.horizon = rgb(0xe0c3a0);
    e.sun = rgb(0xffe6cc);
    e.ground_bounce = rgb(0x93674b);
    e.sun_strength = 2.7f;
    e.visibility = 600.f;
    e.clouds = false;
    p.low = rgb(0x8f6044);
    p.high = rgb(0xb88a66);
    p.steep = rgb(0x6a4a3a);
    return p;
  }
  if (name == "moon") {
    e.zenith = rgb(0x020203);
    e.horizon = rgb(0x060607);
    e.sun = rgb(0xffffff);
    e.ground_bounce = rgb(0x707070);
    e.sun_strength = 4.2f;
    e.ambient = 0.5f;
    e.visibility = 1e6f;
    e.clouds = false;
    p.low = rgb(0x77756f);
    p.high = rgb(0x98958e);
    p.steep = rgb(0x65635f);
    return p;
  }
  input_error("palette '{}' is not known{}", name, name_hint(name, palette_names()));
}

}  // namespace scree::view
