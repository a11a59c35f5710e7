/// scree: simulates mobile robots on rough ground.
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "scree/app/command.hpp"
#include "scree/app/processor.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

constexpr int kRunFailed = 1, kBadInput = 2;

/// Errors are one line, whatever they carry.
int complain(std::string message, int status) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::fprintf(stderr, "scree: error: %s\n", message.c_str());
  return status;
}

void add_commands(CLI::App& app, Action& action) {
  add_run_command(app, action);
  add_check_command(app, action);
#ifdef SCREE_HAVE_VIEW
  add_view_command(app, action);
  add_render_command(app, action);
#endif
  add_validate_command(app, action);
  add_terrain_command(app, action);
  add_wheel_command(app, action);
  add_plot_command(app, action);
  add_compare_command(app, action);
  add_settle_command(app, action);
  add_fidelity_command(app, action);
  add_urdf_command(app, action);
  add_sweep_command(app, action);
  add_study_command(app, action);
  add_list_command(app, action);
  add_reference_command(app, action);
  add_help_command(app, action);
}

/// Looks at one value of an option of this type; returns what is wrong with it.
std::string nonsense(const std::string& type, const std::string& text) {
  if (text.empty()) return "is empty; leave the option out or give a value";
  if (type.find("UINT") != std::string::npos && text.front() == '-')
    return "'" + text + "' must not be negative";
  double value = 0;
  const bool number = type.find("FLOAT") != std::string::npos && CLI::detail::lexical_cast(text, value);
  if (number && !std::isfinite(value)) return "'" + text + "' is not a finite number";
  return "";
}

/// The parser would only say that a subcommand is missing.
void check_subcommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> names;
  for (const auto* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) == names.end()) {
    input_error("no command '{}'{}", argv[1], name_hint(argv[1], names));
  }
}

int run_command_line(int argc, char** argv) {
  CLI::App app{"scree simulates mobile robots on rough ground."};
  app.name("scree");
  app.set_version_flag("-V,--version", "scree " SCREE_VERSION);
  app.require_subcommand(1);
  app.footer(
      "Exit status: 0 done, 1 the run failed, 2 bad input.\n'scree COMMAND --help' has an example of each.");
  Action action;
  add_commands(app, action);
  refuse_nonsense(app);
  check_subcommand(app, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {  // --help, --version
    return app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    return complain(std::string(error.what()) + " (see scree --help)", kBadInput);
  }
  try {
    const int status = action();
    if (std::fflush(stdout) == 0) return status;
    if (errno == EPIPE) return 0;
  } catch (const std::system_error& error) {
    if (error.code().value() == EPIPE) return 0;  // the reader (`head`) has seen enough
    if (error.code().value() != ENOSPC) throw;
  }
  return complain("the output cannot be written", kRunFailed);
}

}  // namespace

void refuse_nonsense(CLI::App& app) {
  for (CLI::Option* option : app.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a flag
    option->check(CLI::Validator(
        [type = option->get_type_name()](std::string& text) { return nonsense(type, text); }, ""));
  }
  for (CLI::App* sub : app.get_subcommands({})) refuse_nonsense(*sub);
}

}  // namespace scree

int main(int argc, char** argv) {
  scree::become_program_for_processor(argv);
  // A write beyond a size limit or into a closed pipe is an error like others, not the end of the program.
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGPIPE, SIG_IGN);
  scree::remove_parts_on_signals();
  try {
    return scree::run_command_line(argc, argv);
  } catch (const scree::InputError& error) {
    return scree::complain(error.what(), scree::kBadInput);
  } catch (const std::bad_alloc&) {
    return scree::complain("out of memory", scree::kRunFailed);
  } catch (const std::exception& error) {
    return scree::complain(error.what(), scree::kRunFailed);
  } catch (...) {
    return scree::complain("something that is no std::exception was thrown (by a plug-in?)",
                           scree::kRunFailed);
  }
}
