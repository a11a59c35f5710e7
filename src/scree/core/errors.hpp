#pragma once
/// The two ways in which the program says no.
#include <fmt/core.h>

#include <stdexcept>
#include <string>

namespace scree {

/// What the user gave cannot be used (exit status 2). One line: object, value, rule, hint.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Something failed while running (exit status 1): numbers went bad, the disk is full.
class RunError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

template <class... Args>
[[noreturn]] void input_error(fmt::format_string<Args...> format, Args&&... args) {
  throw InputError(fmt::format(format, std::forward<Args>(args)...));
}

template <class... Args>
[[noreturn]] void run_error(fmt::format_string<Args...> format, Args&&... args) {
  throw RunError(fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace scree
