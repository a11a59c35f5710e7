#pragma once
#include <string>

#include "scree/record/plot.hpp"

namespace scree {
/// The commands that draw `figure` to the standard output; `terminal` is gnuplot's name of the format. All
/// texts stand in one block of data, a line each, and are named by their line: what they hold is never read
/// as a command.
std::string gnuplot_script(const Figure& figure, const std::string& terminal);
}  // namespace scree
