#include "scree/record/run_writer.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstring>
#include <optional>

#include "scree/core/errors.hpp"
#include "scree/core/file.hpp"
#include "scree/core/hash.hpp"
#include "scree/core/number.hpp"
#include "scree/core/text.hpp"
#include "scree/record/npy.hpp"
#include "scree/record/output_file.hpp"
#include "scree/record/soil_tape.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;
static_assert(std::endian::native == std::endian::little, "states.bin is little-endian");
static_assert(sizeof(StatesHeader) == 32);

constexpr std::chrono::seconds kFlushPeriod{1};  // of wall time: what a killed run may lose

std::string_view bytes_of(const double* values, std::size_t count) {
  return {reinterpret_cast<const char*>(values), count * sizeof(double)};
}

/// Makes `folder`; returns the topmost folder that was missing, or "".
fs::path make_folder(const fs::path& folder) {
  std::error_code status;
  if (fs::exists(folder, status) && !fs::is_directory(folder, status)) {
    input_error("{}: is a file; the run needs a folder", folder.string());
  }
  fs::path made;
  for (fs::path at = fs::absolute(folder, status); !at.empty() && !fs::exists(at, status);
       at = at.parent_path()) {
    if (at.has_filename()) made = at;
  }
  fs::create_directories(folder, status);
  if (status) input_error("{}: the folder cannot be made: {}", folder.string(), status.message());
  return made;
}

void check_writable(const fs::path& folder) {
  const std::string probe = (folder / fmt::format(".probe.{}", ::getpid())).string();
  const int descriptor = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) {
    input_error("{}: the folder cannot be written to: {}", folder.string(), std::strerror(errno));
  }
  ::close(descriptor);
  ::unlink(probe.c_str());
}

/// Locks the folder itself for as long as the descriptor is open: a run that is killed leaves no lock behind.
/// A file system without locks is trusted.
int lock_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
    ::close(descriptor);
    input_error("{}: another run is writing there; choose another folder, or wait until it has ended",
                folder.string());
  }
  return descriptor;
}

}  // namespace

/// Picks samples at multiples of a period, each by the first sample that is not half a step before it.
class RunPacer {
 public:
  RunPacer(double period, double step) : period_(period), slack_(0.5 * step) {}
  bool is_due(double time) const { return !(period_ > 0) || time + slack_ >= next_; }
  bool due(double time) {
    if (!is_due(time)) return false;
    if (period_ > 0) next_ = period_ * (std::floor((time + slack_) / period_) + 1);
    return true;
  }

 private:
  double period_, slack_, next_ = 0;
};

struct RunWriter::Files {
  Files(const fs::path& folder, const RunWriterSettings& settings, double step)
      : states(folder / "states.bin"),
        events(folder / "events.csv"),
        log_pacer(settings.period, step),
        state_pacer(settings.state_period, step) {}

  void flush() {
    if (log) log->flush();
    if (array) array->flush();
    if (soil) soil->flush();
    states.flush();
    events.flush();
  }
  /// All files together, so that they end at the same sample.
  void flush_if_due() {
    const auto now = std::chrono::steady_clock::now();
    if (now - last_flush < kFlushPeriod) return;
    last_flush = now;
    flush();
  }

  /// One line a row, or one record a row.
  void append(double time, const Sample& sample, const std::vector<int>& places) {
    if (log) {
      char* at = write_number(log->room((places.size() + 1) * (kLongestNumber + 1)), time);
      for (const int place : places) {
        *at++ = ',';
        at = write_number(at, sample.values[static_cast<std::size_t>(place)]);
      }
      *at++ = '\n';
      log->use(at);
      log->end_record();
    }
    if (!array) return;
    double* to = row.data();
    *to++ = time;
    for (const Stretch& s : stretches) to = std::copy_n(sample.values.data() + s.first, s.count, to);
    array->append(row);
  }

  std::optional<OutputFile> log;   ///< log.csv
  std::optional<NpyWriter> array;  ///< log.npy
  struct Stretch {
    std::size_t first, count;
  };
  std::vector<Stretch> stretches;  ///< of signals in the array that lie side by side
  std::vector<double> row;
  OutputFile states, events;
  std::optional<SoilTapeWriter> soil;  ///< soil.bin, where soil deforms
  RunPacer log_pacer, state_pacer;
  std::chrono::steady_clock::time_point last_flush = std::chrono::steady_clock::now();
  bool failed = false;
};

RunWriter::RunWriter(fs::path folder, RunWriterSettings settings)
    : folder_(std::move(folder)), settings_(std::move(settings)), made_(make_folder(folder_)) {
  lock_ = lock_folder(folder_);
  try {
    check_writable(folder_);
  } catch (const InputError&) {
    ::close(lock_);
    throw;
  }
}

RunWriter::~RunWriter() {
  const bool used = files_ != nullptr;
  files_.reset();  // the last bytes are written under the lock
  if (lock_ >= 0) ::close(lock_);
  if (used || made_.empty()) return;
  std::error_code status;
  const fs::path top = made_.lexically_normal();
  // Removes empty folders only, from the innermost to the topmost that was made here.
  for (fs::path at = fs::absolute(folder_, status).lexically_normal(); fs::remove(at, status) && at != top;) {
    at = at.parent_path();
  }
}

void RunWriter::begin(const RunInfo& info) {
  places_ = info.signals->match(settings_.signals);
  std::error_code ignored;
  for (const char* file : {"summary.json", "log.csv", "log.npy", "soil.bin"})
    fs::remove(folder_ / file, ignored);  // of an earlier run
  write_whole_file(folder_ / "scenario.toml", info.scenario);
  files_ = std::make_unique<Files>(folder_, settings_, info.step);
  begin_log(info);
  StatesHeader header;
  header.state_size = info.state_size;
  header.world_size = info.world_size;
  std::string layout = info.layout;
  while (layout.size() % sizeof(double) != 0) layout += '\n';
  header.header_bytes += static_cast<std::uint32_t>(layout.size());
  files_->states.append({reinterpret_cast<const char*>(&header), sizeof header});
  files_->states.append(layout);
  files_->states.end_record();
  files_->events.append("time [s],robot,kind,text,x [m],y [m],z [m],ends_run\n");
  files_->events.end_record();
  files_->flush();
}

void RunWriter::begin_log(const RunInfo& info) {
  std::vector<std::string> names = {"time"}, titles = {"time [s]"};
  for (const int place : places_) {
    const auto& signal = info.signals->all()[static_cast<std::size_t>(place)];
    names.push_back(signal.name);
    titles.push_back(fmt::format("{} [{}]", signal.name, signal.unit.empty() ? "-" : signal.unit));
  }
  if (settings_.format != "npy") {
    OutputFile& log = files_->log.emplace(folder_ / "log.csv");
    for (std::size_t i = 0; i < titles.size(); ++i) log.append((i > 0 ? "," : "") + csv_field(titles[i]));
    log.append("\n");
    log.end_record();
  }
  if (settings_.format == "csv") return;
  for (const int place : places_) {
    auto& stretches = files_->stretches;
    const auto at = static_cast<std::size_t>(place);
    if (stretches.empty() || stretches.back().first + stretches.back().count != at)
      stretches.push_back({at, 0});
    ++stretches.back().count;
  }
  files_->row.resize(names.size());
  files_->array.emplace(folder_ / "log.npy", std::move(names), std::move(titles));
}

bool RunWriter::wants_state(double time) const {
  return files_ != nullptr && !files_->failed && files_->state_pacer.is_due(time);
}

void RunWriter::sample(const Sample& sample) {
  if (files_ == nullptr || files_->failed) return;
  Files& files = *files_;
  files.failed = true;  // until all is well
  if (files.log_pacer.due(sample.time)) {
    files.append(sample.time, sample, places_);
  }
  if (!sample.state.empty() && files.state_pacer.due(sample.time)) {
    files.states.append(bytes_of(&sample.time, 1));
    files.states.append(bytes_of(sample.state.data(), sample.state.size()));
    files.states.end_record();
    if (sample.soil != nullptr) {
      if (!files.soil) files.soil.emplace(folder_ / "soil.bin", sample.soil->cell());
      files.soil->add(sample.time, *sample.soil);
    }
  }
  files.flush_if_due();
  files.failed = false;
}

void RunWriter::event(const Event& event) {
  if (files_ == nullptr || files_->failed) return;
  files_->failed = true;
  files_->events.append(fmt::format("{},{},{},{},{},{},{},{}\n", number_text(event.time),
                                    csv_field(event.robot), csv_field(event.kind), csv_field(event.text),
                                    number_text(event.position.x()), number_text(event.position.y()),
                                    number_text(event.position.z()), event.ends_run ? 1 : 0));
  files_->events.end_record();
  files_->events.flush();
  files_->failed = false;
}

void RunWriter::end(const RunSummary& summary) {
  if (files_ == nullptr) return;
  const bool failed_before = files_->failed;
  try {
    if (!failed_before) files_->flush();
    write_whole_file(folder_ / "summary.json", summary_json(summary));
  } catch (const RunError&) {
    files_->failed = true;
    if (!failed_before) throw;  // otherwise the first error has been told already
  }
}

std::string summary_json(const RunSummary& summary) {
  std::string events, numbers;
  for (const auto& event : summary.events) {
    events += fmt::format(
        "{}\n    {{\"time\": {}, \"robot\": {}, \"kind\": {}, \"text\": {}, \"position\": [{}, {}, {}], "
        "\"ends_run\": {}}}",
        events.empty() ? "" : ",", json_number(event.time), json_text(event.robot), json_text(event.kind),
        json_text(event.text), json_number(event.position.x()), json_number(event.position.y()),
        json_number(event.position.z()), event.ends_run);
  }
  for (const auto& [name, value] : summary.numbers) {
    numbers += fmt::format("{}\n    {}: {}", numbers.empty() ? "" : ",", json_text(name), json_number(value));
  }
  std::string out = "{\n";
  const auto add = [&out](const char* key, const std::string& value) {
    out += fmt::format("  \"{}\": {},\n", key, value);
  };
  add("version", json_text(SCREE_VERSION));
  add("outcome", json_text(summary.outcome));
  add("error", summary.error.empty() ? "null" : json_text(summary.error));
  std::string warnings;
  for (const std::string& warning : summary.warnings)
    warnings += (warnings.empty() ? "" : ", ") + json_text(warning);
  add("warnings", "[" + warnings + "]");
  add("simulated_s", json_number(summary.simulated_s));
  add("cpu_s", json_number(summary.cpu_s));
  add("wall_s", json_number(summary.wall_s));
  add("real_time_factor", json_number(summary.real_time_factor()));
  add("steps", fmt::format("{}", summary.steps));
  add("state_hash", json_text(hash_text(summary.state_hash)));
  add("events", events.empty() ? "[]" : "[" + events + "\n  ]");
  out += fmt::format("  \"numbers\": {}\n}}\n", numbers.empty() ? "{}" : "{" + numbers + "\n  }");
  return out;
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c == '\n' || c == '\r' ? ' ' : c;  // a record is a line
  }
  return out + '"';
}

}  // namespace scree
