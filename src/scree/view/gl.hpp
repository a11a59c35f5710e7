#pragma once
/// Owners of OpenGL names, programs from source, and the one place where GL errors are found.
///
/// Every object belongs to the context that was current when it was made; it must die while that context is
/// current. Nothing here is shared between threads.
#include <epoxy/gl.h>

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace scree::view {

using Mat4f = Eigen::Matrix4f;
using Vec2f = Eigen::Vector2f;
using Vec3f = Eigen::Vector3f;
using Vec4f = Eigen::Vector4f;

/// Throws RunError when OpenGL has recorded an error since the last call.
void check_gl(std::string_view where);

/// Throws RunError when the current context offers less than OpenGL 3.3.
void require_gl_33();

/// Asks the driver to report errors as they happen (where it can), so that check_gl() names the call.
void enable_gl_messages();

/// A GL name that is deleted with its owner.
template <void (*Make)(GLuint*), void (*Delete)(GLuint)>
class GlName {
 public:
  GlName() { Make(&id_); }
  ~GlName() {
    if (id_) Delete(id_);
  }
  GlName(GlName&& other) noexcept : id_(std::exchange(other.id_, 0)) {}
  GlName& operator=(GlName&& other) noexcept {
    std::swap(id_, other.id_);
    return *this;
  }
  GLuint id() const { return id_; }

 private:
  GLuint id_ = 0;
};

namespace gl_name {
inline void make_buffer(GLuint* id) { glGenBuffers(1, id); }
inline void delete_buffer(GLuint id) { glDeleteBuffers(1, &id); }
inline void make_array(GLuint* id) { glGenVertexArrays(1, id); }
inline void delete_array(GLuint id) { glDeleteVertexArrays(1, &id); }
inline void make_texture(GLuint* id) { glGenTextures(1, id); }
inline void delete_texture(GLuint id) { glDeleteTextures(1, &id); }
inline void make_framebuffer(GLuint* id) { glGenFramebuffers(1, id); }
inline void delete_framebuffer(GLuint id) { glDeleteFramebuffers(1, &id); }
inline void make_renderbuffer(GLuint* id) { glGenRenderbuffers(1, id); }
inline void delete_renderbuffer(GLuint id) { glDeleteRenderbuffers(1, &id); }
}  // namespace gl_name

using GlBuffer = GlName<gl_name::make_buffer, gl_name::delete_buffer>;
using GlVertexArray = GlName<gl_name::make_array, gl_name::delete_array>;
using GlTexture = GlName<gl_name::make_texture, gl_name::delete_texture>;
using GlFramebuffer = GlName<gl_name::make_framebuffer, gl_name::delete_framebuffer>;
using GlRenderbuffer = GlName<gl_name::make_renderbuffer, gl_name::delete_renderbuffer>;

/// A linked vertex and fragment shader. Uniforms that the compiler removed are ignored when set.
class GlProgram {
 public:
  GlProgram(std::string name, std::string_view vertex, std::string_view fragment);
  ~GlProgram();
  GlProgram(GlProgram&&) = delete;

  void use() const { glUseProgram(id_); }
  GLuint id() const { return id_; }
  void set(const char* uniform, int value) const;
  void set(const char* uniform, float value) const;
  void set(const char* uniform, const Vec2f& value) const;
  void set(const char* uniform, const Vec3f& value) const;
  void set(const char* uniform, const Vec4f& value) const;
  void set(const char* uniform, const Mat4f& value) const;

 private:
  GLint place(const char* uniform) const;
  std::string name_;
  GLuint id_ = 0;
  mutable std::unordered_map<std::string, GLint> places_;
};

/// What this thread has asked of OpenGL so far. The difference of two readings is the work of a picture: with
/// it a reader can compare a picture with the data sheet of a graphics card.
struct GlWork {
  std::uint64_t draw_calls = 0, triangles = 0;
  std::uint64_t uploaded = 0;  ///< bytes of buffers and textures
  GlWork operator-(const GlWork& o) const {
    return {draw_calls - o.draw_calls, triangles - o.triangles, uploaded - o.uploaded};
  }
};
GlWork& gl_work();

/// Draws triangles of the bound vertex array, counted: `count` indices of a type (GL_NONE: vertices without
/// indices), `instances` times.
void draw_triangles(int count, GLenum index_type, int instances = 1);
/// glBufferData, counted.
void fill_buffer(GLenum target, std::size_t bytes, const void* data, GLenum usage);

/// glVertexAttribPointer for floats at a byte offset of an interleaved vertex.
void float_attribute(GLuint index, int count, std::size_t stride, std::size_t offset);

}  // namespace scree::view
