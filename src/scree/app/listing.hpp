#pragma once
/// What the program knows by name: models, scenarios, kinds of terrain, ...
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace scree {

struct Listing {
  std::string topic;  ///< "models"
  std::string doc;    ///< one line
  /// Name and one line about it.
  std::function<std::vector<std::pair<std::string, std::string>>()> entries;
};

/// All topics of `scree list`.
std::vector<Listing> listings();

}  // namespace scree
