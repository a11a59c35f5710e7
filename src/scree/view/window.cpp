#include "scree/view/window.hpp"

#include <SDL.h>
#include <backends/imgui_impl_sdl.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"

namespace scree::view {
namespace {

constexpr double kFilmFps = 30;
constexpr double kMessageSeconds = 8;
constexpr double kLookReach = 5000;  // m
constexpr double kMostPull = 3;      // of a hand, in weights of the robot
const Color kMark = rgb(0xff5fd2);

int driven_robot(const Scenario& scenario, const std::string& name) {
  const auto& robots = scenario.world->robots();
  for (std::size_t i = 0; i < robots.size(); ++i)
    if (robots[i].name == name) return static_cast<int>(i);
  if (!name.empty()) input_error("--robot {}: this scenario has no such robot", name);
  return 0;
}

}  // namespace

PanelInput::PanelInput(const WindowContext& context) {
  ImGui_ImplSDL2_InitForOpenGL(context.window(), nullptr);
}
PanelInput::~PanelInput() { ImGui_ImplSDL2_Shutdown(); }

Window::Window(const WindowOptions& options) : options_(options), speed_(options.speed) {
  // Everything that can be wrong with the person's files is said before a window opens.
  Source source = open_source(options.path, options.overrides, options.trial);
  const InputSettings input = options.input.empty() ? default_input() : read_input(options.input);
  if (!(options.speed > 0)) input_error("--speed {}: must be above 0", options.speed);
  if (options.core != -1) check_core(options.core);
  context_ = open_window(options.window);
  input_ = std::make_unique<Input>(input);
  const auto [width, height] = context_->size();
  const bool software = context_->software();
  painter_ = std::make_unique<Painter>(
      PainterSettings{.width = width,
                      .height = height,
                      .software = software,
                      .detail = options.detail,
                      .scale = options.scale > 0 ? options.scale : context_->density(),
                      .tile_budget = 48});
  painter_->change_scene = [this](Scene& scene) { draw_marks(scene); };
  panel_input_ = std::make_unique<PanelInput>(*context_);
  painter_->hud.buttons = true;
  scenario_.emplace(std::move(source.scenario));
  if (source.recording) recording_ = std::move(*source.recording), replaying_ = true;
  std::vector<std::string> warnings;
  stage_ = std::make_unique<Stage>(*scenario_, warnings);
  for (std::string& w : warnings) say(std::move(w));
  painter_->camera = options.camera.empty() ? stage_->first_camera() : stage_->find_camera(options.camera);
  painter_->plots = stage_->settings().plots;
  painter_->hud.plots = !painter_->plots.empty();
  if (!replaying_) start_live();
  if (!options.film.empty()) toggle_film();
  last_wall_ = wall_clock();
}

Window::~Window() = default;

void Window::open(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  Source source = open_source(path, overrides);
  take_stage(std::move(source.scenario));
  options_.path = path;
  options_.overrides = overrides;
  options_.trial.reset();
  options_.robot.clear();
  measured_.clear();
  picked_ = {};
  painter_->inset.reset();
  replaying_ = source.recording.has_value();
  player_ = {};
  if (source.recording)
    recording_ = std::move(*source.recording);
  else
    start_live();
}

/// Another scenario takes the stage, with its first camera; where it cannot, nothing has changed.
void Window::take_stage(Scenario scenario) {
  std::vector<std::string> warnings;
  auto stage = std::make_unique<Stage>(scenario, warnings);
  live_.reset();
  painter_->forget_stage();
  stage_ = std::move(stage);
  scenario_.emplace(std::move(scenario));
  grabbed_.reset();
  painter_->camera = stage_->first_camera();
  for (std::string& w : warnings) say(std::move(w));
}

void Window::begin_anew() {
  try {
    Source source = open_source(options_.path, options_.overrides, options_.trial);
    if (!source.recording) {
      const std::string camera = stage_->camera_names()[painter_->camera];
      take_stage(std::move(source.scenario));
      const std::vector<std::string> cameras = stage_->camera_names();
      for (std::size_t i = 0; i < cameras.size(); ++i)
        if (cameras[i] == camera) painter_->camera = i;
      if (painter_->inset && *painter_->inset >= cameras.size()) painter_->inset.reset();
    }
  } catch (const std::exception& error) {
    say(error.what());
  }
  grabbed_.reset();
  start_live();
}

void Window::start_live() {
  live_.reset();
  replaying_ = false;
  player_ = {};
  live_ = std::make_unique<LiveRun>(*scenario_,
                                    LiveSettings{.speed = speed_,
                                                 .paused = options_.paused,
                                                 .core = options_.core,
                                                 .driven_robot = driven_robot(*scenario_, options_.robot)});
  recording_ = Recording(live_->state_size(), live_->signals());
  stage_->clear_trails();
  options_.paused = false;  // a restart runs
}

void Window::say(std::string message) {
  messages_.push_back(std::move(message));
  if (messages_.size() > 20) messages_.pop_front();
  message_wall_ = wall_clock();
}

bool Window::paused() const { return replaying_ ? !player_.playing() : live_ && live_->status().paused; }

double Window::shown_time() const { return replaying_ ? player_.time() : recording_.end(); }

void Window::replay() {
  if (replaying_ || recording_.empty()) return;
  if (live_) live_->pause(true);
  replaying_ = true;
  player_ = {};
  player_.seek(recording_.end());
  player_.play(false);
}

void Window::set_speed(double speed) {
  speed_ = std::clamp(speed, 1.0 / 64, 64.0);
  if (live_) live_->set_speed(speed_);
}

void Window::choose_camera(std::size_t camera) {
  if (camera < stage_->cameras().size()) painter_->camera = camera;
}

void Window::cycle_shading() {
  GroundLook& ground = stage_->ground();
  do {
    ground.shading = static_cast<GroundShading>((static_cast<int>(ground.shading) + 1) % 9);
  } while ((ground.shading == GroundShading::texture && !ground.texture) ||
           (ground.shading == GroundShading::soil && !ground.soil_color) ||
           (ground.shading > GroundShading::soil && !ground.rut_color));
}

void Window::handle_mouse(const SDL_Event& e) {
  if (ImGui::GetIO().WantCaptureMouse) return;
  Camera& camera = stage_->cameras()[painter_->camera];
  const auto keys = SDL_GetModState();
  const bool left_down = e.type == SDL_MOUSEBUTTONDOWN && e.button.button == SDL_BUTTON_LEFT;
  if (left_down && (keys & KMOD_SHIFT)) return measure(Vec2(e.button.x, e.button.y));
  if (left_down && (keys & KMOD_CTRL)) return grab(Vec2(e.button.x, e.button.y));
  if (grabbed_ && e.type == SDL_MOUSEMOTION) return pull(Vec2(e.motion.x, e.motion.y));
  if (grabbed_ && e.type == SDL_MOUSEBUTTONUP) return let_go();
  if (e.type == SDL_MOUSEMOTION && (e.motion.state & SDL_BUTTON_LMASK))
    camera.turn(-0.006 * orbit_speed_ * e.motion.xrel, 0.006 * orbit_speed_ * e.motion.yrel);
  if (e.type == SDL_MOUSEMOTION && (e.motion.state & SDL_BUTTON_RMASK))
    camera.pan(-0.0015 * orbit_speed_ * e.motion.xrel, 0.0015 * orbit_speed_ * e.motion.yrel);
  if (e.type == SDL_MOUSEBUTTONDOWN && e.button.button == SDL_BUTTON_LEFT && e.button.clicks == 2)
    aim_at_ground(camera, Vec2(e.button.x, e.button.y));
  if (e.type == SDL_MOUSEWHEEL) camera.zoom(std::pow(1 + 0.1 * orbit_speed_, -e.wheel.y));
}

std::optional<TerrainHit> Window::ground_at(const Vec2& pixel) const {
  const ImVec2 size = ImGui::GetIO().DisplaySize;  // in the units of mouse events
  const Viewpoint& view = painter_->viewpoint();
  return stage_->terrain().ray(
      {view.eye, view.direction(pixel, static_cast<int>(size.x), static_cast<int>(size.y)), kLookReach});
}

/// The ground under the mouse becomes what the camera looks at, and its place is told.
void Window::aim_at_ground(Camera& camera, const Vec2& pixel) {
  const auto hit = ground_at(pixel);
  if (!hit) return;
  camera.aim(hit->point);
  say(fmt::format("ground at x {:.2f} m, y {:.2f} m: height {:.2f} m, slope {:.0f} deg", hit->point.x(),
                  hit->point.y(), hit->ground.z,
                  std::atan(std::hypot(hit->ground.slope_x, hit->ground.slope_y)) / kDegree));
}

/// Two points, one after the other: their distance, rise and slope.
void Window::measure(const Vec2& pixel) {
  const auto hit = ground_at(pixel);
  if (!hit) return;
  if (measured_.size() == 2) measured_.clear();
  measured_.push_back(hit->point);
  if (measured_.size() == 1) return say("measuring: the second point with the shift key held, too");
  const Vec3 d = measured_[1] - measured_[0];
  say(fmt::format("{:.3f} m apart, {:.3f} m level, rise {:.3f} m, {:.1f} deg", d.norm(), d.head<2>().norm(),
                  d.z(), std::atan2(d.z(), d.head<2>().norm()) / kDegree));
}

Picked Window::pick(const Vec2& pixel) const {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Viewpoint& view = painter_->viewpoint();
  const Vec3 ray = view.direction(pixel, static_cast<int>(size.x), static_cast<int>(size.y)).normalized();
  Picked best;
  double nearest = kLookReach;
  // A ball is hit where the ray passes within its radius.
  const auto look = [&](const Vec3& centre, double radius, const Picked& what) {
    const double along = ray.dot(centre - view.eye);
    if (along <= 0 || along >= nearest || (view.eye + along * ray - centre).norm() > radius) return;
    nearest = along, best = what;
  };
  const Moment& moment = painter_->moment();
  for (std::size_t i = 0; i < moment.robots.size(); ++i) {
    const RobotMoment& robot = moment.robots[i];
    const double reach = scenario_->world->robots()[i].model->reach();
    look(robot.center_of_mass, 0.5 * reach, {static_cast<int>(i), -1});
  }
  if (best.robot >= 0) nearest = kLookReach;  // wheels lie in front of, or beside, the body's ball
  for (std::size_t i = 0; i < moment.robots.size(); ++i)
    for (std::size_t w = 0; w < moment.robots[i].wheels.size(); ++w)
      look(moment.robots[i].wheels[w].pose.p, moment.robots[i].wheels[w].radius,
           {static_cast<int>(i), static_cast<int>(w)});
  return best;
}

/// With the control key: numbers of what is clicked, and a hold on its robot while the button is down.
void Window::grab(const Vec2& pixel) {
  picked_ = pick(pixel);
  if (picked_.robot < 0 || !live_ || replaying_) return;
  const RobotMoment& robot = painter_->moment().robots[static_cast<std::size_t>(picked_.robot)];
  if (robot.links.empty()) return;
  Grabbed held{picked_, robot.center_of_mass, {}};
  held.hand.robot = picked_.robot;
  held.hand.point_L = robot.links.front().inverse() * robot.center_of_mass;
  grabbed_ = held;
}

/// The force grows with the way of the mouse in the plane across the view: its robot's weight at the robot's
/// reach.
void Window::pull(const Vec2& pixel) {
  const RobotMoment& robot = painter_->moment().robots[static_cast<std::size_t>(grabbed_->what.robot)];
  const double reach =
      scenario_->world->robots()[static_cast<std::size_t>(grabbed_->what.robot)].model->reach();
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  const Viewpoint& view = painter_->viewpoint();
  const Vec3 back = view.axes().col(2),
             ray = view.direction(pixel, static_cast<int>(size.x), static_cast<int>(size.y));
  grabbed_->point = robot.links.front() * grabbed_->hand.point_L;
  const double along = back.dot(grabbed_->point - view.eye) / back.dot(ray);
  if (!(along > 0)) return;
  const Vec3 way = view.eye + along * ray - grabbed_->point;
  grabbed_->hand.force_W = robot.weight / reach * std::min(1.0, kMostPull * reach / way.norm()) * way;
  grabbed_->hand.link = 0;
  if (live_) live_->push(grabbed_->hand);
}

void Window::let_go() {
  grabbed_->hand.link = -1;
  if (live_) live_->push(grabbed_->hand);
  grabbed_.reset();
}

/// Points and line of a measurement, the hand's force.
void Window::draw_marks(Scene& scene) const {
  const double size = scene.focus_radius;
  for (const Vec3& p : measured_) scene.balls.push_back({p, static_cast<float>(0.02 * size), kMark, true});
  if (measured_.size() == 2) {
    scene.lines.push_back({{measured_[0], measured_[1]}, kMark, 1.f, 3.f, true});
    scene.labels.push_back({0.5 * (measured_[0] + measured_[1]),
                            fmt::format("{:.3f} m", (measured_[1] - measured_[0]).norm()), kMark});
  }
  if (!grabbed_ || grabbed_->hand.link < 0) return;
  const RobotMoment& robot = painter_->moment().robots[static_cast<std::size_t>(grabbed_->what.robot)];
  const Vec3 point = robot.links.front() * grabbed_->hand.point_L;
  scene.arrows.push_back({point, stage_->force_scale(painter_->moment()) * grabbed_->hand.force_W, kMark,
                          static_cast<float>(0.03 * size), true});
  scene.labels.push_back({point, fmt::format("{:.3g} N", grabbed_->hand.force_W.norm()), kMark});
}

/// Scenarios that ship, scenario files and run folders here.
std::vector<std::string> Window::openable() const {
  namespace fs = std::filesystem;
  std::vector<std::string> out;
  std::error_code status;
  for (const char* folder : {".", "scenarios", "runs"})
    for (fs::directory_iterator it(folder, status), end; !status && it != end; it.increment(status)) {
      const fs::path path = it->path().lexically_normal();
      const bool run = fs::is_regular_file(path / "summary.json", status);
      if (run || path.extension() == ".toml") out.push_back(path.string());
    }
  std::sort(out.begin(), out.end());
  for (const auto& [name, file] : data_files("scenarios")) out.push_back(name);
  return out;
}

void Window::handle_events() {
  SDL_Event event;
  while (SDL_PollEvent(&event)) {
    ImGui_ImplSDL2_ProcessEvent(&event);
    handle_mouse(event);
    if (ImGui::GetIO().WantTextInput && (event.type == SDL_KEYDOWN || event.type == SDL_KEYUP)) continue;
    std::string news;
    const Order order = input_->handle(event, news);
    if (!news.empty()) say(news);
    if (order != Order::none) obey(order);
  }
}

/// The simulation goes on.
void Window::film_failed(const std::string& reason) {
  film_errors_.push_back(reason);
  say(reason);
}

void Window::toggle_film() {
  if (video_) {
    if (video_->finish())
      say(fmt::format("filmed {} pictures into {}", video_->frames(), video_->file().string()));
    else
      film_failed(video_->error());
    video_.reset();
    return;
  }
  const std::filesystem::path file =
      !options_.film.empty() && films_ == 0
          ? options_.film
          : options_.out / fmt::format("{}-{}.mp4", scenario_->name, films_ + 1);
  try {
    video_ = std::make_unique<Video>(file, VideoSettings{.width = painter_->target().width(),
                                                         .height = painter_->target().height(),
                                                         .fps = kFilmFps});
    video_start_ = wall_clock();
    ++films_;
  } catch (const std::exception& error) {
    film_failed(error.what());
  }
}

/// Pictures enter the film at its own rate, whatever the rate of drawing: some twice, some not at all.
void Window::film_frame() {
  if (!video_) return;
  const int due = static_cast<int>((wall_clock() - video_start_) * kFilmFps) + 1;
  if (video_->frames() >= due) return;
  try {
    const Image image = painter_->picture();
    while (video_->frames() < due && video_->add(image)) {
    }
  } catch (const InputError&) {  // the window has another size now: the film ends here
    toggle_film();
    return;
  }
  if (!video_->error().empty()) {
    film_failed(video_->error());
    video_.reset();
  }
}

void Window::save_picture() {
  const std::filesystem::path file = options_.out / fmt::format("{}-{}.png", scenario_->name, ++pictures_);
  try {
    write_png(file, painter_->picture());
    say("saved " + file.string());
  } catch (const std::exception& error) {
    say(error.what());
  }
}

void Window::update_title(const LiveStatus& status) {
  const double now = wall_clock();
  if (now - title_wall_ < 0.5) return;
  title_wall_ = now;
  title_ = replaying_ ? fmt::format("{} - replay - scree", scenario_->name)
                      : fmt::format("{} - {:.2f} x real time, {} missed - scree", scenario_->name,
                                    status.real_time_factor, status.missed);
  context_->set_title(title_);
}

bool Window::turn() {
  handle_events();
  const double now = wall_clock(), dt = now - last_wall_;
  last_wall_ = now;
  ImGui::GetIO().DeltaTime = static_cast<float>(std::clamp(dt, 1e-3, 0.5));
  LiveStatus status;
  if (live_) {
    live_->drive(input_->drive());
    live_->drain(recording_);
    status = live_->status();
    if (status.finished && !replaying_) {
      live_->drain(recording_);
      if (!status.error.empty()) say(status.error);
      if (options_.close_at_end) quit_ = true;
      replay();
    }
  }
  if (recording_.empty()) return !quit_;  // the first sample is on its way
  if (replaying_) player_.advance(dt, speed_, recording_.start(), recording_.end());
  if (replaying_ && !live_ && options_.close_at_end && player_.time() >= recording_.end()) quit_ = true;
  stage_->extend_trails(recording_);
  const auto [width, height] = context_->size();
  painter_->resize(width, height);
  painter_->hud.timeline = replaying_;
  PaintContext paint{.paused = paused(),
                     .replay = replaying_,
                     .recording = video_ != nullptr,
                     .duration = replaying_ ? recording_.end() : scenario_->duration,
                     .speed = speed_,
                     .real_time_factor = replaying_ ? 0 : status.real_time_factor,
                     .missed = status.missed,
                     .help = input_->help(),
                     .orbit_speed = orbit_speed_,
                     .frame_rate = frame_rate(),
                     .openable = openable_,
                     .picked = picked_};
  if (now - message_wall_ < kMessageSeconds) paint.messages.assign(messages_.begin(), messages_.end());
  ImGui_ImplSDL2_NewFrame();
  const HudOrders orders = painter_->draw(*stage_, recording_, shown_time(), paint);
  for (std::string& w : painter_->take_warnings()) say(std::move(w));
  film_frame();
  painter_->target().show(width, height);
  context_->swap();
  ++frames_;
  drawing_time_ += dt;
  update_title(status);
  obey(orders);
  return !quit_;
}

void Window::run() {
  while (turn()) {
  }
  if (video_) toggle_film();
}

}  // namespace scree::view
