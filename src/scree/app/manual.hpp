#pragma once
/// Manual pages and shell completion, made from the parser's own descriptions, so that they cannot drift from
/// what the commands take.
#include <CLI/CLI.hpp>
#include <string>

namespace scree {

/// The manual page of the program (`command` empty) or of one subcommand, for man(1).
std::string manual_page(const CLI::App& app, const std::string& command);
/// Completion script for "bash" or "zsh".
std::string completion_script(const CLI::App& app, const std::string& shell);

}  // namespace scree
