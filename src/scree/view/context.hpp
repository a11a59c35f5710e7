#pragma once
/// An OpenGL 3.3 core context: with a window (SDL2) or without a display (EGL).
#include <memory>
#include <string>

struct SDL_Window;

namespace scree::view {

class Context {
 public:
  virtual ~Context() = default;
  virtual void make_current() = 0;
  /// Name of the renderer: "llvmpipe (...)".
  std::string renderer() const;
  /// True when pixels are computed by the processor: the window then asks for less.
  bool software() const;
};

/// A context that needs neither display nor window. Throws RunError when EGL offers none, or none with
/// OpenGL 3.3.
std::unique_ptr<Context> make_offscreen_context();

struct WindowSettings {
  std::string title = "scree";
  int width = 1280, height = 720;  ///< of the client area [px]
  bool vsync = true;
};

class WindowContext : public Context {
 public:
  virtual SDL_Window* window() const = 0;
  virtual void swap() = 0;
  virtual void set_title(const std::string& title) = 0;
  /// Size of the drawable [px].
  virtual std::pair<int, int> size() const = 0;
  /// Of the display's dots, as a part of the usual 96 an inch: 1 where that is not known or not high.
  virtual double density() const = 0;
};

/// Opens a window. Throws RunError when there is no display (and names `scree render`) or OpenGL is too old.
std::unique_ptr<WindowContext> open_window(const WindowSettings& settings);

}  // namespace scree::view
