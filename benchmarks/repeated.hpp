#pragma once
/// Several short measurements: the least is what the code costs, how far the others lie above it is what else
/// the machine was doing.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

namespace scree {

inline void repeated(benchmark::internal::Benchmark* benchmark) {
  benchmark->Repetitions(11)->DisplayAggregatesOnly()->ComputeStatistics(
      "least", [](const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); });
}

}  // namespace scree
