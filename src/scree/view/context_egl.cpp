#include <epoxy/egl.h>
#include <epoxy/gl.h>

#include <string>

#include "scree/core/errors.hpp"
#include "scree/view/context.hpp"
#include "scree/view/driver_memory.hpp"
#include "scree/view/gl.hpp"

namespace scree::view {
namespace {

constexpr const char* kNoEgl =
    "no OpenGL without a display on this machine: {}; install a Mesa driver with EGL (libegl-mesa0)";

/// The display that needs no screen: Mesa's surfaceless platform, else a GPU by number.
EGLDisplay find_display() {
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless"))
    return eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
  if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) {
    EGLDeviceEXT device;
    EGLint found = 0;
    if (eglQueryDevicesEXT(1, &device, &found) && found == 1)
      return eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, nullptr);
  }
  return eglGetDisplay(EGL_DEFAULT_DISPLAY);
}

class EglContext final : public Context {
 public:
  EglContext() {
    display_ = find_display();
    EGLint major = 0, minor = 0;
    if (display_ == EGL_NO_DISPLAY || !eglInitialize(display_, &major, &minor))
      run_error(kNoEgl, "EGL does not start");
    if (!eglBindAPI(EGL_OPENGL_API)) run_error(kNoEgl, "EGL offers OpenGL ES only");
    const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, 0, EGL_NONE};
    EGLConfig config;
    EGLint count = 0;
    if (!eglChooseConfig(display_, wanted, &config, 1, &count) || count < 1)
      run_error(kNoEgl, "no EGL configuration for OpenGL");
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION,
                              3,
                              EGL_CONTEXT_MINOR_VERSION,
                              3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK,
                              EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                              EGL_NONE};
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    if (context_ == EGL_NO_CONTEXT)
      run_error("OpenGL 3.3 is needed and this driver does not offer it: update the graphics driver");
    try {
      make_current();
      require_gl_33();
    } catch (...) {
      close();
      throw;
    }
    enable_gl_messages();
  }
  ~EglContext() override { close(); }
  void make_current() override {
    if (!eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_))
      run_error(kNoEgl, "the EGL context cannot be used without a surface");
  }

 private:
  void close() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_ != EGL_NO_CONTEXT) eglDestroyContext(display_, context_);
  }
  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

}  // namespace

std::unique_ptr<Context> make_offscreen_context() {
  prepare_driver_memory();
  return std::make_unique<EglContext>();
}

}  // namespace scree::view
