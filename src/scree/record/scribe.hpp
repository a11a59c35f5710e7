#pragma once
/// A thread that writes what a run tells while the run goes on. Numbers are laid into a batch, which is
/// handed over when it is full; while the thread works on it the next one fills. Nothing is allocated after
/// the start.
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <thread>
#include <vector>

namespace scree {

class Scribe {
 public:
  /// `work` gets whole batches, in order, and whether they are to reach the disk now. It runs on the scribe's
  /// thread, or on the caller's where the system gives none.
  using Work = std::function<void(std::span<const double> batch, bool flush)>;
  explicit Scribe(Work work);
  /// Ends the work under way; a batch that was not handed over is lost.
  ~Scribe();
  Scribe(const Scribe&) = delete;
  Scribe& operator=(const Scribe&) = delete;

  /// Room for so many numbers at the end of the batch.
  std::span<double> add(std::size_t count);
  /// Whether the batch should be handed over.
  bool full() const { return filled_ >= kBatch; }
  /// Hands the batch over, when the one before is done. Throws what the work threw, once; later batches are
  /// dropped then.
  void hand_over(bool flush);
  /// Hands over and waits until everything is on disk; throws likewise.
  void finish();

 private:
  static constexpr std::size_t kBatch = std::size_t{1} << 14;  ///< numbers, 128 kB
  void serve();
  void wait_until_idle(std::unique_lock<std::mutex>& lock);
  void change_batches(bool flush);
  void do_work();

  Work work_;
  std::vector<double> filling_, writing_;  ///< room, twice a batch at first
  std::size_t filled_ = 0, to_write_ = 0;  ///< numbers in it
  bool flush_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool busy_ = false, end_ = false, dead_ = false;
  std::exception_ptr failure_;
  std::thread thread_;  ///< started with the first batch
};

}  // namespace scree
