#pragma once
/// Threads that stay: work is handed to them many thousand times a second.
#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace scree {

/// Calls a function for every number of [0, count) on several threads. Who does which number is left to
/// chance, so the function must touch nothing that another number touches; then the result does not depend on
/// how many threads there are.
class Crew {
 public:
  /// With one thread everything runs in the caller's.
  explicit Crew(int threads = 1);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;
  int size() const { return static_cast<int>(threads_.size()) + 1; }

  /// Every number is done, also when some throw: then the exception of the smallest is passed on.
  template <class Work>
  void each(int count, const Work& work) {
    if (threads_.empty() || count <= 1) {
      alone(count, work);
      return;
    }
    begin(
        count, [](const void* what, int i) { (*static_cast<const Work*>(what))(i); }, &work);
    while (take_part()) {
    }
    finish();
  }

 private:
  using Call = void (*)(const void*, int);
  template <class Work>
  static void alone(int count, const Work& work) {
    std::exception_ptr failure;
    for (int i = 0; i < count; ++i) {
      try {
        work(i);
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
    }
    if (failure) std::rethrow_exception(failure);
  }
  void begin(int count, Call call, const void* work);
  bool take_part();
  void finish();
  void serve();

  std::vector<std::thread> threads_;
  // What is to be done. Read only by who has claimed a part, and not changed before all parts are done: a
  // thread that wakes up late finds no part to claim and touches nothing.
  Call call_ = nullptr;
  const void* work_ = nullptr;
  int count_ = 0, parts_ = 0;
  std::atomic<std::uint64_t> left_{0};  ///< number of the round (upper half), parts that nobody has claimed
  std::atomic<int> done_{0};            ///< parts
  std::atomic<bool> end_{false};
  std::atomic_flag failing_ = ATOMIC_FLAG_INIT;
  int failed_ = -1;
  std::exception_ptr failure_;
};

}  // namespace scree
