#include "scree/app/processor.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace scree {

void become_program_for_processor([[maybe_unused]] char** argv) {
#if defined(__x86_64__) && !defined(__AVX2__)
  __builtin_cpu_init();
  const bool v3 =
      __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool v4 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512vl");
  const char* given = std::getenv("SCREE_PROCESSOR");
  const std::string most = given != nullptr ? given : "";
  if (!v3 || most == "baseline") return;
  std::error_code status;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", status);
  if (status) return;
  for (const std::string level : {"v4", "v3"}) {
    if (level == "v4" && (!v4 || most == "v3")) continue;
    for (const char* place : {"scree-", "../libexec/scree/scree-"})
      ::execv((self.parent_path() / (place + level)).c_str(), argv);  // returns where there is none
  }
#endif
}

}  // namespace scree
