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
#include "scree/record/scribe.hpp"
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

/// Log and states are written by a scribe, which gets records of numbers: what the record holds (a row, a
/// state or both), its time, the row, the state. Events and soil are written at once.
struct RunWriter::Files {
  static constexpr unsigned kRow = 1, kState = 2;

  Files(const fs::path& folder_, const RunWriterSettings& settings, const RunInfo& info)
      : folder(folder_),
        state_size(info.state_size),
        states(folder / "states.bin"),
        events(folder / "events.csv"),
        log_pacer(settings.period, info.step),
        state_pacer(settings.state_period, info.step) {}
  /// What was told reaches the disk as far as it can; errors are lost here.
  ~Files() {
    try {
      finish();
    } catch (const RunError&) {
      // A destructor has nobody to tell.
    }
  }

  void add(const Sample& sample) {
    const unsigned what = (log_pacer.due(sample.time) ? kRow : 0) |
                          (!sample.state.empty() && state_pacer.due(sample.time) ? kState : 0);
    if (what == 0) return;
    const std::size_t row = what & kRow ? row_size : 0, state = what & kState ? state_size : 0;
    double* to = scribe.add(2 + row + state).data();
    *to++ = what, *to++ = sample.time;
    if (what & kRow)
      for (const Stretch& s : stretches) to = std::copy_n(sample.values.data() + s.first, s.count, to);
    if (what & kState) std::copy_n(sample.state.data(), state, to);
    if (what & kState && sample.soil != nullptr) {
      if (!soil) soil.emplace(folder / "soil.bin", sample.soil->cell());
      soil->add(sample.time, *sample.soil);
    }
  }
  /// All files together, so that they end at the same sample.
  void pass_on() {
    const auto now = std::chrono::steady_clock::now();
    const bool due = now - last_flush >= kFlushPeriod;
    if (!due && !scribe.full()) return;
    scribe.hand_over(due);
    if (!due) return;
    last_flush = now;
    flush_own();
  }
  void finish() {
    scribe.finish();
    flush_own();
  }
  /// What the scribe does not write.
  void flush_own() {
    if (soil) soil->flush();
    events.flush();
  }

  // Of the scribe.
  void write(std::span<const double> batch, bool flush) {
    for (const double* at = batch.data(); at < batch.data() + batch.size();) {
      const auto what = static_cast<unsigned>(*at++);
      const double* time = at++;
      if (what & kRow) {
        write_row({time, 1 + row_size});
        at += row_size;
      }
      if (what & kState) {
        states.append(bytes_of(time, 1));
        states.append(bytes_of(at, state_size));
        states.end_record();
        at += state_size;
      }
    }
    if (!flush) return;
    if (log) log->flush();
    if (array) array->flush();
    states.flush();
  }
  /// One line, one record: the time and what is logged.
  void write_row(std::span<const double> row) {
    if (log) {
      char* at = log->room(row.size() * (kLongestNumber + 1));
      for (const double value : row) {
        at = write_number(at, value);
        *at++ = ',';
      }
      at[-1] = '\n';
      log->use(at);
      log->end_record();
    }
    if (array) array->append(row);
  }

  struct Stretch {
    std::size_t first, count;
  };
  fs::path folder;
  std::vector<Stretch> stretches;  ///< of logged signals that lie side by side
  std::size_t row_size = 0, state_size = 0;
  std::optional<OutputFile> log;   ///< log.csv
  std::optional<NpyWriter> array;  ///< log.npy
  OutputFile states, events;
  std::optional<SoilTapeWriter> soil;  ///< soil.bin, where soil deforms
  RunPacer log_pacer, state_pacer;
  std::chrono::steady_clock::time_point last_flush = std::chrono::steady_clock::now();
  bool failed = false;
  Scribe scribe{[this](std::span<const double> batch, bool flush) { write(batch, flush); }};  // ends first
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
  files_ = std::make_unique<Files>(folder_, settings_, info);
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
  files_->finish();
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
  for (const int place : places_) {
    auto& stretches = files_->stretches;
    const auto at = static_cast<std::size_t>(place);
    if (stretches.empty() || stretches.back().first + stretches.back().count != at)
      stretches.push_back({at, 0});
    ++stretches.back().count;
  }
  files_->row_size = places_.size();
  if (settings_.format == "csv") return;
  files_->array.emplace(folder_ / "log.npy", std::move(names), std::move(titles));
}

bool RunWriter::wants_state(double time) const {
  return files_ != nullptr && !files_->failed && files_->state_pacer.is_due(time);
}

void RunWriter::sample(const Sample& sample) {
  if (files_ == nullptr || files_->failed) return;
  files_->failed = true;  // until all is well
  files_->add(sample);
  files_->pass_on();
  files_->failed = false;
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
    if (!failed_before) files_->finish();
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
