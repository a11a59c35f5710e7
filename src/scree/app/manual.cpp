#include "scree/app/manual.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/app/listing.hpp"
#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"

namespace scree {
namespace {

std::vector<const CLI::App*> subcommands(const CLI::App& app) {
  const auto list = app.get_subcommands([](const CLI::App*) { return true; });
  return {list.begin(), list.end()};
}

const CLI::App& command_named(const CLI::App& app, const std::string& name) {
  std::vector<std::string> names;
  for (const CLI::App* sub : subcommands(app)) {
    if (sub->get_name() == name) return *sub;
    names.push_back(sub->get_name());
  }
  input_error("no command '{}'{}", name, name_hint(name, names));
}

/// Text for roff: no line begins with a control character, hyphens stay what they are.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (out.empty() || out.back() == '\n') {
      if (c == '.' || c == '\'') out += "\\&";
    }
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// "-o, --out TEXT"
std::string option_head(const CLI::Option& option) {
  std::string head;
  for (const std::string& name : option.get_snames()) head += (head.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) head += (head.empty() ? "--" : ", --") + name;
  if (takes_value(option)) head += " " + option.get_type_name();
  return head;
}

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  std::vector<const CLI::Option*> list;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_positional()) list.push_back(option);
  return list;
}

std::vector<const CLI::Option*> positionals_of(const CLI::App& app) {
  std::vector<const CLI::Option*> list;
  for (const CLI::Option* option : app.get_options())
    if (option->get_positional()) list.push_back(option);
  return list;
}

std::string synopsis(const CLI::App& app, const std::string& name) {
  std::string line = name;
  for (const CLI::Option* p : positionals_of(app))
    line += p->get_required() ? " " + p->get_name(true) : " [" + p->get_name(true) + "]";
  if (!subcommands(app).empty()) line += " COMMAND";
  return line + " [OPTION]...";
}

void add_items(std::string& out, const CLI::App& app) {
  for (const CLI::Option* p : positionals_of(app))
    out += fmt::format(".TP\n.I {}\n{}\n", roff(p->get_name(true)), roff(p->get_description()));
  for (const CLI::Option* o : options_of(app)) {
    const std::string fallback = o->get_default_str();
    out += fmt::format(".TP\n.B {}\n{}{}\n", roff(option_head(*o)), roff(o->get_description()),
                       fallback.empty() ? "" : roff(" (default: " + fallback + ")"));
  }
}

/// What --help prints below the options: "Example:\n  scree ..."
void add_footer(std::string& out, const CLI::App& app) {
  std::string footer = app.get_footer();
  const std::string head = "Example:\n";
  if (!footer.starts_with(head)) return;
  out += ".SH EXAMPLE\n.nf\n" + roff(footer.substr(head.size())) + "\n.fi\n";
}

std::string one_command_page(const CLI::App& sub) {
  const std::string name = "scree " + sub.get_name();
  std::string out = fmt::format(".SH NAME\n{} \\- {}\n.SH SYNOPSIS\n.B {}\n", roff("scree-" + sub.get_name()),
                                roff(sub.get_description()), roff(synopsis(sub, name)));
  out += ".SH OPTIONS\n";
  add_items(out, sub);
  for (const CLI::App* inner : subcommands(sub)) {
    out += fmt::format(".SS {}\n{}\n", roff(synopsis(*inner, name + " " + inner->get_name())),
                       roff(inner->get_description()));
    add_items(out, *inner);
  }
  add_footer(out, sub);
  return out;
}

std::string program_page(const CLI::App& app) {
  std::string out =
      fmt::format(".SH NAME\nscree \\- {}\n.SH SYNOPSIS\n.B scree\nCOMMAND [OPTION]...\n.SH COMMANDS\n",
                  roff("simulate mobile robots on rough ground"));
  for (const CLI::App* sub : subcommands(app))
    out +=
        fmt::format(".TP\n.BR {} (1)\n{}\n", roff("scree-" + sub->get_name()), roff(sub->get_description()));
  out += ".SH OPTIONS\n";
  add_items(out, app);
  out +=
      ".SH EXIT STATUS\n0 done, 1 the run failed, 2 bad input.\n"
      ".SH ENVIRONMENT\n.TP\n.B SCREE_MEMORY_GB\nmemory that grounds may take, in units of 10^9 bytes; more "
      "is refused with the need\n.TP\n.B SCREE_DATA\nfurther folders with models, drives and scenarios, "
      "separated by "
      "colons\n"
      ".SH EXAMPLE\n.nf\n  scree run demo \\-\\-out runs/demo\n  scree plot runs/demo\n  scree view "
      "demo\n.fi\n";
  return out;
}

std::string words_of(const CLI::App& app) {
  std::string words;
  for (const CLI::Option* o : options_of(app)) {
    for (const std::string& name : o->get_snames()) words += " -" + name;
    for (const std::string& name : o->get_lnames()) words += " --" + name;
  }
  for (const CLI::App* sub : subcommands(app)) words += " " + sub->get_name();
  return words.empty() ? words : words.substr(1);
}

/// What an argument of a command is: names that the program knows (beside files), by a shell command that
/// prints them.
std::string names_for(const CLI::App& app) {
  for (const CLI::Option* p : positionals_of(app)) {
    const std::string name = p->get_name(true);
    if (name.starts_with("SCENARIO") || (name == "FILE" && app.get_name() == "check"))
      return "scree list scenarios 2>/dev/null | sed -n 's/^  \\([^ ]*\\).*/\\1/p'";
    if (name == "COMMAND") return "scree --help 2>/dev/null | sed -n 's/^  \\([a-z]\\{2,\\}\\) .*/\\1/p'";
    if (name == "TOPIC") {
      std::string words;
      for (const Listing& listing : listings()) words += (words.empty() ? "" : " ") + listing.topic;
      return "echo " + words + " signals";
    }
    if (name == "SHELL") return "echo bash zsh";
  }
  return "";
}

std::string bash_script(const CLI::App& app) {
  std::string cases;
  for (const CLI::App* sub : subcommands(app)) {
    const std::string names = names_for(*sub);
    std::string inner;
    for (const CLI::App* below : subcommands(*sub)) inner += " " + words_of(*below);
    cases += fmt::format("    {}) words='{}{}'{} ;;\n", sub->get_name(), words_of(*sub), inner,
                         names.empty() ? "" : "; names=$(" + names + ")");
  }
  return fmt::format(
      "# bash completion of scree; made by `scree completion bash`.\n"
      "_scree() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} words='' names=''\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    COMPREPLY=($(compgen -W '{}' -- \"$word\"))\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  case $word in\n"
      "    -*) COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
      "    *) COMPREPLY=($(compgen -W \"$names $(printf '%s\\n' $words | grep -v '^-')\" -- \"$word\") "
      "$(compgen -f -- \"$word\")) ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _scree scree\n",
      words_of(app), cases);
}

/// Text inside single quotes and square brackets of a zsh specification.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'')
      out += "'\\''";
    else if (c == '[' || c == ']' || c == ':')
      out += std::string("\\") + c;
    else
      out += c;
  }
  return out;
}

std::string zsh_script(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* sub : subcommands(app)) {
    commands += fmt::format("    '{}:{}'\n", sub->get_name(), zsh_text(sub->get_description()));
    cases += fmt::format("    {})\n      _arguments \\\n", sub->get_name());
    std::vector<const CLI::App*> all = {sub};
    for (const CLI::App* below : subcommands(*sub)) all.push_back(below);
    std::vector<std::string> told;
    for (const CLI::App* one : all)
      for (const CLI::Option* o : options_of(*one)) {
        std::vector<std::string> names;
        for (const std::string& name : o->get_snames()) names.push_back("-" + name);
        for (const std::string& name : o->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : names) {
          if (std::find(told.begin(), told.end(), name) != told.end()) continue;
          told.push_back(name);
          cases += fmt::format("        '*{}[{}]{}' \\\n", name, zsh_text(o->get_description()),
                               takes_value(*o) ? ":value:_files" : "");
        }
      }
    const std::string names = names_for(*sub);
    if (names.empty()) {
      std::string inner;
      for (const CLI::App* below : subcommands(*sub)) inner += " " + below->get_name();
      cases += inner.empty() ? "        '*:file:_files'\n"
                             : fmt::format("        '2:command:({})' '*:file:_files'\n", inner.substr(1));
    } else {
      cases += fmt::format("        '*:name:_scree_names' && return\n");
    }
    cases += "      ;;\n";
  }
  std::string lists;
  for (const CLI::App* sub : subcommands(app))
    if (const std::string names = names_for(*sub); !names.empty())
      lists += fmt::format("    {}) known=(${{(f)\"$({} | tr ' ' '\\n')\"}}) ;;\n", sub->get_name(), names);
  return fmt::format(
      "#compdef scree\n"
      "# zsh completion of scree; made by `scree completion zsh`.\n"
      "_scree_names() {{\n"
      "  local -a known\n"
      "  case $words[2] in\n{}  esac\n"
      "  compadd -a known\n"
      "  _files\n"
      "}}\n"
      "_scree() {{\n"
      "  local -a commands\n"
      "  commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
      "  case $words[2] in\n{}  esac\n"
      "}}\n"
      "_scree \"$@\"\n",
      lists, commands, cases);
}

}  // namespace

std::string manual_page(const CLI::App& app, const std::string& command) {
  const std::string title = command.empty() ? "scree" : "scree-" + command;
  std::string heading = title;
  std::transform(heading.begin(), heading.end(), heading.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  const std::string body =
      command.empty() ? program_page(app) : one_command_page(command_named(app, command));
  return fmt::format(".TH {} 1 \"\" \"scree {}\" \"scree\"\n{}.SH SEE ALSO\n.BR {} (1)\n", roff(heading),
                     SCREE_VERSION, body, command.empty() ? "scree\\-run" : "scree");
}

std::string completion_script(const CLI::App& app, const std::string& shell) {
  return shell == "zsh" ? zsh_script(app) : bash_script(app);
}

}  // namespace scree
