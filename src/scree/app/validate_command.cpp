/// scree validate: the table of cases, ours beside the published error.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "scree/app/command.hpp"
#include "scree/app/validation.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

struct ValidateOptions {
  std::vector<std::string> sets;
  std::string out = "runs/validate";
  bool json = false;
};

struct ValidationSet {
  std::string name;
  Validation (*make)(const ValidationSetup&);
  bool by_name_only = false;  ///< it takes minutes
};

const std::vector<ValidationSet>& validation_sets() {
  static const std::vector<ValidationSet> sets = {
      {"core", validate_core},        {"contact", validate_contact}, {"fbm", validate_fractal},
      {"vivi", validate_vivi},        {"soil", validate_soil},       {"steps", validate_steps, true},
      {"kyoto", validate_kyoto, true}};
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

void print_rows(const std::vector<ValidationRow>& rows, const std::vector<std::string>& more) {
  std::string out = "\"rows\": [";
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& r = rows[i];
    out += fmt::format(
        "{}\n  {{\"case\": {}, \"unit\": {}, \"published_error\": {}, \"our_error\": {}, \"bar\": {}, "
        "\"pass\": {}}}",
        i ? "," : "", json_text(r.name), json_text(r.unit), r.published ? json_number(*r.published) : "null",
        json_number(r.error), json_number(r.bar), r.pass());
  }
  out += "]";
  for (const std::string& members : more) out += ",\n " + members;
  print_json(out);
}

int validate(const ValidateOptions& options) {
  std::vector<ValidationRow> rows;
  std::vector<std::string> json;
  for (const ValidationSet& set : validation_sets()) {
    const bool named = std::find(options.sets.begin(), options.sets.end(), set.name) != options.sets.end();
    if (!named && (!options.sets.empty() || set.by_name_only)) continue;
    const Validation v = set.make({options.out, options.json});
    rows.insert(rows.end(), v.rows.begin(), v.rows.end());
    if (!v.json.empty()) json.push_back(v.json);
    if (options.json) continue;
    print_table(v.rows);
    fmt::print("{}{}\n", v.text.empty() ? "" : "\n", v.text);
    std::fflush(stdout);
  }
  if (options.json) print_rows(rows, json);
  const auto passed = std::count_if(rows.begin(), rows.end(), [](const auto& row) { return row.pass(); });
  const bool all = passed == static_cast<std::ptrdiff_t>(rows.size());
  if (!options.json) fmt::print("{} of {} cases within their bars\n", passed, rows.size());
  return all ? 0 : 1;
}

}  // namespace

void add_validate_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ValidateOptions>();
  auto* sub = add_subcommand(app, "validate", "Compare with closed forms and published errors",
                             "scree validate core");
  std::vector<std::string> names;
  for (const auto& set : validation_sets()) names.push_back(set.name);
  sub->add_option("SET", options->sets,
                  "Which cases: " + fmt::format("{}", fmt::join(names, ", ")) +
                      "; default all but steps and kyoto, which take minutes")
      ->check(CLI::IsMember(names));
  sub->add_option("-o,--out", options->out, "Folder for runs and figures; default runs/validate");
  add_json_flag(sub, options->json);
  on_parsed(sub, action, [options] { return validate(*options); });
}

}  // namespace scree
