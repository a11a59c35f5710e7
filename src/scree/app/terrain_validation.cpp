/// scree validate fbm: synthesis then identification, and heights against the closed form.
#include "scree/app/validation.hpp"
#include "scree/terrain/validate_fbm.hpp"

namespace scree {

Validation validate_fractal(const ValidationSetup&) {
  Validation v;
  for (const FbmCheck& c : validate_fbm()) {
    const double scale = c.relative ? 100 : 1;
    v.rows.push_back({"fbm " + c.name, c.relative ? "%" : "-", std::nullopt, scale * c.error, scale * c.bar});
  }
  return v;
}

}  // namespace scree
