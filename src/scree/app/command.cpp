#include "scree/app/command.hpp"

#include <fmt/format.h>

#include "scree/core/text.hpp"

namespace scree {

void print_json(std::string_view members) {
  fmt::print("{{\"version\": {}{}{}}}\n", json_text(SCREE_VERSION), members.empty() ? "" : ", ", members);
}

#ifndef SCREE_HAVE_VIEW
void check_view(const Document&) {}
#endif

}  // namespace scree
