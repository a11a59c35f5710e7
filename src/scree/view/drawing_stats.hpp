#pragma once
/// What drawing takes, picture by picture: to be compared with the data sheet of a graphics card.
#include "scree/view/durations.hpp"
#include "scree/view/gl.hpp"

namespace scree::view {

/// One picture: scene, inset and panels.
struct PictureWork {
  GlWork gl;
  std::uint64_t samples = 0;  ///< of the scene that passed the depth test, a few pictures ago
  double processor = 0;       ///< s of this thread to prepare the picture and hand it to the driver
};

/// All pictures since the beginning.
class DrawingStats {
 public:
  void add(const PictureWork& work);
  const PictureWork& last() const { return last_; }
  const Durations& processor() const { return processor_; }
  std::uint64_t pictures() const { return processor_.count(); }
  /// Means over all pictures.
  double draw_calls() const { return mean(sum_.draw_calls); }
  double triangles() const { return mean(sum_.triangles); }
  double uploaded() const { return mean(sum_.uploaded); }  ///< bytes
  double samples() const { return mean(samples_); }
  /// The busiest picture.
  std::uint64_t most_draw_calls() const { return most_draw_calls_; }
  std::uint64_t most_triangles() const { return most_triangles_; }

 private:
  double mean(std::uint64_t sum) const {
    return pictures() ? static_cast<double>(sum) / static_cast<double>(pictures()) : 0;
  }
  PictureWork last_;
  Durations processor_;
  GlWork sum_;
  std::uint64_t samples_ = 0, most_draw_calls_ = 0, most_triangles_ = 0;
};

/// Counts the samples that pass the depth test without waiting for the driver: an answer belongs to a picture
/// some turns ago.
class SampleCounter {
 public:
  SampleCounter();
  ~SampleCounter();
  SampleCounter(const SampleCounter&) = delete;
  void begin();
  void end();
  /// The newest answer; 0 before the first.
  std::uint64_t newest() const { return newest_; }

 private:
  static constexpr int kQueries = 4;
  GLuint queries_[kQueries] = {};
  bool asked_[kQueries] = {};
  int next_ = 0;
  bool counting_ = false;
  std::uint64_t newest_ = 0;
};

}  // namespace scree::view
