#include <cstdio>

#include "scree/config/section.hpp"
#include "scree/terrain/make.hpp"

int main() {
  const auto document = scree::Document::from_text("kind = \"flat\"\nheight = 1.5\n");
  auto section = document.root();
  const auto terrain = scree::make_terrain(section);
  std::printf("%g\n", terrain->height(3, 4));
}
