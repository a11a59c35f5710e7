#include "scree/config/reference.hpp"

#include <fmt/format.h>

namespace scree {
namespace {

/// A cell must not break its row.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') {
      out += "\\|";
    } else {
      out += c == '\n' ? ' ' : c;
    }
  }
  return out;
}

std::string code(const std::string& text) { return text.empty() ? "" : "`" + cell(text) + "`"; }

}  // namespace

Reference record(const Chapter& chapter) {
  Reference reference;
  Section section = Section::for_reference(reference, chapter.path);
  if (chapter.describe) chapter.describe(section);
  if (chapter.list) chapter.list(reference, chapter.path);
  return reference;
}

std::string reference_table(const Reference& reference) {
  std::string out = "| key | type | unit | default | range | meaning |\n|---|---|---|---|---|---|\n";
  for (const auto& key : reference) {
    const bool angle = key.type == "angle";
    const std::string name = code(key.path) + (angle ? ", " + code(key.path + "_deg") : "");
    const bool plain_count = key.type == "integer" && key.unit.empty();
    const std::string unit = angle ? "rad, deg" : plain_count ? "-" : key.unit;
    const std::string fallback = key.fallback == "required" ? "**required**" : code(key.fallback);
    out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", name, key.type, cell(unit), fallback,
                       code(key.range), cell(key.doc));
  }
  return out;
}

std::string reference_text(std::span<const Chapter> chapters) {
  std::string out;
  for (const auto& chapter : chapters) {
    out += fmt::format("{}## {}\n\n", out.empty() ? "" : "\n", chapter.title);
    if (!chapter.intro.empty()) out += chapter.intro + "\n\n";
    out += reference_table(record(chapter));
  }
  return out;
}

}  // namespace scree
