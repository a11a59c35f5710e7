#include "scree/view/input.hpp"

#include <SDL.h>

#include <algorithm>
#include <cmath>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree::view {

const std::vector<OrderInfo>& orders() {
  using enum Order;
  static const std::vector<OrderInfo> list{
      {forward, "forward", "Up", "", "drive forward"},
      {backward, "backward", "Down", "", "drive backward"},
      {left, "left", "Left", "", "turn left"},
      {right, "right", "Right", "", "turn right"},
      {brake, "brake", "B", "b", "brake"},
      {pause, "pause", "Space", "a", "pause, go on"},
      {step, "step", "N", "", "one step"},
      {slower, "slower", "-", "dpdown", "half speed"},
      {faster, "faster", "=", "dpup", "double speed"},
      {restart, "restart", "R", "back", "restart"},
      {record, "record", "V", "start", "film on, off"},
      {picture, "picture", "F12", "", "save a picture"},
      {next_camera, "next_camera", "C", "rightshoulder", "next camera"},
      {camera_1, "camera_1", "1", "", "camera 1"},
      {camera_2, "camera_2", "2", "", "camera 2"},
      {camera_3, "camera_3", "3", "", "camera 3"},
      {camera_4, "camera_4", "4", "", "camera 4"},
      {camera_5, "camera_5", "5", "", "camera 5"},
      {camera_6, "camera_6", "6", "", "camera 6"},
      {inset, "inset", "I", "leftshoulder", "picture in picture"},
      {follow, "follow", "L", "", "orbit: follow the robot, stay"},
      {reset_camera, "reset_camera", "0", "rightstick", "camera as it was"},
      {path, "path", "P", "x", "path: line, z, xyz, none"},
      {forces, "forces", "F", "y", "force arrows"},
      {contacts, "contacts", "K", "", "contacts and suspension"},
      {support, "support", "O", "", "support polygon"},
      {stability, "stability", "M", "", "stability moments"},
      {plots, "plots", "G", "", "live plots"},
      {panel, "panel", "T", "", "state panel"},
      {legend, "legend", "J", "", "legend"},
      {statistics, "statistics", "D", "", "what drawing takes"},
      {ghosts, "ghosts", "H", "", "ghosts along the path"},
      {labels, "labels", "E", "", "names"},
      {shading, "shading", "S", "", "painting of the ground"},
      {play_back, "play_back", "Backspace", "", "replay backwards"},
      {previous_event, "previous_event", ",", "dpleft", "event before"},
      {next_event, "next_event", ".", "dpright", "event after"},
      {jump_start, "jump_start", "Home", "", "replay: to the start"},
      {jump_end, "jump_end", "End", "", "replay: to the end"},
      {help, "help", "F1", "guide", "this help"},
      {quit, "quit", "Escape", "", "quit"},
  };
  return list;
}

InputSettings default_input() {
  InputSettings s;
  for (const OrderInfo& o : orders()) {
    s.keys[o.order] = o.key;
    if (!o.button.empty()) s.buttons[o.order] = o.button;
  }
  return s;
}

namespace {

std::vector<std::string> key_names() {
  std::vector<std::string> names;
  for (int code = 1; code < SDL_NUM_SCANCODES; ++code)
    if (const std::string name = SDL_GetScancodeName(static_cast<SDL_Scancode>(code)); !name.empty())
      names.push_back(name);
  return names;
}
std::vector<std::string> button_names() {
  std::vector<std::string> names;
  for (int code = 0; code < SDL_CONTROLLER_BUTTON_MAX; ++code)
    names.emplace_back(SDL_GameControllerGetStringForButton(static_cast<SDL_GameControllerButton>(code)));
  return names;
}
std::vector<std::string> axis_names() {
  std::vector<std::string> names;
  for (int code = 0; code < SDL_CONTROLLER_AXIS_MAX; ++code)
    names.emplace_back(SDL_GameControllerGetStringForAxis(static_cast<SDL_GameControllerAxis>(code)));
  return names;
}

int key_code(const std::string& name) { return SDL_GetScancodeFromName(name.c_str()); }
int button_code(const std::string& name) { return SDL_GameControllerGetButtonFromString(name.c_str()); }
bool is_axis(const std::string& name) {
  const std::string plain = name.starts_with('-') ? name.substr(1) : name;
  return SDL_GameControllerGetAxisFromString(plain.c_str()) != SDL_CONTROLLER_AXIS_INVALID;
}

/// In [gamepad], the names of these orders are axes.
std::string button_key(const OrderInfo& o) {
  return o.name == "brake" || o.name == "left" || o.name == "right" ? o.name + "_button" : o.name;
}

const std::string& name_of(Order order) {
  for (const OrderInfo& o : orders())
    if (o.order == order) return o.name;
  return orders().front().name;
}

/// Gives a key or button to an order; throws at the line of `entry` when another has it.
void give(std::map<int, Order>& given, int code, Order order, const Section& section, std::string_view entry,
          const std::string& what) {
  const auto [it, is_new] = given.try_emplace(code, order);
  if (is_new) return;
  section.fail(entry, fmt::format("'{}' is given to {} too: give one of them another, or \"\" for none", what,
                                  name_of(it->second)));
}

/// Names are checked where they are read: the message has their line.
void read_keys(Section& keys, InputSettings& s) {
  std::map<int, Order> given;
  for (const OrderInfo& o : orders()) {
    std::string& key = s.keys[o.order];
    keys.text(o.name, key, {.doc = o.doc});
    if (!key.empty() && key_code(key) == SDL_SCANCODE_UNKNOWN)
      keys.fail(o.name, fmt::format("there is no key called '{}'{}", key, name_hint(key, key_names())));
  }
  // Those that the file names come last: the message has their line.
  for (const bool named : {false, true})
    for (const OrderInfo& o : orders())
      if (const std::string& key = s.keys[o.order]; keys.has(o.name) == named && !key.empty())
        give(given, key_code(key), o.order, keys, o.name, key);
}

void read_buttons(Section& pad, InputSettings& s) {
  std::map<int, Order> given;
  for (const OrderInfo& o : orders()) {
    std::string& button = s.buttons[o.order];
    pad.text(button_key(o), button, {.doc = o.doc});
    if (!button.empty() && button_code(button) == SDL_CONTROLLER_BUTTON_INVALID)
      pad.fail(button_key(o),
               fmt::format("there is no button called '{}'{}", button, name_hint(button, button_names())));
    if (button.empty()) s.buttons.erase(o.order);
  }
  for (const bool named : {false, true})
    for (const OrderInfo& o : orders())
      if (const auto it = s.buttons.find(o.order); it != s.buttons.end() && pad.has(button_key(o)) == named)
        give(given, button_code(it->second), o.order, pad, button_key(o), it->second);
}

void read_axis(Section& pad, const char* key, std::string& axis, const char* doc) {
  pad.text(key, axis, {.doc = doc});
  if (!axis.empty() && !is_axis(axis))
    pad.fail(key, fmt::format("there is no axis called '{}'{}", axis,
                              name_hint(axis.starts_with('-') ? axis.substr(1) : axis, axis_names())));
}

}  // namespace

InputSettings read_input(const std::filesystem::path& file) {
  InputSettings s = default_input();
  const Document document = Document::from_file(file);
  Section root = document.root();
  Section keys = root.child("keys", "key of each order");
  Section pad = root.child("gamepad", "buttons and axes");
  read_keys(keys, s);
  read_buttons(pad, s);
  read_axis(pad, "throttle", s.throttle, "axis");
  read_axis(pad, "steering", s.steering, "axis, left positive");
  read_axis(pad, "left", s.left, "axis of the left wheels, layout \"sides\"");
  read_axis(pad, "right", s.right, "axis of the right wheels, layout \"sides\"");
  read_axis(pad, "brake", s.brake, "axis");
  pad.choice("layout", s.layout, {"throttle", "sides"},
             {.doc = "one stick each for speed and turn, or for left and right"});
  pad.number("dead_zone", s.dead_zone,
             {.unit = "-", .doc = "part of an axis that counts as zero", .range = between(0, 0.9)});
  pad.number("top_speed", s.top_speed, {.unit = "m/s", .doc = "at full stick", .range = positive()});
  keys.finish();
  pad.finish();
  root.finish();
  return s;
}

Input::Input(InputSettings settings) : settings_(std::move(settings)) {
  for (const auto& [order, key] : settings_.keys)
    if (!key.empty()) key_orders_.try_emplace(key_code(key), order);
  for (const auto& [order, button] : settings_.buttons)
    button_orders_.try_emplace(button_code(button), order);
  std::string ignored;
  for (int i = 0; i < SDL_NumJoysticks() && !pad_; ++i) open_pad(i, ignored);
}

Input::~Input() {
  if (pad_) SDL_GameControllerClose(pad_);
}

void Input::open_pad(int device, std::string& news) {
  if (pad_ || !SDL_IsGameController(device)) return;
  pad_ = SDL_GameControllerOpen(device);
  if (!pad_) return;
  pad_id_ = SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pad_));
  news = fmt::format("gamepad '{}' connected",
                     SDL_GameControllerName(pad_) ? SDL_GameControllerName(pad_) : "unknown");
}

Order Input::handle(const SDL_Event& e, std::string& news) {
  const auto find = [](const std::map<int, Order>& map, int code) {
    const auto it = map.find(code);
    return it == map.end() ? Order::none : it->second;
  };
  switch (e.type) {
    case SDL_KEYDOWN:
    case SDL_KEYUP: {
      const Order order = find(key_orders_, e.key.keysym.scancode);
      held_[order] = e.type == SDL_KEYDOWN;
      return e.type == SDL_KEYDOWN && !e.key.repeat ? order : Order::none;
    }
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP: {
      const Order order = find(button_orders_, e.cbutton.button);
      held_[order] = e.type == SDL_CONTROLLERBUTTONDOWN;
      return e.type == SDL_CONTROLLERBUTTONDOWN ? order : Order::none;
    }
    case SDL_CONTROLLERDEVICEADDED:
      open_pad(e.cdevice.which, news);
      return Order::none;
    case SDL_CONTROLLERDEVICEREMOVED:
      if (pad_ && e.cdevice.which == pad_id_) {
        SDL_GameControllerClose(pad_);
        pad_ = nullptr;
        held_.clear();  // whatever was pressed there is pressed no more
        news = "gamepad disconnected: the robot coasts";
      }
      return Order::none;
    case SDL_WINDOWEVENT:
      if (e.window.event == SDL_WINDOWEVENT_FOCUS_LOST) held_.clear();
      return Order::none;
    case SDL_QUIT:
      return Order::quit;
    default:
      return Order::none;
  }
}

double Input::axis(const std::string& name) const {
  if (!pad_ || name.empty()) return 0;
  const bool turned = name[0] == '-';
  const SDL_GameControllerAxis code = SDL_GameControllerGetAxisFromString(name.c_str() + (turned ? 1 : 0));
  const double raw = SDL_GameControllerGetAxis(pad_, code) / 32767.0, size = std::abs(raw);
  if (size < settings_.dead_zone) return 0;
  const double value =
      std::copysign(std::min(1.0, (size - settings_.dead_zone) / (1 - settings_.dead_zone)), raw);
  return turned ? -value : value;
}

DriveInput Input::drive() const {
  const auto key = [&](Order o) {
    const auto it = held_.find(o);
    return it != held_.end() && it->second ? 1.0 : 0.0;
  };
  const double brake = std::max(key(Order::brake), std::max(0.0, axis(settings_.brake)));
  const double throttle = key(Order::forward) - key(Order::backward),
               steering = key(Order::left) - key(Order::right);
  DriveInput input = from_throttle(throttle, steering, brake);
  if (!input.active && settings_.layout == "throttle")
    input = from_throttle(axis(settings_.throttle), axis(settings_.steering), 0);
  if (!input.active && settings_.layout == "sides") {
    input.left = axis(settings_.left);
    input.right = axis(settings_.right);
    input.active = input.left != 0 || input.right != 0;
  }
  input.top_speed = settings_.top_speed;
  return input;
}

std::vector<std::pair<std::string, std::string>> Input::help() const {
  std::vector<std::pair<std::string, std::string>> lines;
  for (const OrderInfo& o : orders()) {
    std::string keys = settings_.keys.count(o.order) ? settings_.keys.at(o.order) : "";
    if (settings_.buttons.count(o.order))
      keys += (keys.empty() ? "(" : "  (") + settings_.buttons.at(o.order) + ")";
    lines.emplace_back(keys, o.doc);
  }
  lines.emplace_back("left mouse", "turn the camera");
  lines.emplace_back("double click", "look at this ground with the free camera");
  lines.emplace_back("right mouse", "move the free camera");
  lines.emplace_back("mouse wheel", "nearer, farther");
  lines.emplace_back("ctrl + click", "numbers of this wheel or robot");
  lines.emplace_back("ctrl + drag", "push the robot");
  lines.emplace_back("shift + click", "measure: two points on the ground");
  return lines;
}

}  // namespace scree::view
