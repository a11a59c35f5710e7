/// scree validate fbm: synthesis then identification, and heights against the closed form.
#include "scree/app/validation.hpp"
#include "scree/terrain/validate_fbm.hpp"

namespace scree {

std::vector<ValidationRow> validate_fractal() {
  std::vector<ValidationRow> rows;
  for (const FbmCheck& c : validate_fbm()) {
    const double scale = c.relative ? 100 : 1;
    rows.push_back({"fbm " + c.name, c.relative ? "%" : "-", std::nullopt, scale * c.error, scale * c.bar});
  }
  return rows;
}

}  // namespace scree
