#pragma once
/// What a user meets who gave something wrong.
#include <gmock/gmock.h>

#include <algorithm>
#include <string>

#include "support/program.hpp"

namespace scree::testing {

/// One line, "scree: error: ... text ...", and this exit status.
inline void expect_one_line_error(const ProgramResult& result, int status, const std::string& text) {
  EXPECT_EQ(result.status, status) << result.output;
  EXPECT_THAT(result.output, ::testing::StartsWith("scree: error: "));
  EXPECT_THAT(result.output, ::testing::HasSubstr(text));
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
}

}  // namespace scree::testing
