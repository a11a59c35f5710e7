#include <algorithm>
#include <cmath>

#include "scree/view/window.hpp"

namespace scree::view {

void Window::obey(const HudOrders& o) {
  if (o.camera) choose_camera(*o.camera);
  if (o.orbit_speed) orbit_speed_ = *o.orbit_speed;
  if (o.pause) obey(Order::pause);
  if (o.step) obey(Order::step);
  if (o.restart) obey(Order::restart);
  if (o.record) obey(Order::record);
  if (o.quit) quit_ = true;
  if (o.speed) set_speed(*o.speed);
  if (o.list_files) openable_ = openable();
  if (o.backwards) obey(Order::play_back);
  if (o.previous_event) obey(Order::previous_event);
  if (o.next_event) obey(Order::next_event);
  if (o.seek) {
    player_.play(false);
    player_.seek(*o.seek);
  }
  if (o.plot) {
    auto& plots = painter_->plots;
    const auto it = std::find(plots.begin(), plots.end(), *o.plot);
    if (it == plots.end())
      plots.push_back(*o.plot);
    else
      plots.erase(it);
    painter_->hud.plots = !plots.empty();
  }
  if (o.open) try {
      open(o.open_file, {});
    } catch (const std::exception& error) {
      say(error.what());
    }
}

void Window::obey(Order order) {
  using enum Order;
  OverlayChoice& overlays = painter_->overlays;
  HudChoice& hud = painter_->hud;
  const auto flip = [](bool& on) { on = !on; };
  switch (order) {
    case pause:
      if (replaying_) {
        if (!player_.playing() && player_.time() >= recording_.end()) player_.seek(recording_.start());
        player_.turn_forward_or_stop();
      } else if (live_) {
        live_->pause(!live_->status().paused);
      }
      break;
    case step:
      if (live_ && !replaying_) live_->step_once();
      break;
    case slower:
      set_speed(speed_ / 2);
      break;
    case faster:
      set_speed(speed_ * 2);
      break;
    case restart:
      if (live_ || !replaying_)
        begin_anew();
      else
        player_.seek(recording_.start());
      break;
    case quit:  // what lies over the picture goes first
      if (!painter_->close_dialog()) quit_ = true;
      break;
    case record:
      toggle_film();
      break;
    case picture:
      save_picture();
      break;
    case help:
      flip(hud.help);
      break;
    case next_camera:
      choose_camera((painter_->camera + 1) % stage_->cameras().size());
      break;
    case camera_1:
    case camera_2:
    case camera_3:
    case camera_4:
    case camera_5:
    case camera_6:
      choose_camera(static_cast<std::size_t>(order) - static_cast<std::size_t>(camera_1));
      break;
    case inset:
      if (painter_->inset)
        painter_->inset.reset();
      else
        painter_->inset = (painter_->camera + 1) % stage_->cameras().size();
      break;
    case follow: {
      Camera& camera = stage_->cameras()[painter_->camera];
      camera.follow(!camera.follows());
      break;
    }
    case reset_camera:
      stage_->cameras()[painter_->camera].reset();
      break;
    case path:
      overlays.path = static_cast<PathStyle>((static_cast<int>(overlays.path) + 1) % 4);
      break;
    case forces:
      flip(overlays.forces);
      break;
    case contacts:
      flip(overlays.contacts);
      break;
    case support:
      flip(overlays.support);
      break;
    case ghosts:
      flip(overlays.ghosts);
      break;
    case labels:
      flip(overlays.labels);
      break;
    case stability:
      flip(hud.stability);
      break;
    case statistics:
      flip(hud.statistics);
      break;
    case plots:
      flip(hud.plots);
      break;
    case panel:
      flip(hud.panel);
      break;
    case legend:
      flip(hud.legend);
      break;
    case shading:
      cycle_shading();
      break;
    case play_back:
      replay();
      player_.turn_back();
      break;
    case previous_event:
    case next_event:
      replay();
      player_.play(false);
      player_.jump(recording_.events, order == next_event);
      break;
    case jump_start:
    case jump_end:
      replay();
      player_.play(false);
      player_.seek(order == jump_start ? recording_.start() : recording_.end());
      break;
    case none:
    case forward:
    case backward:
    case left:
    case right:
    case brake:
      break;
  }
}

}  // namespace scree::view
