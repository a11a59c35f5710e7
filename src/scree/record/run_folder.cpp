#include "scree/record/run_folder.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include "scree/core/errors.hpp"
#include "scree/core/text.hpp"
#include "scree/record/npy.hpp"
#include "scree/record/run_writer.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_all(const fs::path& file) {
  std::error_code status;
  if (!fs::exists(file, status)) return std::nullopt;
  std::ifstream in(file, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (in.bad() || !in.is_open()) input_error("{}: cannot be read: {}", file.string(), std::strerror(errno));
  return text;
}

/// Visits whole lines; what follows the last newline was being written when the run was killed.
template <class Visit>
void each_line(std::string_view text, Visit&& visit) {
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    if (end == std::string_view::npos) return;
    std::string_view line = text.substr(begin, end - begin);
    if (line.ends_with('\r')) line.remove_suffix(1);
    visit(++number, line);
    begin = end + 1;
  }
}

/// "name [unit]" -> column.
LogColumn column_from(const std::string& head, const fs::path& file) {
  const auto open = head.rfind(" [");
  if (open == std::string::npos || !head.ends_with("]")) {
    input_error("{}:1: column '{}' is not of the form 'name [unit]'", file.string(), head);
  }
  return {head.substr(0, open), head.substr(open + 2, head.size() - open - 3), {}};
}

void read_row(std::string_view line, int number, const fs::path& file, std::vector<LogColumn>& columns) {
  const char* at = line.data();
  const char* const end = line.data() + line.size();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    double value = 0;
    const auto [next, error] = std::from_chars(at, end, value);
    const bool last = i + 1 == columns.size();
    if (error != std::errc{} || (last ? next != end : next == end || *next != ',')) {
      input_error("{}:{}: '{}' in column {} is not a number between commas", file.string(), number,
                  std::string(line.substr(0, 60)), i + 1);
    }
    columns[i].values.push_back(value);
    at = next + 1;
  }
}

std::vector<LogColumn> read_log(const fs::path& file) {
  const auto text = read_all(file);
  if (!text) input_error("{}: not a run folder: it has no log.csv or log.npy", file.parent_path().string());
  std::vector<LogColumn> columns;
  each_line(*text, [&](int number, std::string_view line) {
    if (number > 1) return read_row(line, number, file, columns);
    for (const auto& head : csv_fields(line)) columns.push_back(column_from(head, file));
  });
  if (columns.empty() || columns.front().name != "time") {
    input_error("{}: does not begin with the column 'time [s]'", file.string());
  }
  return columns;
}

std::vector<Event> read_events(const fs::path& file) {
  std::vector<Event> events;
  each_line(read_all(file).value_or(""), [&](int number, std::string_view line) {
    if (number == 1) return;
    const auto fields = csv_fields(line);
    Event event;
    const auto number_in = [&fields](std::size_t field, double& value) {
      const std::string& text = fields[field];
      return std::from_chars(text.data(), text.data() + text.size(), value).ec == std::errc{};
    };
    const bool good = fields.size() == 8 && number_in(0, event.time) && number_in(4, event.position.x()) &&
                      number_in(5, event.position.y()) && number_in(6, event.position.z());
    if (!good) input_error("{}:{}: not an event: time,robot,kind,text,x,y,z,ends_run", file.string(), number);
    event.robot = fields[1];
    event.kind = fields[2];
    event.text = fields[3];
    event.ends_run = fields[7] == "1";
    events.push_back(std::move(event));
  });
  return events;
}

StateFrames read_states(const fs::path& file) {
  StateFrames frames;
  const auto bytes = read_all(file);
  StatesHeader header;
  const StatesHeader ours;
  if (!bytes || bytes->size() < sizeof header) return frames;
  std::memcpy(&header, bytes->data(), sizeof header);
  if (std::memcmp(header.magic, ours.magic, sizeof ours.magic) != 0) {
    input_error("{}: not a file of states", file.string());
  }
  if (header.version != ours.version) {
    input_error("{}: states of version {}; this program reads version {}: run the scenario again",
                file.string(), header.version, ours.version);
  }
  if (header.header_bytes < sizeof header || header.world_size > header.state_size)
    input_error("{}: its header is damaged", file.string());
  // Not one whole frame; also guards the products below.
  if (header.state_size > bytes->size() || header.header_bytes > bytes->size()) return frames;
  frames.state_size = header.state_size;
  frames.world_size = header.world_size;
  frames.layout = std::string(trim(bytes->substr(sizeof header, header.header_bytes - sizeof header)));
  const std::size_t record = (frames.state_size + 1) * sizeof(double);
  const std::size_t count = (bytes->size() - header.header_bytes) / record;
  frames.times.resize(count);
  frames.values.resize(count * frames.state_size);
  for (std::size_t i = 0; i < count; ++i) {
    const char* at = bytes->data() + header.header_bytes + i * record;
    std::memcpy(&frames.times[i], at, sizeof(double));
    std::copy_n(at + sizeof(double), record - sizeof(double),
                reinterpret_cast<char*>(frames.values.data() + i * frames.state_size));
  }
  return frames;
}

std::vector<std::string> names_of(const std::vector<LogColumn>& columns) {
  std::vector<std::string> names;
  for (const auto& column : columns) names.push_back(column.name);
  return names;
}

}  // namespace

std::vector<std::string> csv_fields(std::string_view line) {
  std::vector<std::string> fields(1);
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (inside && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      fields.back() += c;
      ++i;
    } else if (c == '"') {
      inside = !inside;
    } else if (c == ',' && !inside) {
      fields.emplace_back();
    } else {
      fields.back() += c;
    }
  }
  return fields;
}

RunFolder RunFolder::open(const fs::path& path) {
  std::error_code status;
  if (!fs::is_directory(path, status)) input_error("{}: no such run folder", path.string());
  RunFolder run;
  run.path = path;
  const fs::path array = path / "log.npy";
  run.columns = fs::exists(array, status) ? read_npy(array) : read_log(path / "log.csv");
  run.events = read_events(path / "events.csv");
  run.states = read_states(path / "states.bin");
  const auto summary = read_all(path / "summary.json");
  run.complete = summary.has_value();
  run.summary = summary.value_or("");
  return run;
}

std::size_t StateFrames::last_before(double time) const {
  const auto next = std::upper_bound(times.begin(), times.end(), time * (1 + 1e-12));
  if (next == times.begin()) {
    if (times.empty()) input_error("the run holds no states");
    input_error("the first state is at {:.6g} s, after {:.6g} s", times.front(), time);
  }
  return static_cast<std::size_t>(next - times.begin()) - 1;
}

std::string RunFolder::name() const {
  const fs::path clean = path.lexically_normal();
  return (clean.has_filename() ? clean.filename() : clean.parent_path().filename()).string();
}

const LogColumn& RunFolder::column(std::string_view name) const {
  for (const auto& column : columns) {
    if (column.name == name) return column;
  }
  input_error("{}: no signal '{}' in the log{}", path.string(), name, name_hint(name, names_of(columns)));
}

std::vector<const LogColumn*> RunFolder::match(std::span<const std::string> patterns) const {
  std::vector<char> wanted(columns.size(), 0);
  for (const auto& pattern : patterns) {
    bool found = false;
    for (std::size_t i = 1; i < columns.size(); ++i) {
      if (!matches_pattern(columns[i].name, pattern)) continue;
      wanted[i] = 1;
      found = true;
    }
    if (!found) {
      input_error("{}: no signal in the log matches '{}'{}", path.string(), pattern,
                  name_hint(pattern, names_of(columns)));
    }
  }
  std::vector<const LogColumn*> chosen;
  for (std::size_t i = 1; i < columns.size(); ++i) {
    if (wanted[i]) chosen.push_back(&columns[i]);
  }
  return chosen;
}

}  // namespace scree
