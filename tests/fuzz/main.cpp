/// fuzz_scree [MINUTES [KIND [SEED]]]: see scripts/fuzz.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <string>

#include "fuzz/driver.hpp"
#include "support/paths.hpp"

int main(int argc, char** argv) {
  using Clock = std::chrono::steady_clock;
  const double minutes = argc > 1 ? std::atof(argv[1]) : 1;
  const std::string what = argc > 2 ? argv[2] : "all";
  const std::uint64_t first_seed = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 1;
  const std::filesystem::path corpus = scree::source_tree("/tests/fuzz/corpus");
  auto kinds = scree::fuzz::all_kinds(corpus);
  if (what != "all") std::erase_if(kinds, [&](const auto& kind) { return kind.name != what; });
  if (kinds.empty() || !(minutes > 0)) {
    fmt::print(stderr, "fuzz: usage: scripts/fuzz [MINUTES [KIND [SEED]]]; kinds: all");
    for (const auto& kind : scree::fuzz::all_kinds(corpus)) fmt::print(stderr, " {}", kind.name);
    fmt::print(stderr, "\n");
    return 2;
  }
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::vector<scree::fuzz::Result> totals(kinds.size());
  constexpr double kSlice = 4;  // s
  std::vector<std::uint64_t> inputs(kinds.size(), 500);
  // Rounds of a share of the time each, until it is over.
  for (std::uint64_t seed = first_seed; elapsed() < 60 * minutes; ++seed) {
    for (std::size_t k = 0; k < kinds.size() && elapsed() < 60 * minutes; ++k) {
      // Some seconds each, so that slow readers do not leave the others without their share.
      const double before = elapsed();
      const auto r = scree::fuzz::run(kinds[k], {.seed = seed, .inputs = inputs[k], .keep = corpus});
      const double rate = static_cast<double>(r.inputs) / std::max(elapsed() - before, 1e-3);
      inputs[k] = static_cast<std::uint64_t>(std::clamp(kSlice * rate, 200.0, 20000.0));
      totals[k].inputs += r.inputs, totals[k].read += r.read, totals[k].refused += r.refused;
      totals[k].faults += r.faults;
      for (const auto& complaint : r.complaints) fmt::print("fuzz: FAULT {}\n", complaint);
      std::fflush(stdout);
    }
  }
  std::uint64_t all = 0, faults = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    const auto& t = totals[k];
    fmt::print("{:<10} {:>9} inputs: {:>9} read, {:>9} refused, {} faults\n", kinds[k].name, t.inputs, t.read,
               t.refused, t.faults);
    all += t.inputs, faults += t.faults;
  }
  fmt::print("fuzz: {} inputs in {:.0f} s, {} faults{}\n", all, elapsed(), faults,
             faults > 0 ? " (kept in tests/fuzz/corpus)" : "");
  return faults > 0 ? 1 : 0;
}
