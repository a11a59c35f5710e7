#include "scree/view/context.hpp"

#include <epoxy/gl.h>

#include <cstring>

namespace scree::view {

std::string Context::renderer() const {
  const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
  return name ? name : "unknown";
}

bool Context::software() const {
  const std::string name = renderer();
  for (const char* soft : {"llvmpipe", "softpipe", "swrast", "SwiftShader"})
    if (name.find(soft) != std::string::npos) return true;
  return false;
}

}  // namespace scree::view
