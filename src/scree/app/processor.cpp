#include "scree/app/processor.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace scree {

void become_program_for_processor([[maybe_unused]] char** argv) {
#if defined(__x86_64__) && !defined(__AVX2__)
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
    return;
  const char* wanted = std::getenv("SCREE_PROCESSOR");
  if (wanted != nullptr && std::string(wanted) == "baseline") return;
  std::error_code status;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", status);
  if (status) return;
  for (const char* place : {"scree-v3", "../libexec/scree/scree-v3"})
    ::execv((self.parent_path() / place).c_str(), argv);  // returns where there is none
#endif
}

}  // namespace scree
