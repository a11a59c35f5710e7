#pragma once
/// The frame of the command line: one file a subcommand, each with a function that adds itself to the parser.
///
///     void add_plot_command(CLI::App& app, Action& action) {
///       auto options = std::make_shared<PlotOptions>();
///       auto* sub = add_subcommand(app, "plot", "Figures from a log", "scree plot runs/demo -o speed.png");
///       sub->add_option("RUN", options->runs, "Run folders")->required();
///       on_parsed(sub, action, [options] { return plot(*options); });
///     }
///
/// The chosen action runs after parsing. It returns the exit status, or throws InputError (status 2) or
/// RunError (status 1), which main() prints on one line.
#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "scree/config/section.hpp"

namespace scree {

using Action = std::function<int()>;

inline CLI::App* add_subcommand(CLI::App& app, const std::string& name, const std::string& doc,
                                const std::string& example) {
  auto* sub = app.add_subcommand(name, doc);
  sub->footer("Example:\n  " + example);
  return sub;
}

inline void on_parsed(CLI::App* sub, Action& action, Action work) {
  sub->callback([&action, work = std::move(work)] { action = work; });
}

inline void add_json_flag(CLI::App* sub, bool& json) {
  sub->add_flag("--json", json, "Print the result as JSON (docs/json.md)");
}

/// A check of an option: a number above zero. (The parser's own prints the largest double in full.)
inline CLI::Validator positive_number() {
  return CLI::Validator(
      [](std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && value > 0
                   ? std::string()
                   : "'" + text + "' must be a number above zero";
      },
      "POSITIVE");
}

/// What every option of every subcommand refuses: numbers that are not finite, a minus sign where no number
/// below zero is meant (the parser would wrap it round), and empty text.
void refuse_nonsense(CLI::App& app);

/// Prints the result for machines. Every command has the same shape: one object, `version` first, then the
/// named members given here ("\"file\": \"a.png\", \"panels\": [...]"). docs/json.md lists them.
void print_json(std::string_view members);

/// How a user names a scenario, the same in every command.
inline constexpr const char* kScenarioDoc = "Scenario file (TOML), or a name of `scree list scenarios`";

/// Checks what only the window reads of a scenario, `[view]`; nothing where there is no window.
void check_view(const Document& scenario);

// One line a subcommand, in the order of --help.
void add_run_command(CLI::App& app, Action& action);
void add_check_command(CLI::App& app, Action& action);
void add_view_command(CLI::App& app, Action& action);    // only with SCREE_HAVE_VIEW
void add_render_command(CLI::App& app, Action& action);  // only with SCREE_HAVE_VIEW
void add_validate_command(CLI::App& app, Action& action);
void add_terrain_command(CLI::App& app, Action& action);
void add_wheel_command(CLI::App& app, Action& action);
void add_plot_command(CLI::App& app, Action& action);
void add_compare_command(CLI::App& app, Action& action);
void add_settle_command(CLI::App& app, Action& action);
void add_fidelity_command(CLI::App& app, Action& action);
void add_urdf_command(CLI::App& app, Action& action);
void add_sweep_command(CLI::App& app, Action& action);
void add_study_command(CLI::App& app, Action& action);
void add_list_command(CLI::App& app, Action& action);
void add_reference_command(CLI::App& app, Action& action);
void add_help_command(CLI::App& app, Action& action);

}  // namespace scree
