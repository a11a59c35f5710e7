/// Ranks by MPI (its C interface). Only the main thread of a rank speaks; threads of its pool run the trials.
///
/// A rank asks for a few trials more than it has threads before it runs out, so that none waits for an
/// answer; rank 0 hands out what its source gives, runs trials itself, and takes all rows. Messages to rank
/// 0: kAsk (how many), kRow (number and row), kBye (no more will come). From rank 0: kWork (numbers; none:
/// the end).
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>

#include "scree/app/ranks.hpp"
#include "scree/study/trial_message.hpp"
#include "scree/study/trial_pool.hpp"

namespace scree {
namespace {

enum Tag { kAsk = 1, kRow, kBye, kWork };
// Between looks for messages while no trial of this rank ends.
constexpr std::chrono::milliseconds kRankPatience{3};

/// Whether someone started several of us: without that MPI is left alone, which costs nothing then.
bool started_by_mpi() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMIX_RANK"})
    if (std::getenv(name) != nullptr) return true;
  return false;
}

/// A message that waits, if any.
bool waiting(int from, int tag, MPI_Status& status) {
  int there = 0;
  MPI_Iprobe(from, tag, MPI_COMM_WORLD, &there, &status);
  return there != 0;
}

std::string receive(const MPI_Status& status) {
  int size = 0;
  MPI_Get_count(&status, MPI_BYTE, &size);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  MPI_Recv(bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
           MPI_STATUS_IGNORE);
  return bytes;
}

void send(const std::string& bytes, int to, Tag tag) {
  MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, to, tag, MPI_COMM_WORLD);
}

std::string number_bytes(std::uint64_t number) {
  return std::string(reinterpret_cast<const char*>(&number), sizeof number);
}
std::uint64_t number_at(const std::string& bytes, std::size_t at = 0) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data() + at, sizeof number);
  return number;
}

/// What rank 0 sent and no thread has taken yet.
class SentTrials : public TrialSource {
 public:
  std::optional<std::size_t> next() override {
    if (queue_.empty()) return std::nullopt;
    const std::size_t number = queue_.front();
    queue_.pop_front();
    return number;
  }
  bool exhausted() const override { return closed_ && queue_.empty(); }
  double done() const override { return 0; }
  void add(const std::string& numbers) {
    for (std::size_t at = 0; at < numbers.size(); at += sizeof(std::uint64_t))
      queue_.push_back(number_at(numbers, at));
    closed_ = numbers.empty();
  }
  std::size_t size() const { return queue_.size(); }
  bool closed() const { return closed_; }

 private:
  std::deque<std::size_t> queue_;
  bool closed_ = false;
};

/// Rank 0: the other ranks, those that wait for work and those that have not said good-bye.
class Others {
 public:
  explicit Others(int count) : alive_(count - 1) {}
  bool any() const { return alive_ > 0; }

  /// Answers all messages that wait. `give` hands out up to so many trials, or says with nothing and `over`
  /// that there will be none.
  void answer(const std::function<void(std::size_t, TrialRow&&)>& take,
              const std::function<std::string(std::uint64_t)>& give, const std::function<bool()>& over) {
    MPI_Status status;
    while (waiting(MPI_ANY_SOURCE, MPI_ANY_TAG, status)) {
      const std::string bytes = receive(status);
      if (status.MPI_TAG == kAsk) asking_.push_back({status.MPI_SOURCE, number_at(bytes)});
      if (status.MPI_TAG == kBye) --alive_;
      if (status.MPI_TAG == kRow) take(number_at(bytes), unpack_row(bytes.substr(sizeof(std::uint64_t))));
    }
    std::erase_if(asking_, [&](const Asking& a) {
      const std::string numbers = give(a.wanted);
      if (numbers.empty() && !over()) return false;
      send(numbers, a.rank, kWork);
      return true;
    });
  }
  /// Ends all others; what they still send is dropped.
  void dismiss() {
    while (any()) {
      answer([](std::size_t, TrialRow&&) {}, [](std::uint64_t) { return std::string(); },
             [] { return true; });
      std::this_thread::sleep_for(kRankPatience);
    }
  }

 private:
  struct Asking {
    int rank;
    std::uint64_t wanted;
  };
  std::vector<Asking> asking_;
  int alive_;
};

void run_over_ranks(int count, TrialSource& source, const TrialFunction& trial, const TrialTaker& take,
                    const TrialControl& control) {
  Others others(count);
  try {
    TrialPool pool(source, trial, control);
    const auto stopped = [&] { return control.stop && control.stop->load(); };
    std::vector<TrialPool::Ended> ended;
    bool here = true;
    while (here || others.any()) {
      here = pool.wait(kRankPatience, ended);
      if (!here) std::this_thread::sleep_for(kRankPatience);
      for (auto& [number, row] : ended) take(number, std::move(row));
      others.answer(
          [&](std::size_t number, TrialRow&& row) {
            pool.with_source([&] { source.ended(number, row); });
            take(number, std::move(row));
          },
          [&](std::uint64_t wanted) {
            std::string numbers;
            if (stopped()) return numbers;
            pool.with_source([&] {
              for (; wanted > 0; --wanted) {
                const auto number = source.next();
                if (!number) break;
                numbers += number_bytes(*number);
              }
            });
            return numbers;
          },
          [&] {
            bool over = stopped();
            pool.with_source([&] { over = over || source.exhausted(); });
            return over;
          });
      if (control.progress) control.progress(source.done());
    }
    pool.rethrow();
  } catch (...) {
    others.dismiss();
    throw;
  }
}

}  // namespace

Ranks::Ranks() {
  if (!started_by_mpi()) return;
  int provided = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &count_);
  MPI_Comm machine;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  MPI_Comm_size(machine, &here_);
  MPI_Comm_free(&machine);
}

Ranks::~Ranks() {
  int begun = 0;
  MPI_Initialized(&begun);
  if (begun) MPI_Finalize();
}

TrialEngine Ranks::engine() {
  if (count_ == 1) return {};
  return
      [count = count_](TrialSource& source, const TrialFunction& trial, const TrialTaker& take,
                       const TrialControl& control) { run_over_ranks(count, source, trial, take, control); };
}

void Ranks::dismiss() {
  if (count_ > 1 && rank_ == 0) Others(count_).dismiss();
}

void Ranks::serve(const TrialFunction& trial, const TrialControl& control) {
  SentTrials source;
  TrialControl own = control;
  own.stop = nullptr;  // rank 0 says when it is over
  const auto jobs = static_cast<std::size_t>(std::max(own.jobs, 1));
  bool asked = false;
  {
    TrialPool pool(source, trial, own);
    std::vector<TrialPool::Ended> ended;
    while (pool.wait(kRankPatience, ended)) {
      for (const auto& [number, row] : ended) send(number_bytes(number) + pack_row(row), 0, kRow);
      bool wants = false;
      pool.with_source([&] { wants = !source.closed() && source.size() < jobs; });
      if (wants && !asked) {
        send(number_bytes(2 * jobs), 0, kAsk);
        asked = true;
      }
      MPI_Status status;
      if (!asked || !waiting(0, kWork, status)) continue;
      const std::string numbers = receive(status);
      asked = false;
      pool.with_source([&] { source.add(numbers); });
    }
    try {
      pool.rethrow();
    } catch (const std::exception&) {
      MPI_Abort(MPI_COMM_WORLD, 1);  // a trial keeps its exceptions to itself: this is no trial's
    }
  }
  send("", 0, kBye);
}

}  // namespace scree
