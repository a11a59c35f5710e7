#include <SDL.h>

#include <algorithm>
#include <cstdlib>

#include "scree/core/errors.hpp"
#include "scree/view/context.hpp"
#include "scree/view/driver_memory.hpp"
#include "scree/view/gl.hpp"

namespace scree::view {
namespace {

class SdlContext final : public WindowContext {
 public:
  explicit SdlContext(const WindowSettings& settings) {
    SDL_SetHint(SDL_HINT_JOYSTICK_ALLOW_BACKGROUND_EVENTS, "1");
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    prepare_driver_memory();
    if (SDL_Init(SDL_INIT_VIDEO) != 0)
      run_error("no display for a window ({}): use `scree render` to make pictures and video without one",
                SDL_GetError());
    refuse_unseen_driver();
    // A machine without input devices still shows the window.
    SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER | SDL_INIT_JOYSTICK);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, 3);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, SDL_GL_CONTEXT_PROFILE_CORE);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
    window_ = SDL_CreateWindow(settings.title.c_str(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                               settings.width, settings.height, SDL_WINDOW_OPENGL | SDL_WINDOW_RESIZABLE);
    if (window_) context_ = SDL_GL_CreateContext(window_);
    if (!context_) {
      const std::string reason = SDL_GetError();
      close();
      run_error(
          "OpenGL 3.3 is needed for the window and this display does not offer it ({}): update the "
          "graphics driver, or use `scree render`",
          reason);
    }
    try {
      require_gl_33();
    } catch (...) {
      close();
      throw;
    }
    SDL_GL_SetSwapInterval(settings.vsync ? 1 : 0);
    enable_gl_messages();
  }
  ~SdlContext() override { close(); }
  void make_current() override { SDL_GL_MakeCurrent(window_, context_); }
  SDL_Window* window() const override { return window_; }
  void swap() override { SDL_GL_SwapWindow(window_); }
  void set_title(const std::string& title) override { SDL_SetWindowTitle(window_, title.c_str()); }
  std::pair<int, int> size() const override {
    int width = 0, height = 0;
    SDL_GL_GetDrawableSize(window_, &width, &height);
    return {width, height};
  }
  double density() const override {
    float dots = 96;
    const int display = SDL_GetWindowDisplayIndex(window_);
    if (display < 0 || SDL_GetDisplayDPI(display, &dots, nullptr, nullptr) != 0) return 1;
    return dots < 144 ? 1 : std::min(dots / 96.0, 3.0);
  }

 private:
  /// Without a display SDL falls back on drivers that nobody can see; they are for those who ask by name.
  static void refuse_unseen_driver() {
    const std::string driver = SDL_GetCurrentVideoDriver() ? SDL_GetCurrentVideoDriver() : "";
    if (std::getenv("SDL_VIDEODRIVER") || (driver != "offscreen" && driver != "dummy")) return;
    SDL_Quit();
    run_error(
        "no display for a window (neither DISPLAY nor WAYLAND_DISPLAY leads to one): use `scree render` "
        "to make pictures and video without one");
  }
  void close() {
    if (context_) SDL_GL_DeleteContext(context_);
    if (window_) SDL_DestroyWindow(window_);
    context_ = nullptr;
    window_ = nullptr;
    SDL_Quit();
  }
  SDL_Window* window_ = nullptr;
  SDL_GLContext context_ = nullptr;
};

}  // namespace

std::unique_ptr<WindowContext> open_window(const WindowSettings& settings) {
  return std::make_unique<SdlContext>(settings);
}

}  // namespace scree::view
