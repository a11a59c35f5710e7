#pragma once
#include "scree/view/image.hpp"

namespace scree::view {

/// A tile of natural ground that repeats without seam: small slopes in red and green (0.5 = level), grain in
/// blue, broad patches in alpha. The same numbers on every machine.
Image ground_noise(int size = 512);

}  // namespace scree::view
