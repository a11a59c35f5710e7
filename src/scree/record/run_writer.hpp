#pragma once
/// Writes the folder of a run while it lasts (docs/run-folder.md): scenario.toml, log.csv or log.npy,
/// states.bin, events.csv, and summary.json at the end. A run killed at any moment leaves a folder that reads
/// up to the last flush, at most a second of wall time ago.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "scree/sim/sink.hpp"

namespace scree {

struct RunWriterSettings {
  std::vector<std::string> signals = {"*"};  ///< shell-style patterns of the signals that are logged
  std::string format = "csv";                ///< of the log: "csv", "npy", "both"
  double period = 0;                         ///< s between lines of the log; 0 takes every sample
  double state_period = 0;                   ///< s between keyframes; 0 takes every sample
};

/// The layout of states.bin; docs/run-folder.md has it in words.
struct StatesHeader {
  char magic[8] = {'S', 'C', 'R', 'E', 'E', 'S', 'T', 'A'};
  std::uint32_t version = 2;
  std::uint32_t header_bytes = 32;  ///< the layout's text behind this struct included
  std::uint64_t state_size = 0;     ///< doubles in a frame beside its time
  std::uint64_t world_size = 0;     ///< of these, the first are the world's
};

class RunWriter : public Sink {
 public:
  /// Makes the folder and checks that it can be written to and that no other run is writing there: throws
  /// InputError before anything is run.
  explicit RunWriter(std::filesystem::path folder, RunWriterSettings settings = {});
  /// An empty folder that it made and never used is removed again.
  ~RunWriter() override;

  std::vector<std::string> wanted_signals() const override { return settings_.signals; }
  bool wants_state(double time) const override;
  /// Throws InputError when a pattern matches no signal.
  void begin(const RunInfo& info) override;
  /// Throws RunError when the disk is full.
  void sample(const Sample& sample) override;
  void event(const Event& event) override;
  void end(const RunSummary& summary) override;

  const std::filesystem::path& folder() const { return folder_; }

 private:
  struct Files;
  void begin_log(const RunInfo& info);
  std::filesystem::path folder_;
  RunWriterSettings settings_;
  std::filesystem::path made_;  ///< the topmost folder that had to be made, or empty
  std::vector<int> places_;     ///< of the logged signals
  std::unique_ptr<Files> files_;
  int lock_ = -1;  ///< the folder, open and locked
};

/// The summary as JSON, keys in snake_case.
std::string summary_json(const RunSummary& summary);

/// A field of a CSV file, quoted where it must be (RFC 4180).
std::string csv_field(std::string_view text);

}  // namespace scree
