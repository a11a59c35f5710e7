/// A plug-in whose entry has no functions.
#include "scree/control/plugin.hpp"

extern "C" const scree::ScreeControllerPlugin* scree_controller_plugin() {
  static const scree::ScreeControllerPlugin entry = {
      scree::kPluginInterface, scree::plugin_layout(), "hollow", "for tests", nullptr, nullptr};
  return &entry;
}
