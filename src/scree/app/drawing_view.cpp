#include "scree/app/drawing_view.hpp"

#include <fmt/format.h>

#include "scree/core/text.hpp"

namespace scree {

std::string drawing_json(const view::DrawingStats& d) {
  return fmt::format(
      "\"picture_cpu_median_s\": {}, \"picture_cpu_99_s\": {}, \"draw_calls\": {}, \"most_draw_calls\": {}, "
      "\"triangles\": {}, \"most_triangles\": {}, \"uploaded_bytes\": {}, \"samples\": {}",
      json_number(d.processor().quantile(0.5)), json_number(d.processor().quantile(0.99)),
      json_number(d.draw_calls()), d.most_draw_calls(), json_number(d.triangles()), d.most_triangles(),
      json_number(d.uploaded()), json_number(d.samples()));
}

}  // namespace scree
