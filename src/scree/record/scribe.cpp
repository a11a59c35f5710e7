#include "scree/record/scribe.hpp"

#include <system_error>
#include <utility>

namespace scree {

Scribe::Scribe(Work work) : work_(std::move(work)), filling_(2 * kBatch), writing_(2 * kBatch) {}

Scribe::~Scribe() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

std::span<double> Scribe::add(std::size_t count) {
  // A record larger than a batch makes the room grow; this happens once, for the longest.
  if (filled_ + count > filling_.size()) filling_.resize(2 * (filled_ + count));
  const std::span<double> room = std::span(filling_).subspan(filled_, count);
  filled_ += count;
  return room;
}

void Scribe::do_work() {
  try {
    if (!dead_) work_(std::span(writing_).first(to_write_), flush_);
  } catch (...) {
    failure_ = std::current_exception(), dead_ = true;
  }
}

void Scribe::wait_until_idle(std::unique_lock<std::mutex>& lock) {
  changed_.wait(lock, [&] { return !busy_; });
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Scribe::change_batches(bool flush) {
  std::swap(filling_, writing_);
  to_write_ = std::exchange(filled_, 0);
  flush_ = flush;
}

void Scribe::hand_over(bool flush) {
  std::unique_lock lock(mutex_);
  wait_until_idle(lock);
  change_batches(flush);
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { serve(); });
    } catch (const std::system_error&) {  // no more threads: the caller does it
      do_work();
      wait_until_idle(lock);
      return;
    }
  }
  busy_ = true;
  lock.unlock();
  changed_.notify_all();
}

void Scribe::finish() {
  if (thread_.joinable()) {
    hand_over(true);
    std::unique_lock lock(mutex_);
    wait_until_idle(lock);
    return;
  }
  // All of a short run: not worth a thread.
  change_batches(true);
  do_work();
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Scribe::serve() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [&] { return busy_ || end_; });
    if (!busy_) return;
    lock.unlock();
    do_work();
    lock.lock();
    busy_ = false;
    changed_.notify_all();
  }
}

}  // namespace scree
