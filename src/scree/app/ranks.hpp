#pragma once
/// A study over several machines: one program a rank under `mpirun`; rank 0 hands out trials and writes.
#include "scree/study/trials.hpp"

namespace scree {

/// The ranks of this pass. Of a program that was not started by `mpirun`, or that was built without MPI,
/// there is one.
class Ranks {
 public:
  Ranks();
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  int rank() const { return rank_; }
  int count() const { return count_; }
  /// Ranks on this machine.
  int here() const { return here_; }

  /// Rank 0: runs trials with the threads of all ranks; a trial goes to whoever asks first. Empty where there
  /// is one rank.
  TrialEngine engine();
  /// Rank 0, where no engine was run: sends the others home.
  void dismiss();
  /// Every other rank: runs what rank 0 sends until it says that there is no more.
  void serve(const TrialFunction& trial, const TrialControl& control);

 private:
  int rank_ = 0, count_ = 1, here_ = 1;
};

}  // namespace scree
