#pragma once
/// Keys, buttons and sticks, and what they mean. The meaning is a file that a person can change:
///
///     [keys]                  # SDL's names of keys
///     pause = "Space"
///     [gamepad]               # SDL's names of buttons and axes
///     record = "start"
///     throttle = "lefty"      # axes may begin with "-" to turn them round
///     steering = "-rightx"
///     layout = "throttle"     # or "sides": left stick the left wheels, right stick the right ones
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scree/config/section.hpp"
#include "scree/control/teleop.hpp"

union SDL_Event;
struct _SDL_GameController;

namespace scree::view {

/// Everything a key or button can do.
enum class Order {
  none,
  pause,
  step,
  slower,
  faster,
  restart,
  quit,
  record,
  picture,
  help,
  next_camera,
  camera_1,
  camera_2,
  camera_3,
  camera_4,
  camera_5,
  camera_6,
  inset,
  follow,
  reset_camera,
  path,
  forces,
  contacts,
  support,
  stability,
  statistics,
  plots,
  panel,
  legend,
  ghosts,
  labels,
  shading,
  play_back,
  previous_event,
  next_event,
  jump_start,
  jump_end,
  forward,
  backward,
  left,
  right,
  brake,
};

struct OrderInfo {
  Order order;
  std::string name;    ///< in the mapping file: "pause"
  std::string key;     ///< usual key
  std::string button;  ///< usual gamepad button, empty: none
  std::string doc;
};
const std::vector<OrderInfo>& orders();

struct InputSettings {
  std::map<Order, std::string> keys, buttons;
  std::string throttle = "-lefty", steering = "-rightx", left = "-lefty", right = "-righty",
              brake = "lefttrigger";
  std::string layout = "throttle";  ///< throttle | sides
  double dead_zone = 0.12;          ///< part of an axis that counts as zero
  double top_speed = 1.5;           ///< m/s at full stick
};
InputSettings default_input();
/// Reads a mapping file; keys it does not name keep their usual meaning. Two orders on one key, or a key
/// that SDL does not know, are errors that say so.
InputSettings read_input(const std::filesystem::path& file);

/// Turns SDL's events into orders, and held keys and sticks into driving. Survives devices that come and go.
class Input {
 public:
  explicit Input(InputSettings settings);
  ~Input();
  Input(const Input&) = delete;

  /// The order of an event, Order::none for other events. `news` is a line for the person when a gamepad
  /// came or went.
  Order handle(const SDL_Event& event, std::string& news);
  /// What keys and sticks ask of the robot now.
  DriveInput drive() const;
  bool has_gamepad() const { return pad_ != nullptr; }
  const InputSettings& settings() const { return settings_; }
  /// Key and meaning of every order, for the help panel.
  std::vector<std::pair<std::string, std::string>> help() const;

 private:
  double axis(const std::string& name) const;
  void open_pad(int device, std::string& news);
  InputSettings settings_;
  std::map<int, Order> key_orders_, button_orders_;  ///< by SDL scancode, SDL button
  std::map<Order, bool> held_;
  _SDL_GameController* pad_ = nullptr;
  int pad_id_ = -1;
};

}  // namespace scree::view
