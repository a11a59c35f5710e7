#pragma once
/// The stage `report`: every quantity that can be logged, plotted or shown, as a signal.
#include "scree/sim/signals.hpp"
#include "scree/sim/world.hpp"

namespace scree {

/// What must be computed of a robot for its signals: nothing, where things are and how fast, forces and
/// accelerations, stability. Each includes those before it.
enum class Effort : char { none, motion, forces, stability };

/// All signals of a world, in the order in which observe() writes their values.
SignalCatalog signal_catalog(const World& world);
/// The effort, per robot, that the signals with a nonzero place in `wanted` take. `wanted` is in the order of
/// the catalog.
std::vector<Effort> efforts_for(const World& world, std::span<const char> wanted);

/// Values of all signals at this instant, forces and accelerations evaluated at the state itself.
/// `values` has the size of the catalog. The state is not changed; no allocation. With `efforts` (one a
/// robot) only that much is computed; the values of other signals mean nothing.
void observe(const World& world, const State& state, SimWorkspace& workspace, std::span<double> values,
             std::span<const Effort> efforts = {});

}  // namespace scree
