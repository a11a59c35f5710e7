#include "scree/core/hash.hpp"

#include <fmt/format.h>

namespace scree {
std::string hash_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }
}  // namespace scree
