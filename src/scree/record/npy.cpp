#include "scree/record/npy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/record/run_folder.hpp"

namespace scree {
namespace {

static_assert(std::endian::native == std::endian::little, "log.npy is little-endian");
constexpr char kMagic[] = "\x93NUMPY";
constexpr std::size_t kMagicSize = 6, kAlignment = 64;

/// A string of Python.
std::string python_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
  return out;
}

/// The next string of Python at or after `at`, which then stands behind it.
std::string next_text(std::string_view header, std::size_t& at) {
  std::string out;
  for (at = header.find('\'', at) + 1; at < header.size() && header[at] != '\''; ++at) {
    if (header[at] == '\\' && at + 1 < header.size()) ++at;
    out += header[at];
  }
  ++at;
  return out;
}

}  // namespace

std::string npy_header(std::span<const std::string> names, std::span<const std::string> titles,
                       std::uint64_t rows) {
  std::string fields;
  for (std::size_t i = 0; i < names.size(); ++i)
    fields += fmt::format("(({}, {}), '<f8'), ", python_text(titles[i]), python_text(names[i]));
  std::string text =
      fmt::format("{{'descr': [{}], 'fortran_order': False, 'shape': ({:>20},), }}", fields, rows);
  const bool long_header = text.size() + 2 * kAlignment > 65535;
  const std::size_t before = kMagicSize + 2 + (long_header ? 4 : 2);
  text.append(kAlignment - 1 - (before + text.size()) % kAlignment, ' ');
  text += '\n';
  return std::string(kMagic, kMagicSize) +
         (long_header ? std::string("\x02\x00", 2) : std::string("\x01\x00", 2)) +
         little_endian(text.size(), long_header ? 4 : 2) + text;
}

NpyWriter::NpyWriter(const std::filesystem::path& file, std::vector<std::string> names,
                     std::vector<std::string> titles)
    : names_(std::move(names)), titles_(std::move(titles)), file_(file) {
  file_.append(npy_header(names_, titles_, 0));
  file_.end_record();
  file_.flush();
}

void NpyWriter::append(std::span<const double> record) {
  file_.append({reinterpret_cast<const char*>(record.data()), record.size_bytes()});
  file_.end_record();
  ++rows_;
}

void NpyWriter::count_rows() {
  if (counted_ == rows_) return;
  counted_ = rows_;
  file_.overwrite(0, npy_header(names_, titles_, rows_));
}

void NpyWriter::flush() {
  file_.flush();
  count_rows();
}

std::vector<LogColumn> read_npy(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  if (in.bad() || !in.is_open()) input_error("{}: cannot be read: {}", file.string(), std::strerror(errno));
  if (bytes.size() < 12 || bytes.compare(0, kMagicSize, kMagic, kMagicSize) != 0)
    input_error("{}: not a NumPy file", file.string());
  const int width = bytes[6] == 1 ? 2 : 4;
  std::size_t length = 0;
  for (int i = 0; i < width; ++i)
    length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[8 + i])) << (8 * i);
  const std::size_t begin = 8 + static_cast<std::size_t>(width);
  const std::string_view header = std::string_view(bytes).substr(begin, length);
  const std::size_t fields_end = header.find("], 'fortran_order': False");
  if (!header.starts_with("{'descr': [((") || fields_end == std::string_view::npos ||
      begin + length > bytes.size())
    input_error("{}: not a log of this program: its records are not named doubles", file.string());
  std::vector<LogColumn> columns;
  for (std::size_t at = header.find("(("); at < fields_end; at = header.find("((", at)) {
    const std::string title = next_text(header, at), name = next_text(header, at),
                      type = next_text(header, at);
    if (type != "<f8")
      input_error("{}: field {} is {}, not \"<f8\"", file.string(), json_text(name), json_text(type));
    const std::size_t open = title.rfind(" [");
    const std::string unit =
        open == std::string::npos ? "-" : title.substr(open + 2, title.size() - open - 3);
    columns.push_back({name, unit, {}});
  }
  const std::size_t record = columns.size() * sizeof(double);
  const std::size_t rows = (bytes.size() - begin - length) / record;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    columns[c].values.resize(rows);
    for (std::size_t r = 0; r < rows; ++r)
      std::memcpy(&columns[c].values[r], bytes.data() + begin + length + r * record + c * sizeof(double),
                  sizeof(double));
  }
  return columns;
}

}  // namespace scree
