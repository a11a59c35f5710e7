#pragma once
/// The published numbers about fractional Brownian ground beside ours.
#include <string>
#include <vector>

namespace scree {

/// One line of `scree validate`: what was published, what we get, how far apart they may be.
struct FbmCheck {
  std::string name;
  std::string unit;
  double published;  ///< or the value put in, where the paper has none
  double ours;
  double error;  ///< |ours - published|, relative where `relative`
  double bar;    ///< largest error that passes
  bool relative;
  bool pass;
};

/// Synthesis then identification over `seeds` maps each of gravel and chopped brick (Table 1) on 1 m x 1 m,
/// N = 128: mean H within 0.02, mean corrected sigma within 5 %, rms against the closed form.
std::vector<FbmCheck> validate_fbm(int seeds = 50);

}  // namespace scree
