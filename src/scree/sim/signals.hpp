#pragma once
/// A signal is a name, a unit and a place in a span of doubles. Logs, plots, the window and bindings for
/// other languages read all signals the same way.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

struct Signal {
  std::string name;  ///< "speed", "wheel.front_left.normal"; "rover.speed" when there are several robots
  std::string unit;  ///< "m/s", "-" for none
  std::string doc;
};

/// The names of all signals of a run, in the order of their values.
class SignalCatalog {
 public:
  /// Returns the place of the new signal.
  int add(Signal signal);
  std::span<const Signal> all() const { return signals_; }
  std::size_t size() const { return signals_.size(); }
  /// Place of a name; throws InputError with the nearest name.
  int find(std::string_view name) const;
  /// Places of all names that match one of the shell-style patterns, in catalog order. A pattern that
  /// matches nothing throws InputError with the nearest name.
  std::vector<int> match(std::span<const std::string> patterns) const;

 private:
  std::vector<Signal> signals_;
};

}  // namespace scree
