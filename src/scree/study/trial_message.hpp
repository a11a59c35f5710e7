#pragma once
/// What came of a trial, on its way to another program.
#include <string>

#include "scree/study/trials.hpp"

namespace scree {

/// A row as bytes, and back; bit for bit, between programs of one build.
std::string pack_row(const TrialRow& row);
TrialRow unpack_row(const std::string& bytes);

}  // namespace scree
