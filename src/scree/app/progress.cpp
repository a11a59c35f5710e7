#include "scree/app/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace scree {
namespace {
constexpr double kSilence = 0.5;  // s
constexpr double kRedraw = 0.1;   // s
constexpr int kWidth = 30;

double seconds(std::chrono::steady_clock::duration duration) {
  return std::chrono::duration<double>(duration).count();
}
}  // namespace

std::string clock_text(double seconds) {
  if (!(seconds < 360000)) return "long";
  const int whole = static_cast<int>(std::ceil(std::max(seconds, 0.0)));
  const int h = whole / 3600, m = whole / 60 % 60, s = whole % 60;
  return h > 0 ? fmt::format("{}:{:02}:{:02}", h, m, s) : fmt::format("{}:{:02}", m, s);
}

std::string progress_line(const std::string& label, double done, double real_time_factor, double elapsed_s) {
  done = done > 0 ? std::min(done, 1.0) : 0.0;  // NaN counts as nothing done
  const int filled = static_cast<int>(done * kWidth);
  std::string line =
      fmt::format("{} [{}{}] {:3.0f} %", label, std::string(static_cast<std::size_t>(filled), '#'),
                  std::string(static_cast<std::size_t>(kWidth - filled), '.'), 100 * done);
  if (real_time_factor > 0) line += fmt::format("  {:.3g} x real time", real_time_factor);
  if (done > 0) line += fmt::format("  {} left", clock_text(elapsed_s * (1 - done) / done));
  return line;
}

ProgressBar::ProgressBar(std::string label, bool quiet)
    : label_(std::move(label)),
      active_(!quiet && ::isatty(STDERR_FILENO) == 1),
      start_(Clock::now()),
      last_(start_) {}

ProgressBar::~ProgressBar() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void ProgressBar::update(double done, double real_time_factor) {
  if (!active_) return;
  const auto now = Clock::now();
  if (seconds(now - start_) < kSilence || seconds(now - last_) < kRedraw) return;
  last_ = now;
  drawn_ = true;
  std::fprintf(stderr, "\r%s\033[K",
               progress_line(label_, done, real_time_factor, seconds(now - start_)).c_str());
  std::fflush(stderr);
}

BusyLine::BusyLine(std::string label, bool quiet) : label_(std::move(label)) {
  if (!quiet && ::isatty(STDERR_FILENO) == 1) thread_ = std::thread([this] { redraw(); });
}

void BusyLine::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void BusyLine::now(std::string label) {
  const std::lock_guard lock(mutex_);
  label_ = std::move(label);
}

void BusyLine::redraw() {
  const auto start = std::chrono::steady_clock::now();
  std::unique_lock lock(mutex_);
  const auto wait = [&](double s) {
    return wake_.wait_for(lock, std::chrono::duration<double>(s), [this] { return done_; });
  };
  if (wait(kSilence)) return;
  do {
    std::fprintf(stderr, "\r%s %s\033[K", label_.c_str(),
                 clock_text(seconds(std::chrono::steady_clock::now() - start)).c_str());
    std::fflush(stderr);
  } while (!wait(kRedraw));
  std::fputs("\r\033[K", stderr);
}

}  // namespace scree
