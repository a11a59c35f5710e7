#pragma once
#include <string>

#include "scree/record/plot.hpp"

namespace scree {
/// The program that draws `figure` into `file`; `terminal` is gnuplot's name of the format.
std::string gnuplot_script(const Figure& figure, const std::string& terminal, const std::string& file);
}  // namespace scree
