#include "scree/view/gl.hpp"

#include <vector>

#include "scree/core/errors.hpp"

namespace scree::view {
namespace {

thread_local std::string last_message;

void on_message(GLenum, GLenum type, GLuint, GLenum, GLsizei length, const GLchar* text, const void*) {
  if (type == GL_DEBUG_TYPE_ERROR) last_message.assign(text, length > 0 ? length : 0);
}

const char* error_name(GLenum error) {
  switch (error) {
    case GL_INVALID_ENUM:
      return "invalid enum";
    case GL_INVALID_VALUE:
      return "invalid value";
    case GL_INVALID_OPERATION:
      return "invalid operation";
    case GL_INVALID_FRAMEBUFFER_OPERATION:
      return "invalid framebuffer operation";
    case GL_OUT_OF_MEMORY:
      return "out of memory";
    default:
      return "unknown error";
  }
}

GLuint compile(const std::string& name, GLenum kind, std::string_view source) {
  const GLuint shader = glCreateShader(kind);
  const GLchar* text = source.data();
  const GLint length = static_cast<GLint>(source.size());
  glShaderSource(shader, 1, &text, &length);
  glCompileShader(shader);
  GLint ok = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
  if (!ok) {
    std::string log(4096, '\0');
    GLsizei used = 0;
    glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), &used, log.data());
    log.resize(used);
    glDeleteShader(shader);
    run_error("shader '{}' ({}) does not compile on this driver: {}", name,
              kind == GL_VERTEX_SHADER ? "vertex" : "fragment", log);
  }
  return shader;
}

}  // namespace

void check_gl(std::string_view where) {
  const GLenum error = glGetError();
  if (error == GL_NO_ERROR) return;
  // A lost context reports errors for ever: read a bounded number.
  for (int i = 0; i < 16 && glGetError() != GL_NO_ERROR; ++i) {
  }
  const std::string message = std::exchange(last_message, {});
  run_error("OpenGL error while {}: {} {}", where, error_name(error), message);
}

void require_gl_33() {
  const int version = epoxy_gl_version();
  if (version < 33)
    run_error("OpenGL 3.3 is needed and this driver offers {}.{}: update the graphics driver", version / 10,
              version % 10);
}

void enable_gl_messages() {
  if (!epoxy_has_gl_extension("GL_KHR_debug")) return;
  glEnable(GL_DEBUG_OUTPUT);
  glDebugMessageCallback(&on_message, nullptr);
}

GlProgram::GlProgram(std::string name, std::string_view vertex, std::string_view fragment)
    : name_(std::move(name)) {
  const GLuint v = compile(name_, GL_VERTEX_SHADER, vertex);
  const GLuint f = compile(name_, GL_FRAGMENT_SHADER, fragment);
  id_ = glCreateProgram();
  glAttachShader(id_, v);
  glAttachShader(id_, f);
  glLinkProgram(id_);
  glDeleteShader(v);
  glDeleteShader(f);
  GLint ok = 0;
  glGetProgramiv(id_, GL_LINK_STATUS, &ok);
  if (!ok) {
    std::string log(4096, '\0');
    GLsizei used = 0;
    glGetProgramInfoLog(id_, static_cast<GLsizei>(log.size()), &used, log.data());
    log.resize(used);
    run_error("shader '{}' does not link on this driver: {}", name_, log);
  }
}

GlProgram::~GlProgram() { glDeleteProgram(id_); }

GLint GlProgram::place(const char* uniform) const {
  const auto [it, is_new] = places_.try_emplace(uniform, -1);
  if (is_new) it->second = glGetUniformLocation(id_, uniform);
  return it->second;
}
void GlProgram::set(const char* uniform, int value) const { glUniform1i(place(uniform), value); }
void GlProgram::set(const char* uniform, float value) const { glUniform1f(place(uniform), value); }
void GlProgram::set(const char* uniform, const Vec2f& v) const { glUniform2fv(place(uniform), 1, v.data()); }
void GlProgram::set(const char* uniform, const Vec3f& v) const { glUniform3fv(place(uniform), 1, v.data()); }
void GlProgram::set(const char* uniform, const Vec4f& v) const { glUniform4fv(place(uniform), 1, v.data()); }
void GlProgram::set(const char* uniform, const Mat4f& m) const {
  glUniformMatrix4fv(place(uniform), 1, GL_FALSE, m.data());
}

GlWork& gl_work() {
  static thread_local GlWork work;
  return work;
}

void draw_triangles(int count, GLenum index_type, int instances) {
  GlWork& work = gl_work();
  ++work.draw_calls;
  work.triangles += static_cast<std::uint64_t>(count / 3) * static_cast<std::uint64_t>(instances);
  if (index_type == GL_NONE)
    glDrawArraysInstanced(GL_TRIANGLES, 0, count, instances);
  else
    glDrawElementsInstanced(GL_TRIANGLES, count, index_type, nullptr, instances);
}

void fill_buffer(GLenum target, std::size_t bytes, const void* data, GLenum usage) {
  gl_work().uploaded += bytes;
  glBufferData(target, static_cast<GLsizeiptr>(bytes), data, usage);
}

void float_attribute(GLuint index, int count, std::size_t stride, std::size_t offset) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, count, GL_FLOAT, GL_FALSE, static_cast<GLsizei>(stride),
                        reinterpret_cast<const void*>(offset));
}

}  // namespace scree::view
