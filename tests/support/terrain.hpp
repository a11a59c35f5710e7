#pragma once
/// Ground from the text of a `[terrain]` table.
#include <memory>
#include <string>

#include "scree/config/section.hpp"
#include "scree/terrain/make.hpp"

namespace scree::testing {

inline std::unique_ptr<const Terrain> terrain_of(const std::string& text) {
  const Document document = Document::from_text(text);
  Section section = document.root();
  return make_terrain(section, {});
}

}  // namespace scree::testing
