/// scree help, man, completion: what the commands take, for people, man(1) and shells.
#include <fmt/format.h>

#include <filesystem>

#include "scree/app/command.hpp"
#include "scree/app/manual.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

/// A text, plain or as the only member of the result for machines.
int print_text(const std::string& name, const std::string& text, bool json) {
  if (json)
    print_json(json_text(name) + ": " + json_text(text));
  else
    fmt::print("{}", text);
  return 0;
}

int help(CLI::App& app, const std::vector<std::string>& words, bool json) {
  CLI::App* at = &app;
  std::string before;  // the commands that lead there
  for (const std::string& word : words) {
    std::vector<std::string> names;
    CLI::App* next = nullptr;
    for (CLI::App* sub : at->get_subcommands([](CLI::App*) { return true; })) {
      names.push_back(sub->get_name());
      if (sub->get_name() == word) next = sub;
    }
    if (next == nullptr) input_error("no command '{}'{}", word, name_hint(word, names));
    before += (before.empty() ? "" : " ") + at->get_name();
    at = next;
  }
  return print_text("help", at->help(before), json);
}

/// Every page into a folder: scree.1, scree-run.1, ...
void write_pages(const CLI::App& app, const std::filesystem::path& folder) {
  std::error_code status;
  std::filesystem::create_directories(folder, status);
  if (status) input_error("{}: the folder cannot be made: {}", folder.string(), status.message());
  write_whole_file(folder / "scree.1", manual_page(app, ""));
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; }))
    write_whole_file(folder / ("scree-" + sub->get_name() + ".1"), manual_page(app, sub->get_name()));
}

}  // namespace

void add_help_command(CLI::App& app, Action& action) {
  auto words = std::make_shared<std::vector<std::string>>();
  auto* sub = add_subcommand(app, "help", "Say what a command takes", "scree help terrain make");
  sub->add_option("COMMAND", *words, "Command, and what follows it (default: all commands)");
  auto json = std::make_shared<bool>(false);
  add_json_flag(sub, *json);
  on_parsed(sub, action, [&app, words, json] { return help(app, *words, *json); });

  struct ManualOptions {
    std::string command, out;
  };
  auto manual = std::make_shared<ManualOptions>();
  auto* man = add_subcommand(app, "man", "Print a manual page", "scree man run | man -l -");
  man->add_option("COMMAND", manual->command, "Command (default: the program)");
  man->add_option("-o,--out", manual->out, "Write the pages of all commands into this folder");
  add_json_flag(man, *json);
  on_parsed(man, action, [&app, manual, json] {
    if (manual->out.empty()) return print_text("page", manual_page(app, manual->command), *json);
    write_pages(app, manual->out);
    if (*json) print_json("\"folder\": " + json_text(manual->out));
    return 0;
  });

  auto shell = std::make_shared<std::string>("bash");
  auto* completion =
      add_subcommand(app, "completion", "Print a completion script for a shell",
                     "scree completion bash > ~/.local/share/bash-completion/completions/scree");
  completion->add_option("SHELL", *shell, "bash or zsh (default: bash)")
      ->check(CLI::IsMember({"bash", "zsh"}));
  add_json_flag(completion, *json);
  on_parsed(completion, action,
            [&app, shell, json] { return print_text("script", completion_script(app, *shell), *json); });
}

}  // namespace scree
