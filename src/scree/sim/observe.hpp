#pragma once
/// The stage `report`: every quantity that can be logged, plotted or shown, as a signal.
#include "scree/sim/signals.hpp"
#include "scree/sim/world.hpp"

namespace scree {

/// All signals of a world, in the order in which observe() writes their values.
SignalCatalog signal_catalog(const World& world);

/// Values of all signals at this instant, forces and accelerations evaluated at the state itself.
/// `values` has the size of the catalog. The state is not changed; no allocation.
void observe(const World& world, const State& state, SimWorkspace& workspace, std::span<double> values);

}  // namespace scree
