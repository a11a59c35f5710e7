#include "scree/study/study_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "scree/config/data_path.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/random.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

constexpr std::size_t kMostCells = 10'000'000;

struct LatinSettings {
  int cells = 0;
  std::uint64_t seed = 1;
};
void describe(Section& s, LatinSettings& x) {
  s.integer("cells", x.cells,
            {.unit = "-",
             .doc = "Number of designs drawn by Latin hypercube over all factors; 0: every combination",
             .range = between(0, 1000000)});
  s.unsigned_integer("seed", x.seed, {.doc = "of the draw"});
}

/// A factor as the file gives it.
struct FactorEntry {
  std::string name, key;
  std::vector<std::string> values, labels;
  std::vector<double> range;
  int count = 0;
  std::vector<Level> levels;
};

/// A text without its quotes, as a label shows it.
std::string plain(const std::string& literal) {
  return literal.size() >= 2 && literal.front() == '"' ? literal.substr(1, literal.size() - 2) : literal;
}

void check_factor(const Section& s, const FactorEntry& x) {
  const int ways = (s.has("values") ? 1 : 0) + (s.has("range") ? 1 : 0) + (s.has("level") ? 1 : 0);
  if (ways != 1) s.fail("values", "give one of values, range or [[factor.level]]");
  if (s.has("level")) {
    if (s.has("key")) s.fail("key", "levels say by themselves what they set; leave the key out");
    if (x.name.empty()) s.fail("name", "is missing: a factor of levels needs one");
    if (x.levels.empty()) s.fail("level", "the factor is empty: give at least one level");
    return;
  }
  if (x.key.empty()) s.fail("key", "is missing: which key of the scenario varies?");
  if (s.has("values") && x.values.empty()) s.fail("values", "the factor is empty: give at least one value");
  if (s.has("labels") && x.labels.size() != x.values.size())
    s.fail("labels", fmt::format("{} labels for {} values", x.labels.size(), x.values.size()));
  if (s.has("count") && !s.has("range")) s.fail("count", "belongs to a range");
  if (s.has("range") && (x.range.size() != 2 || !(x.range[0] < x.range[1])))
    s.fail("range", "needs two numbers: from below to");
}

void describe(Section& s, FactorEntry& x) {
  s.text("name", x.name, {.doc = "of the factor in tables; default: the key"});
  s.text("key", x.key,
         {.doc = "key of the scenario, as --set takes it; of a robot's file: robot.set.wheel.radius"});
  s.literals("values", x.values, {.doc = "that the key takes"});
  s.texts("labels", x.labels, {.doc = "of the values in tables; default: the values"});
  s.numbers("range", x.range, {.unit = "-", .doc = "lowest and highest value, instead of values"});
  s.integer("count", x.count,
            {.unit = "-",
             .doc = "values of the range, evenly spaced; not for [latin], which draws them",
             .range = between(2, 1000000)});
  s.each("level", "a level that changes several keys, instead of key and values", [&x](Section& one) {
    Level level;
    one.text("name", level.label, {.doc = "in tables", .required = true});
    one.texts("set", level.set, {.doc = "changes to the scenario, each \"key=value\"", .required = true});
    one.finish();
    x.levels.push_back(level);
  });
  if (!s.documenting()) check_factor(s, x);
}

void describe(Section& s, TrialDraw& x) {
  std::vector<double> range = {x.low, x.high};
  s.text("key", x.key, {.doc = "key of the scenario that is drawn for every trial", .required = true});
  s.choice("kind", x.kind, {"uniform", "normal"}, {.doc = "distribution"});
  s.numbers("range", range, {.unit = "-", .doc = "uniform: lowest and highest value"});
  s.number("mean", x.mean, {.unit = "-", .doc = "normal"});
  s.number("spread", x.spread, {.unit = "-", .doc = "normal: standard deviation", .range = not_negative()});
  if (s.documenting()) return;
  if (range.size() != 2 || !(range[0] <= range[1])) s.fail("range", "needs two numbers: from, to");
  x.low = range[0], x.high = range[1];
  if (x.kind == "uniform" && !s.has("range")) s.fail("range", "is missing");
  if (x.kind == "normal" && !s.has("spread")) s.fail("spread", "is missing");
}

void describe(Section& s, Rule& x) {
  std::string kind;
  if (!s.documenting() && s.has("kind")) s.text("kind", kind, {});
  if (kind == "time_out") {
    x.event.kind = kind;
    s.number("time", x.event.time,
             {.unit = "s", .doc = "time_out: after so long", .range = positive(), .required = true});
    return;
  }
  describe(s, x.event);
  if (!s.documenting() && s.has("ends_run") && !x.event.ends_run)
    s.fail("ends_run", "a rule ends its trial: leave the key out");
  x.event.ends_run = true;
}

struct StudyEntries {
  std::string doc, scenario, streams = "same";
  std::vector<std::string> overrides, measures, map;
  int trials = 30;
  std::uint64_t seed = 1;
  LatinSettings latin;
  SequentialSettings sequential;
  std::vector<FactorEntry> factors;
  std::vector<TrialDraw> draws;
  std::vector<Rule> rules;
};

void describe(Section& s, StudyEntries& x) {
  int format = 1;
  s.integer("format", format, {.doc = "version of the file format", .range = between(1, 1)});
  s.text("doc", x.doc, {.doc = "one line for people"});
  s.text("scenario", x.scenario,
         {.doc = "that every trial runs: a file beside this one, or a name of `scree list scenarios`",
          .required = true});
  s.texts("set", x.overrides, {.doc = "changes to it for every trial, each \"key=value\""});
  s.integer("trials", x.trials,
            {.unit = "-", .doc = "of every cell, or its most in sequential mode", .range = between(1, 1e9)});
  s.unsigned_integer("seed", x.seed, {.doc = "of everything random, instead of the scenario's"});
  s.choice(
      "streams", x.streams, {"same", "own"},
      {.doc = "trial n draws the same random numbers in every cell, so that cells differ by their values "
              "alone, or each cell its own"});
  s.texts("measures", x.measures,
          {.doc = "numbers kept of every trial: signal:statistic, as `scree sweep --measure`; default: the "
                  "usual"});
  s.texts("map", x.map, {.doc = "the two factors of the heat map; default: the first two of numbers"});
  s.table("latin", x.latin, "designs drawn instead of every combination");
  s.table("sequential", x.sequential, "cells end when their success rate is known well enough");
  s.each("factor", "something that is varied", [&x](Section& one) {
    describe(one, x.factors.emplace_back());
    one.finish();
  });
  s.each("draw", "a key that is drawn anew for every trial", [&x](Section& one) {
    describe(one, x.draws.emplace_back());
    one.finish();
  });
  for (const bool success : {true, false}) {
    s.each(success ? "success" : "failure",
           success ? "an event that ends a trial as a success: keys as [[event]] of a scenario, and kind "
                     "\"time_out\" with `time`"
                   : "the same for failures; rolled_over and left_terrain are failures unless a rule says "
                     "otherwise",
           [&](Section& one) {
             Rule rule;
             rule.success = success;
             describe(one, rule);
             one.finish();
             x.rules.push_back(rule);
           });
  }
}

bool overlap(const std::vector<double>& a, const std::vector<double>& b) {
  return a[0] <= b[1] && b[0] <= a[1] && a[2] <= b[3] && b[2] <= a[3];
}

void check_rules(const Section& root, const std::vector<Rule>& rules) {
  bool success = false, time_fails = false;
  std::map<std::string, bool> meant;
  int clocks = 0;
  for (const Rule& r : rules) {
    const char* list = r.success ? "success" : "failure";
    const auto [place, first] = meant.emplace(r.event.kind, r.success);
    if (!first && place->second != r.success)
      root.fail(list, fmt::format("'{}' is a success and a failure at once", r.event.kind));
    success = success || r.success;
    if (r.event.kind == "time_out" && ++clocks > 1) root.fail(list, "time_out is given twice");
    time_fails = time_fails || (r.event.kind == "time_out" && !r.success);
  }
  if (time_fails && !success)
    root.fail("success", "nothing is: time_out is a failure, and so no trial can succeed");
  for (const Rule& goal : rules)
    for (const Rule& left : rules)
      if (goal.event.kind == "goal" && left.event.kind == "left_area" && !goal.event.area.empty() &&
          !overlap(goal.event.area, left.event.area))
        root.fail(goal.success ? "success" : "failure",
                  "the goal lies outside the area that ends a trial when it is left");
}

Factor factor_of(const FactorEntry& x, const LatinSettings& latin) {
  Factor factor{x.name.empty() ? x.key : x.name, x.levels};
  const auto add = [&](const std::string& value, const std::string& label) {
    factor.levels.push_back({label, {x.key + "=" + value}});
  };
  for (std::size_t i = 0; i < x.values.size(); ++i)
    add(x.values[i], x.labels.empty() ? plain(x.values[i]) : x.labels[i]);
  if (x.range.empty()) return factor;
  const double low = x.range[0], high = x.range[1];
  if (latin.cells > 0) {
    RandomStream stream(latin.seed, 0, "stratum of " + factor.name);
    for (int i = 0; i < latin.cells; ++i) {
      const double value = low + (high - low) * (i + stream.uniform()) / latin.cells;
      add(number_text(value), fmt::format("{:.6g}", value));
    }
  } else {
    for (int i = 0; i < x.count; ++i) {
      const double value = low + (high - low) * i / (x.count - 1);
      add(number_text(value), fmt::format("{:.6g}", value));
    }
  }
  return factor;
}

Plan plan_of(const Section& root, const StudyEntries& x) {
  Plan plan;
  plan.overrides = x.overrides;
  if (root.has("seed")) plan.overrides.push_back(fmt::format("seed={}", x.seed));
  plan.trials = x.trials;
  plan.seeds = x.streams == "own" ? Plan::Seeds::own : Plan::Seeds::same;
  plan.draws = x.draws;
  plan.rules = x.rules;
  for (const std::string& m : x.measures) plan.measures.push_back(parse_measure(m));
  std::set<std::string> names;
  for (const FactorEntry& f : x.factors) {
    if (!f.range.empty() && x.latin.cells == 0 && f.count < 2)
      root.fail("factor", fmt::format("'{}': a range needs a count (or [latin] draws it)", f.key));
    if (!f.range.empty() && x.latin.cells > 0 && f.count > 0)
      root.fail("factor", fmt::format("'{}': [latin] draws the range; leave count out", f.key));
    plan.factors.push_back(factor_of(f, x.latin));
    if (!names.insert(plan.factors.back().name).second)
      root.fail("factor", fmt::format("two factors are called '{}'", plan.factors.back().name));
  }
  if (x.latin.cells > 0) {
    if (x.factors.empty()) root.fail("latin", "there is no factor to draw");
    std::vector<int> levels;
    for (const Factor& f : plan.factors) levels.push_back(static_cast<int>(f.levels.size()));
    plan.design = latin_design(x.latin.cells, levels, x.latin.seed);
  }
  double cells = 1;
  for (const Factor& f : plan.factors) cells *= static_cast<double>(f.levels.size());
  if (plan.design.empty() && cells > static_cast<double>(kMostCells))
    root.fail("factor",
              fmt::format("{:.3g} cells are more than {}; [latin] draws some of them", cells, kMostCells));
  // The sequential schedule and a resume keep a byte for every trial.
  if (static_cast<double>(plan.cells()) * x.trials > 1e11)
    root.fail("trials", fmt::format("{} cells of {} trials are more than 1e11", plan.cells(), x.trials));
  return plan;
}

/// `kept`: the scenario is at hand, and its file need not be there any more.
Study study_of(Document document, const std::filesystem::path& file, bool kept) {
  Section root = document.root();
  StudyEntries x;
  describe(root, x);
  root.finish();
  check_rules(root, x.rules);
  Study study;
  study.name = file.stem().string();
  study.doc = x.doc;
  study.file = file;
  study.plan = plan_of(root, x);
  study.sequential = x.sequential;
  study.map = x.map;
  std::vector<std::string> names;
  for (const Factor& f : study.plan.factors) names.push_back(f.name);
  if (!x.map.empty() && x.map.size() != 2) root.fail("map", "needs two factors");
  for (const std::string& name : x.map)
    if (std::find(names.begin(), names.end(), name) == names.end())
      root.fail("map", fmt::format("no factor is called '{}'{}", name, name_hint(name, names)));
  study.text = document.text();
  if (kept) return study;
  // A file beside the study, else one by its name.
  const std::filesystem::path beside = file.parent_path() / x.scenario;
  std::error_code status;
  const bool there = std::filesystem::is_regular_file(beside, status);
  try {
    study.plan.scenario = there ? beside : find_scenario(x.scenario);
  } catch (const InputError& error) {
    root.fail("scenario", error.what());
  }
  return study;
}

}  // namespace

std::filesystem::path find_study(const std::filesystem::path& given) {
  std::error_code status;
  const bool file_meant = given.extension() == ".toml";
  if (file_meant || (std::filesystem::exists(given, status) && !std::filesystem::is_directory(given, status)))
    return given;
  std::vector<std::string> names = {"vivi"};
  for (const auto& [name, file] : data_files("studies")) {
    if (given == name) return file;
    names.push_back(name);
  }
  input_error("no file '{}', and no study of that name{}", given.string(),
              name_hint(given.filename().stem().string(), names));
}

Study read_study(const std::filesystem::path& given, const std::vector<std::string>& changes,
                 const std::vector<std::string>& overrides) {
  const std::filesystem::path file = find_study(given);
  Document document = Document::from_file(file);
  for (const std::string& change : changes) document.set(change, "command line");
  std::vector<std::string> set;
  document.root().texts("set", set, {});
  for (std::size_t i = 0; i < overrides.size(); ++i)
    document.set(fmt::format("set.{}={}", set.size() + i, json_text(overrides[i])));
  return study_of(std::move(document), file, false);
}

Study read_study_text(const std::string& text, const std::filesystem::path& file) {
  const auto folder = file.parent_path();
  return study_of(
      Document::from_text(text, file.string(), folder.empty() ? std::filesystem::path(".") : folder), file,
      true);
}

void check_study(const Study& study, const TrialRunner& runner) {
  const Plan& plan = study.plan;
  runner.check();
  // One cell for every list of keys that a factor sets: values may make no scenario, keys must be known.
  for (std::size_t f = 0; f < plan.factors.size(); ++f) {
    std::set<std::string> seen;
    for (std::size_t level = 0; level < plan.factors[f].levels.size(); ++level) {
      std::string keys;
      for (const std::string& set : plan.factors[f].levels[level].set)
        keys += set.substr(0, set.find('=')) + "\n";
      if (!seen.insert(keys).second) continue;
      std::size_t cell = 0;
      while (cell < plan.cells() && plan.levels_of(cell)[f] != static_cast<int>(level)) ++cell;
      if (cell == plan.cells() || cell == 0) continue;
      try {
        runner.scenario({cell, 0});
      } catch (const InputError& error) {
        input_error("{}: factor '{}', level '{}': {}", study.file.string(), plan.factors[f].name,
                    plan.factors[f].levels[level].label, error.what());
      }
    }
  }
  if (plan.rules.empty()) return;
  for (const EventSettings& event : runner.scenario({0, 0}).events) {
    const bool judged = std::any_of(plan.rules.begin(), plan.rules.end(),
                                    [&](const Rule& r) { return r.event.kind == event.kind; });
    if (event.ends_run && !judged && event.kind != "rolled_over" && event.kind != "left_terrain" &&
        event.kind != "buried")
      input_error(
          "{}: the scenario's event '{}' ends the run, and no rule says whether that is a success or a "
          "failure; add [[success]] or [[failure]] kind = \"{}\"",
          study.file.string(), event.kind, event.kind);
  }
}

void describe_study(Section& section) {
  StudyEntries entries;
  describe(section, entries);
}

}  // namespace scree
