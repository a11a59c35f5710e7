/// scree validate: the table of cases, ours beside the published error.
#include <fmt/format.h>

#include "scree/app/command.hpp"
#include "scree/app/validation.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

struct ValidateOptions {
  std::vector<std::string> sets;
  bool json = false;
};

const std::vector<std::pair<std::string, std::vector<ValidationRow> (*)()>>& validation_sets() {
  static const std::vector<std::pair<std::string, std::vector<ValidationRow> (*)()>> sets = {
      {"core", validate_core}, {"fbm", validate_fractal}};
  return sets;
}

std::string number_or_dash(const std::optional<double>& value) {
  return value ? fmt::format("{:.4g}", *value) : "-";
}

void print_table(const std::vector<ValidationRow>& rows) {
  fmt::print("{:<52} {:>5} {:>10} {:>11} {:>9}\n", "case", "unit", "published", "ours", "bar");
  for (const auto& row : rows) {
    fmt::print("{:<52} {:>5} {:>10} {:>11.3g} {:>9.3g}  {}\n", row.name, row.unit,
               number_or_dash(row.published), row.error, row.bar, row.pass() ? "pass" : "FAIL");
  }
}

void print_json(const std::vector<ValidationRow>& rows, const std::vector<SliceCost>& costs) {
  std::string out = "{\"rows\": [";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& r = rows[i];
    out += fmt::format(
        "{}\n  {{\"case\": {}, \"unit\": {}, \"published_error\": {}, \"our_error\": {}, \"bar\": {}, "
        "\"pass\": {}}}",
        i ? "," : "", json_text(r.name), json_text(r.unit), r.published ? json_number(*r.published) : "null",
        json_number(r.error), json_number(r.bar), r.pass());
  }
  out += "],\n \"cost\": [";
  for (std::size_t i = 0; i < costs.size(); ++i) {
    out += fmt::format("{}\n  {{\"slices\": {}, \"slope_bound\": {}, \"microseconds_per_step\": {}}}",
                       i ? "," : "", costs[i].slices, costs[i].bounded, json_number(costs[i].microseconds));
  }
  fmt::print("{}]}}\n", out);
}

int validate(const ValidateOptions& options) {
  std::vector<ValidationRow> rows;
  std::vector<SliceCost> costs;
  for (const auto& [name, make] : validation_sets()) {
    const bool wanted = options.sets.empty() ||
                        std::find(options.sets.begin(), options.sets.end(), name) != options.sets.end();
    if (!wanted) continue;
    const std::vector<ValidationRow> more = make();
    rows.insert(rows.end(), more.begin(), more.end());
    if (name == "core") costs = slice_costs();
  }
  bool passed = true;
  for (const auto& row : rows) passed = passed && row.pass();
  if (options.json) {
    print_json(rows, costs);
    return passed ? 0 : 1;
  }
  print_table(rows);
  for (const auto& cost : costs) {
    fmt::print("a step with {:>4} slices, slope {}: {:.2f} us\n", cost.slices,
               cost.bounded ? "bounded by the terrain" : "unknown, expression evaluated", cost.microseconds);
  }
  return passed ? 0 : 1;
}

}  // namespace

void add_validate_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ValidateOptions>();
  auto* sub = add_subcommand(app, "validate", "Compare with closed forms and published errors",
                             "scree validate core");
  std::vector<std::string> names;
  for (const auto& set : validation_sets()) names.push_back(set.first);
  sub->add_option("SET", options->sets,
                  "Which cases: " + fmt::format("{}", fmt::join(names, ", ")) + "; default all")
      ->check(CLI::IsMember(names));
  add_json_flag(sub, options->json);
  on_parsed(sub, action, [options] { return validate(*options); });
}

}  // namespace scree
