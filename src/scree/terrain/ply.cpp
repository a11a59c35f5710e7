/// PLY point clouds: a text header, then vertices as text or in either byte order.
#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/terrain/points.hpp"

namespace scree {
namespace {

struct Property {
  std::string name, type;
  int size;
};

struct PlyHeader {
  std::string format;
  double vertices = -1;
  std::vector<Property> properties;  ///< of element vertex
  int x = -1, y = -1, z = -1;        ///< their places
};

int size_of(const std::string& type) {
  if (type == "char" || type == "uchar" || type == "int8" || type == "uint8") return 1;
  if (type == "short" || type == "ushort" || type == "int16" || type == "uint16") return 2;
  if (type == "int" || type == "uint" || type == "int32" || type == "uint32" || type == "float" ||
      type == "float32")
    return 4;
  if (type == "double" || type == "float64") return 8;
  return 0;
}

class PlyReader {
 public:
  explicit PlyReader(const std::filesystem::path& file)
      : what_(fmt::format("points: '{}'", file.string())), in_(file, std::ios::binary) {
    if (std::filesystem::is_directory(file) || !in_) input_error("{}: cannot be read", what_);
    read_header();
  }

  void read(const PointVisitor& visit) {
    const auto count = static_cast<std::size_t>(header_.vertices);
    if (header_.format == "ascii") return read_text(count, visit);
    std::size_t stride = 0;
    std::vector<std::size_t> offsets;
    for (const Property& p : header_.properties) offsets.push_back(stride), stride += p.size;
    std::vector<char> bytes(stride);
    const bool swap =
        (header_.format == "binary_little_endian") != (std::endian::native == std::endian::little);
    for (std::size_t k = 0; k < count; ++k) {
      if (!in_.read(bytes.data(), static_cast<std::streamsize>(stride))) truncated(k, count);
      Vec3 p;
      const int at[3] = {header_.x, header_.y, header_.z};
      for (int n = 0; n < 3; ++n)
        p[n] = number(bytes.data() + offsets[at[n]], header_.properties[at[n]], swap);
      deliver(p, k, visit);
    }
  }

 private:
  [[noreturn]] void truncated(std::size_t done, std::size_t count) const {
    input_error("{}: the file ends after {} of {} vertices", what_, done, count);
  }

  void deliver(const Vec3& p, std::size_t k, const PointVisitor& visit) const {
    if (!p.allFinite()) input_error("{}: vertex {} is not finite", what_, k);
    visit(p);
  }

  bool header_line(std::string& line) {
    line.clear();
    for (char c; line.size() < 4096 && in_.get(c);) {
      if (c == '\n') {
        line = trim(line);
        return true;
      }
      line += c;
    }
    return false;
  }

  void read_header() {
    std::string line;
    if (!header_line(line) || line != "ply") input_error("{}: does not start with 'ply'", what_);
    bool in_vertex = false, seen_other = false;
    while (true) {
      if (!header_line(line)) input_error("{}: the header does not end", what_);
      if (line == "end_header") break;
      const std::vector<std::string> words = words_of(line);
      if (words.empty() || words[0] == "comment" || words[0] == "obj_info") continue;
      if (words[0] == "format" && words.size() >= 2) header_.format = words[1];
      if (words[0] == "element" && words.size() == 3) {
        in_vertex = words[1] == "vertex";
        std::string_view count = words[2];
        if (in_vertex && (seen_other || !scan_number(count, header_.vertices)))
          input_error("{}: '{}' is not usable", what_, line);
        seen_other = seen_other || !in_vertex;
      }
      if (words[0] == "property" && in_vertex) add_property(words, line);
    }
    check_header();
  }

  void add_property(const std::vector<std::string>& words, const std::string& line) {
    if (words.size() != 3 || size_of(words[1]) == 0) input_error("{}: '{}' is not usable", what_, line);
    const int place = static_cast<int>(header_.properties.size());
    if (words[2] == "x") header_.x = place;
    if (words[2] == "y") header_.y = place;
    if (words[2] == "z") header_.z = place;
    header_.properties.push_back({words[2], words[1], size_of(words[1])});
  }

  void check_header() const {
    if (header_.format != "ascii" && header_.format != "binary_little_endian" &&
        header_.format != "binary_big_endian") {
      input_error("{}: format '{}' is unknown", what_, header_.format);
    }
    if (!(header_.vertices >= 1 && header_.vertices < 1e12))
      input_error("{}: {} vertices", what_, header_.vertices);
    for (const int at : {header_.x, header_.y, header_.z}) {
      if (at < 0) input_error("{}: vertices have no x, y, z", what_);
      const std::string& type = header_.properties[at].type;
      if (header_.format != "ascii" && type.find("float") == std::string::npos && type != "double") {
        input_error("{}: coordinates of type '{}' are not read: float or double", what_, type);
      }
    }
  }

  void read_text(std::size_t count, const PointVisitor& visit) {
    std::string line;
    for (std::size_t k = 0; k < count;) {
      if (!std::getline(in_, line)) truncated(k, count);
      if (trim(line).empty()) continue;
      std::string_view rest = line;
      Vec3 p = Vec3::Zero();
      for (int n = 0; n < static_cast<int>(header_.properties.size()); ++n) {
        double value;
        if (!scan_number(rest, value))
          input_error("{}: vertex {}: '{}' has no {}", what_, k, line.substr(0, 40),
                      header_.properties[n].name);
        if (n == header_.x) p.x() = value;
        if (n == header_.y) p.y() = value;
        if (n == header_.z) p.z() = value;
      }
      deliver(p, k++, visit);
    }
  }

  static std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words;
    for (const std::string& word : split(line, ' ')) {
      if (!trim(word).empty()) words.push_back(trim(word));
    }
    return words;
  }

  static double number(const char* at, const Property& p, bool swap) {
    if (p.size == 8) {
      std::uint64_t bits;
      std::memcpy(&bits, at, 8);
      return std::bit_cast<double>(swap ? __builtin_bswap64(bits) : bits);
    }
    std::uint32_t bits;
    std::memcpy(&bits, at, 4);
    return std::bit_cast<float>(swap ? __builtin_bswap32(bits) : bits);
  }

  std::string what_;
  std::ifstream in_;
  PlyHeader header_;
};

}  // namespace

void read_ply(const std::filesystem::path& file, const PointVisitor& visit) { PlyReader(file).read(visit); }

}  // namespace scree
