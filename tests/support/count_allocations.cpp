#include "support/count_allocations.hpp"

#include <dlfcn.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>

namespace {
thread_local bool counting = false;
thread_local std::int64_t allocations = 0;

[[maybe_unused]] void note() {
  if (counting) ++allocations;
}
}  // namespace

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
namespace scree::testing {
bool AllocationCounter::works() { return false; }
}  // namespace scree::testing
#else
namespace scree::testing {
bool AllocationCounter::works() { return true; }
}  // namespace scree::testing

// The C library's own entry points; the wrappers below stand before them for the whole program.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  note();
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  note();
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  note();
  if (alignment % sizeof(void*) != 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void* memory = __libc_memalign(alignment, size);
  if (memory == nullptr) return ENOMEM;
  *out = memory;
  return 0;
}
}
#endif

namespace scree::testing {

AllocationCounter::AllocationCounter() {
  allocations = 0;
  counting = true;
}
AllocationCounter::~AllocationCounter() { counting = false; }
std::int64_t AllocationCounter::count() const { return allocations; }

}  // namespace scree::testing
