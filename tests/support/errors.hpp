#pragma once
/// What an error says.
#include <gtest/gtest.h>

#include <string>

#include "scree/core/errors.hpp"

namespace scree::testing {

/// The message of the `Error` that `action` throws; fails the test when it throws nothing or something else.
/// Every message must be one line.
template <class Error = InputError, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another kind of error: " << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no error";
  return "";
}

}  // namespace scree::testing
