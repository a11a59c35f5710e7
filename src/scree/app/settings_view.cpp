/// What the other commands need of the window's settings.
#include "scree/view/settings.hpp"

#include "scree/app/chapters.hpp"
#include "scree/app/command.hpp"

namespace scree {

void check_view(const Document& scenario) { view::read_view_settings(scenario); }

void describe_view(Section& section) {
  view::ViewSettings settings;
  view::describe(section, settings);
}

}  // namespace scree
