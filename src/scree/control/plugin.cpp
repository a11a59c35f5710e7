#include "scree/control/plugin.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

/// Keeps the library loaded as long as its controller lives.
class PluginController : public Controller {
 public:
  PluginController(std::shared_ptr<void> library, const ScreeControllerPlugin& entry, Controller* inner)
      : library_(std::move(library)), entry_(entry), inner_(inner) {}
  ~PluginController() override { entry_.destroy(inner_); }
  void update(const Readings& r, std::span<DriveCommand> c) override { inner_->update(r, c); }
  std::vector<ControlSignal> signals() const override { return inner_->signals(); }
  void values(std::span<double> out) const override { inner_->values(out); }
  void memory(Memory& m) override { inner_->memory(m); }
  bool reads_places() const override { return inner_->reads_places(); }

 private:
  std::shared_ptr<void> library_;
  const ScreeControllerPlugin& entry_;
  Controller* inner_;
};

using Entry = const ScreeControllerPlugin* (*)();

}  // namespace

std::unique_ptr<Controller> make_plugin_controller(Section& s, const RobotInfo& robot) {
  std::filesystem::path file;
  std::vector<std::pair<std::string, double>> values;
  s.file("plugin", file, {.unit = "", .doc = "Shared library of the controller", .required = true});
  s.named_numbers("parameters", values, {"", "Numbers that the plug-in understands"});
  if (s.documenting()) return nullptr;
  // By its full path: the loader looks for a bare name in the system's folders only.
  const std::string name = std::filesystem::absolute(file).string();
  if (!std::filesystem::exists(file))
    s.fail("plugin", fmt::format("'{}' does not exist: has it been built?", name));

  dlerror();
  std::shared_ptr<void> library(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL), [](void* p) {
    if (p) dlclose(p);
  });
  if (!library) s.fail("plugin", fmt::format("'{}' cannot be loaded: {}", name, dlerror()));
  const auto entry = reinterpret_cast<Entry>(dlsym(library.get(), "scree_controller_plugin"));
  if (!entry)
    s.fail("plugin",
           fmt::format("'{}' is no controller plug-in: it lacks scree_controller_plugin; end its source "
                       "with SCREE_CONTROLLER_PLUGIN(...)",
                       name));
  const ScreeControllerPlugin* about = entry();
  if (!about || about->interface != kPluginInterface)
    s.fail("plugin",
           fmt::format("'{}' was built for plug-in interface {}, this program has {}: build it again "
                       "against the installed scree",
                       name, about ? about->interface : 0, kPluginInterface));
  if (about->layout != plugin_layout())
    s.fail("plugin", fmt::format("'{}' was built with other headers or another compiler setting than this "
                                 "program: build it again against the installed scree",
                                 name));
  if (!about->make || !about->destroy)
    s.fail("plugin", fmt::format("'{}' lacks the functions that make and destroy its controller", name));
  Controller* inner = nullptr;
  std::vector<std::string> asked;
  try {
    const PluginParameters parameters(values, asked);
    inner = about->make(&robot, &parameters);
  } catch (const std::exception& e) {
    s.fail("plugin", fmt::format("'{}' refuses: {}", name, e.what()));
  } catch (...) {
    s.fail("plugin", fmt::format("'{}' refuses: it threw something that is not a std::exception", name));
  }
  if (!inner) s.fail("plugin", fmt::format("'{}' made no controller", name));
  auto made = std::make_unique<PluginController>(std::move(library), *about, inner);
  for (const auto& [key, value] : values)
    if (std::find(asked.begin(), asked.end(), key) == asked.end())
      s.fail("parameters",
             fmt::format("plug-in '{}' has no parameter '{}'{}", about->name, key, name_hint(key, asked)));
  return made;
}

}  // namespace scree
