#pragma once
/// The reference of all keys, as Markdown: what the describe functions record, one table a chapter.
#include <functional>
#include <span>
#include <string>

#include "scree/config/section.hpp"

namespace scree {

/// One table of the reference.
struct Chapter {
  std::string title;
  std::string intro;                       ///< Markdown, may be empty
  std::string path;                        ///< dotted path under which the keys stand, empty for the root
  std::function<void(Section&)> describe;  ///< visits a default object
  /// For keys that come in several variants: records them itself. Either this or `describe` is set.
  std::function<void(Reference&, const std::string& path)> list = {};
};

/// The chapter of a settings struct with a describe function: defaults come from a fresh T.
template <class T>
Chapter chapter_of(std::string title, std::string intro, std::string path) {
  return {std::move(title),
          std::move(intro),
          std::move(path),
          [](Section& section) {
            T defaults{};
            describe(section, defaults);
          },
          {}};
}

Reference record(const Chapter& chapter);
/// A table with one row a key: key, type and unit, default, range, meaning.
std::string reference_table(const Reference& reference);
/// All chapters below each other.
std::string reference_text(std::span<const Chapter> chapters);

}  // namespace scree
