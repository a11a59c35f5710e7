#pragma once
/// The two ways in which the program says no. Always one line, whatever names and values it quotes.
#include <fmt/core.h>

#include <stdexcept>
#include <string>

namespace scree {

/// What the user gave cannot be used (exit status 2). One line: object, value, rule, hint.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message);
};

/// Something failed while running (exit status 1): numbers went bad, the disk is full.
class RunError : public std::runtime_error {
 public:
  explicit RunError(const std::string& message);
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
