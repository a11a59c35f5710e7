#pragma once
/// Controllers from shared libraries.
///
/// A plug-in is a shared library that exports one C function, written by SCREE_CONTROLLER_PLUGIN:
///
///     class Mine : public scree::Controller { ... Mine(const scree::RobotInfo&, scree::PluginParameters); };
///     SCREE_CONTROLLER_PLUGIN(Mine, "mine", "what it does")
///
/// It needs the headers of the installed package only. The scenario names the file:
///
///     [robot.control]
///     kind = "plugin"
///     plugin = "build/libmine.so"
///     parameters = { gain = 2.0 }
///
/// The entry says for which interface it was built; another one is refused before any of it runs.
#include <cstdint>
#include <memory>
#include <string_view>

#include "scree/control/controller.hpp"

namespace scree {

/// Counts up whenever Controller or what it touches changes.
inline constexpr std::uint32_t kPluginInterface = 4;

/// The sizes of what crosses the border, so that another compiler's or version's layout is noticed.
constexpr std::uint64_t plugin_layout() {
  std::uint64_t sum = 0;
  for (std::size_t size :
       {sizeof(Readings), sizeof(WheelReading), sizeof(DriveCommand), sizeof(RobotInfo), sizeof(WheelInfo),
        sizeof(DriveInfo), sizeof(SensorInfo), sizeof(SensorReading), sizeof(Memory)})
    sum = sum * 4099 + size;
  return sum;
}

/// The numbers of the scenario's `parameters` table. Ask for all of them in the constructor: a name in the
/// table that nobody has asked for by then is refused as misspelt.
class PluginParameters {
 public:
  PluginParameters(std::span<const std::pair<std::string, double>> values, std::vector<std::string>& asked)
      : values_(values), asked_(&asked) {}
  double get(std::string_view name, double fallback) const {
    asked_->emplace_back(name);
    for (const auto& [key, value] : values_)
      if (key == name) return value;
    return fallback;
  }

 private:
  std::span<const std::pair<std::string, double>> values_;
  std::vector<std::string>* asked_;  ///< copies share it
};

extern "C" {
/// What the entry function returns. The first two members never change their place.
struct ScreeControllerPlugin {
  std::uint32_t interface;  ///< kPluginInterface of the headers it was built with
  std::uint64_t layout;     ///< plugin_layout() there
  const char* name;
  const char* doc;
  Controller* (*make)(const RobotInfo*, const PluginParameters*);
  void (*destroy)(Controller*);
};
}

/// Reads `plugin` and `parameters`, loads the library, makes its controller. Throws InputError when the file
/// is missing, is no plug-in, or was built for another interface.
std::unique_ptr<Controller> make_plugin_controller(Section& s, const RobotInfo& robot);

}  // namespace scree

#define SCREE_CONTROLLER_PLUGIN(Class, plugin_name, plugin_doc)                                              \
  extern "C" const scree::ScreeControllerPlugin* scree_controller_plugin() {                                 \
    static const scree::ScreeControllerPlugin entry = {                                                      \
        scree::kPluginInterface,                                                                             \
        scree::plugin_layout(),                                                                              \
        plugin_name,                                                                                         \
        plugin_doc,                                                                                          \
        [](const scree::RobotInfo* robot, const scree::PluginParameters* parameters) -> scree::Controller* { \
          return new Class(*robot, *parameters);                                                             \
        },                                                                                                   \
        [](scree::Controller* controller) { delete controller; }};                                           \
    return &entry;                                                                                           \
  }
