#include "scree/view/drawing_stats.hpp"

#include <algorithm>

namespace scree::view {

void DrawingStats::add(const PictureWork& work) {
  last_ = work;
  processor_.add(work.processor);
  sum_.draw_calls += work.gl.draw_calls;
  sum_.triangles += work.gl.triangles;
  sum_.uploaded += work.gl.uploaded;
  samples_ += work.samples;
  most_draw_calls_ = std::max(most_draw_calls_, work.gl.draw_calls);
  most_triangles_ = std::max(most_triangles_, work.gl.triangles);
}

SampleCounter::SampleCounter() { glGenQueries(kQueries, queries_); }
SampleCounter::~SampleCounter() { glDeleteQueries(kQueries, queries_); }

void SampleCounter::begin() {
  if (asked_[next_]) {
    GLuint ready = GL_FALSE, samples = 0;
    glGetQueryObjectuiv(queries_[next_], GL_QUERY_RESULT_AVAILABLE, &ready);
    if (!ready) return;  // a slow driver: this picture is not counted
    glGetQueryObjectuiv(queries_[next_], GL_QUERY_RESULT, &samples);
    newest_ = samples;
  }
  glBeginQuery(GL_SAMPLES_PASSED, queries_[next_]);
  counting_ = asked_[next_] = true;
}

void SampleCounter::end() {
  if (!counting_) return;
  glEndQuery(GL_SAMPLES_PASSED);
  counting_ = false;
  next_ = (next_ + 1) % kQueries;
}

}  // namespace scree::view
