#include "scree/core/errors.hpp"

#include "scree/core/text.hpp"

namespace scree {

InputError::InputError(const std::string& message) : std::runtime_error(one_line(message)) {}

RunError::RunError(const std::string& message) : std::runtime_error(one_line(message)) {}

}  // namespace scree
