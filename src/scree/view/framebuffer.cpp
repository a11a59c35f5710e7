#include "scree/view/framebuffer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "scree/core/errors.hpp"

namespace scree::view {
namespace {

int allowed_samples(int wanted) {
  GLint most = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  return std::clamp(wanted, 1, static_cast<int>(most));
}

void allocate(GLuint renderbuffer, int samples, GLenum format, int width, int height) {
  glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
  if (samples > 1)
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, format, width, height);
  else
    glRenderbufferStorage(GL_RENDERBUFFER, format, width, height);
}

}  // namespace

Framebuffer::Framebuffer(int width, int height, const Smoothing& smoothing)
    : width_(width),
      height_(height),
      samples_(allowed_samples(smoothing.samples)),
      drawn_width_(std::max(1, static_cast<int>(std::lround(width * smoothing.scale)))),
      drawn_height_(std::max(1, static_cast<int>(std::lround(height * smoothing.scale)))) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &most);
  const double scale = std::max(smoothing.scale, 1.0);
  if (!(width >= 1 && height >= 1 && width * scale <= most && height * scale <= most))
    input_error("picture size {} x {} px: each side must lie in [1, {}]", width, height,
                static_cast<int>(most / scale));
  allocate(color_.id(), samples_, GL_RGBA8, drawn_width(), drawn_height());
  allocate(depth_.id(), samples_, GL_DEPTH_COMPONENT32F, drawn_width(), drawn_height());
  allocate(resolved_color_.id(), 1, GL_RGBA8, width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, drawn_.id());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color_.id());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_.id());
  const bool drawn_ok = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  glBindFramebuffer(GL_FRAMEBUFFER, resolved_.id());
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, resolved_color_.id());
  const bool resolved_ok = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
  if (!drawn_ok || !resolved_ok)
    run_error("the graphics driver refuses a {} x {} picture with {} samples", width, height, samples_);
}

void Framebuffer::bind() const {
  glBindFramebuffer(GL_FRAMEBUFFER, drawn_.id());
  glViewport(0, 0, drawn_width(), drawn_height());
}

void Framebuffer::resolve() const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, drawn_.id());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, resolved_.id());
  // At scale 2, a linear filter reads the middle of four pixels: their mean.
  glBlitFramebuffer(0, 0, drawn_width(), drawn_height(), 0, 0, width_, height_, GL_COLOR_BUFFER_BIT,
                    drawn_width_ == width_ && drawn_height_ == height_ ? GL_NEAREST : GL_LINEAR);
}

void Framebuffer::bind_resolved() const {
  glBindFramebuffer(GL_FRAMEBUFFER, resolved_.id());
  glViewport(0, 0, width_, height_);
}

void Framebuffer::copy_to(const Framebuffer& target, int x, int y) const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_.id());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, target.resolved_.id());
  const int bottom = target.height_ - y - height_;
  glBlitFramebuffer(0, 0, width_, height_, x, bottom, x + width_, bottom + height_, GL_COLOR_BUFFER_BIT,
                    GL_NEAREST);
}

void Framebuffer::fill(int x, int y, int width, int height, float grey) const {
  bind_resolved();
  glEnable(GL_SCISSOR_TEST);
  glScissor(x, height_ - y - height, width, height);
  glClearColor(grey, grey, grey, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  glDisable(GL_SCISSOR_TEST);
}

void Framebuffer::show(int window_width, int window_height) const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_.id());
  glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  glBlitFramebuffer(0, 0, width_, height_, 0, 0, window_width, window_height, GL_COLOR_BUFFER_BIT,
                    window_width == width_ && window_height == height_ ? GL_NEAREST : GL_LINEAR);
}

Image Framebuffer::read() const {
  glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved_.id());
  Image flipped(width_, height_, 3), image(width_, height_, 3);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGB, GL_UNSIGNED_BYTE, flipped.pixels.data());
  const std::size_t row = static_cast<std::size_t>(width_) * 3;
  for (int y = 0; y < height_; ++y) std::memcpy(image.at(0, y), flipped.at(0, height_ - 1 - y), row);
  check_gl("reading the picture back");
  return image;
}

}  // namespace scree::view
