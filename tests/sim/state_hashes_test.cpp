/// The bits of a run depend on the scenario alone: every shipped scenario ends its first half second with the
/// state that is kept beside this file, whatever compiler and processor the library was made for. Where
/// physics changes, `scripts/hashes` writes the file anew, and the change says why.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <string>

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/sim/run.hpp"
#include "support/paths.hpp"

namespace scree::testing {
namespace {

TEST(StateHashes, EveryShippedScenarioHasTheKeptBits) {
#ifdef SCREE_FUSED
  GTEST_SKIP() << "built with SCREE_FUSED: the bits are this processor's";
#endif
  std::ifstream in(source_tree("/tests/sim/state_hashes.txt"));
  std::map<std::string, std::string> kept;
  for (std::string name, hash; in >> name >> hash;) kept[name] = hash;
  int compared = 0;
  for (const auto& [name, file] : data_files("scenarios")) {
    std::string hash;
    try {
      hash = fmt::format("{:016x}", run(load_scenario(name, {"duration=0.5"}), {}).state_hash);
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), ::testing::HasSubstr("configure with")) << name;  // a package is absent here
      continue;
    }
    ++compared;
    EXPECT_EQ(kept[name], hash) << name;
  }
  EXPECT_GE(compared, 8);
}

}  // namespace
}  // namespace scree::testing
