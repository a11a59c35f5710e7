#pragma once
/// Pages whose code blocks are worked through in turn: "```toml rover/robot.toml" is a file, "```sh" is run.
#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

namespace scree::testing {

struct CodeBlock {
  std::string language, label;  ///< first and second word behind the fence
  std::string text;
  int line = 0;  ///< of the fence
};

inline std::vector<CodeBlock> code_blocks(const std::string& page) {
  std::ifstream in(page);
  std::vector<CodeBlock> blocks;
  bool inside = false;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.starts_with("```")) {
      inside = !inside;
      if (!inside) continue;
      std::istringstream words(line.substr(3));
      CodeBlock block;
      words >> block.language >> block.label;
      block.line = number;
      blocks.push_back(block);
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

/// Writes a block that names a file below `folder`.
inline void write_block(const CodeBlock& block, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / block.label;
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file) << block.text;
}

}  // namespace scree::testing
