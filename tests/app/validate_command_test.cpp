/// scree validate passes its own bars, and says so to people and to machines.
#include <gtest/gtest.h>

#include "support/paths.hpp"
#include "support/program.hpp"

namespace scree::testing {
namespace {

TEST(ValidateCommand, EveryCoreCaseIsWithinItsBar) {
  const ProgramResult result = run_program(command() + " validate core 2>&1");
  EXPECT_EQ(result.status, 0) << result.output;
  EXPECT_EQ(result.output.find("FAIL"), std::string::npos) << result.output;
  for (const char* word : {"acceleration 3 N m: front normal force", "jump 45 deg, 9 m/s", "interpolation",
                           "at rest on 20 deg", "2000 slices"}) {
    EXPECT_NE(result.output.find(word), std::string::npos) << word;
  }
}

TEST(ValidateCommand, JsonHasTheColumns) {
  const ProgramResult result = run_program(command() + " validate core --json 2>&1");
  EXPECT_EQ(result.status, 0);
  for (const char* key : {"\"case\"", "\"published_error\"", "\"our_error\"", "\"bar\"", "\"pass\": true"}) {
    EXPECT_NE(result.output.find(key), std::string::npos) << key;
  }
}

}  // namespace
}  // namespace scree::testing
