/// What the page "as a library" promises: ground from a file's text or from an array, heights, rays.
#include <cstdio>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/terrain/grid.hpp"
#include "scree/terrain/make.hpp"

int main() {
  const auto document = scree::Document::from_text("kind = \"flat\"\nheight = 1.5\n");
  auto section = document.root();
  const auto terrain = scree::make_terrain(section);
  std::printf("%g\n", terrain->height(3, 4));

  const std::vector<double> heights{0, 0, 0, 2, 2, 2};  // two rows of three, along x
  const auto slope = scree::grid_from_heights(std::span(heights), {3, 2, 0, 0, 1, 1});
  const auto hit = slope->ray({{1, 0, 1}, {0, 1, 0}});
  std::printf("%g %g\n", slope->height(1, 0.25), hit ? hit->distance : -1);
}
