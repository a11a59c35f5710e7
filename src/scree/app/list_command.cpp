/// scree list: what the program knows by name.
#include <fmt/format.h>

#include <algorithm>

#include "scree/app/command.hpp"
#include "scree/app/listing.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/sim/simulation.hpp"

namespace scree {
namespace {

struct ListOptions {
  std::string topic, scenario;
  std::vector<std::string> overrides;
  bool json = false;
};

void print_text(const Listing& listing) {
  const auto entries = listing.entries();
  std::size_t width = 0;
  for (const auto& [name, doc] : entries) width = std::max(width, std::min<std::size_t>(name.size(), 40));
  for (const auto& [name, doc] : entries) {
    fmt::print("  {}\n", trim(fmt::format("{:{}}  {}", name, width, doc)));
  }
  if (entries.empty()) fmt::print("  (none)\n");
}

std::string json_of(const Listing& listing) {
  std::string out;
  for (const auto& [name, doc] : listing.entries()) {
    out += fmt::format("{}\n    {{\"name\": {}, \"doc\": {}}}", out.empty() ? "" : ",", json_text(name),
                       json_text(doc));
  }
  return fmt::format("  {}: [{}{}]", json_text(listing.topic), out, out.empty() ? "" : "\n  ");
}

/// The topics that are meant: one by name, or all but the long list of keys.
std::vector<Listing> chosen(const std::string& topic) {
  std::vector<Listing> all = listings();
  std::vector<std::string> names;
  for (const auto& listing : all) names.push_back(listing.topic);
  names.push_back("signals");
  if (topic.empty()) {
    std::erase_if(all, [](const Listing& listing) { return listing.topic == "keys"; });
    return all;
  }
  std::erase_if(all, [&](const Listing& listing) { return listing.topic != topic; });
  if (all.empty()) input_error("nothing to list under '{}'{}", topic, name_hint(topic, names));
  return all;
}

/// Every signal of a scenario, as its log names them.
Listing signals_of(const ListOptions& options) {
  if (options.scenario.empty())
    input_error("list signals: of which scenario? for example: scree list signals demo");
  const Simulation simulation(load_scenario(options.scenario, options.overrides));
  const SignalCatalog signals = simulation.signals();
  std::vector<std::pair<std::string, std::string>> entries;
  for (const Signal& signal : signals.all())
    entries.emplace_back(signal.name, fmt::format("[{}] {}", signal.unit, signal.doc));
  return {"signals", "what a run of " + options.scenario + " can log, plot and show",
          [entries] { return entries; }};
}

int list(const ListOptions& options) {
  const bool signals = options.topic == "signals";
  if (!signals) chosen(options.topic);  // a wrong topic is told before a scenario that it does not take
  if (!signals && !options.scenario.empty())
    input_error("list {}: only `list signals` takes a scenario", options.topic);
  const auto topics = signals ? std::vector<Listing>{signals_of(options)} : chosen(options.topic);
  if (options.json) {
    std::string out;
    for (const auto& listing : topics) out += (out.empty() ? "" : ",\n") + json_of(listing);
    print_json("\n" + out + "\n");
    return 0;
  }
  for (const auto& listing : topics) {
    fmt::print("{}: {}\n", listing.topic, listing.doc);
    print_text(listing);
  }
  return 0;
}

}  // namespace

void add_list_command(CLI::App& app, Action& action) {
  auto options = std::make_shared<ListOptions>();
  auto* sub = add_subcommand(app, "list", "List what the program knows by name",
                             "scree list models\n  scree list signals demo");
  std::string topics;
  for (const auto& listing : listings()) topics += (topics.empty() ? "" : ", ") + listing.topic;
  sub->add_option("TOPIC", options->topic, topics + ", signals (default: all but keys and signals)");
  sub->add_option("SCENARIO", options->scenario, "For `signals`: a scenario file or name");
  sub->add_option("--set", options->overrides, "For `signals`: change a key of the scenario: key=value")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  add_json_flag(sub, options->json);
  on_parsed(sub, action, [options] { return list(*options); });
}

}  // namespace scree
