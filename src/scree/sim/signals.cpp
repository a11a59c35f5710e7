#include "scree/sim/signals.hpp"

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {
std::vector<std::string> names_of(std::span<const Signal> signals) {
  std::vector<std::string> names;
  for (const auto& signal : signals) names.push_back(signal.name);
  return names;
}
}  // namespace

int SignalCatalog::add(Signal signal) {
  signals_.push_back(std::move(signal));
  return static_cast<int>(signals_.size()) - 1;
}

int SignalCatalog::find(std::string_view name) const {
  for (std::size_t i = 0; i < signals_.size(); ++i) {
    if (signals_[i].name == name) return static_cast<int>(i);
  }
  input_error("no signal '{}'{}", name, name_hint(name, names_of(signals_)));
}

std::vector<int> SignalCatalog::match(std::span<const std::string> patterns) const {
  std::vector<char> wanted(signals_.size(), 0);
  for (const auto& pattern : patterns) {
    bool found = false;
    for (std::size_t i = 0; i < signals_.size(); ++i) {
      if (!matches_pattern(signals_[i].name, pattern)) continue;
      wanted[i] = 1;
      found = true;
    }
    if (!found) input_error("no signal matches '{}'{}", pattern, name_hint(pattern, names_of(signals_)));
  }
  std::vector<int> places;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i]) places.push_back(static_cast<int>(i));
  }
  return places;
}

}  // namespace scree
