#pragma once

#include <gearshift/petsc/error.hpp>

#include "petsc/call_stack.hpp"

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace gearshift::petsc {

/// The boundary between C++ callbacks and collective code. No rank may leave collective code before the others.
///
/// When a callback throws on a rank, the exception is kept here and the callback's output becomes NaN there. The next
/// norm or dot product carries the NaN to all ranks, so that a solver ends everywhere without a further reduction;
/// settle() or agree() then reports the cause. The guards agree on their own communicator, which collective calls of
/// callbacks cannot match. If the throw has cut a collective call short, the other ranks never reach that agreement, or
/// their calls match other calls of this rank. A watchdog on the rank that waits for them then ends all ranks with the
/// message.
class CallbackGuard {
 public:
  /// Collective.
  /// @param patience seconds that a rank whose callback threw waits for the others; 0: for ever.
  explicit CallbackGuard(MPI_Comm comm, PetscReal patience = 600);
  ~CallbackGuard();

  /// Runs body(); returns true if it did not throw. Keeps the first exception of the rank: an InvalidState as such, any
  /// other exception to be rethrown. Not collective.
  template <class Body>
  bool run(Body&& body) noexcept {
    const CallStack restored;
    if (holds()) arm(text_);  // restarts the patience
    try {
      body();
      return true;
    } catch (const InvalidState& state) {
      keep_invalid(state.what());
    } catch (...) {
      keep_failure(std::current_exception());
    }
    return false;
  }

  /// Runs body() and agrees on its outcome at once, independently of the exceptions kept before: throws on every rank
  /// if it threw on any. For set-up and queries, whose results all ranks need. Up to four numbers that body() writes
  /// are reduced along with it: each becomes the minimum over all ranks. Collective, one reduction.
  void run_together(const std::function<void()>& body, std::span<PetscReal> least = {});

  /// Returns true if `here` is true on any rank. Collective, one reduction.
  bool any(bool here) const;

  /// Return true if this rank keeps an exception, or an exception other than InvalidState.
  bool holds() const { return invalid_ || failure_; }
  bool failed() const { return static_cast<bool>(failure_); }
  /// Returns the number of exceptions that this rank has kept so far.
  long kept() const { return kept_; }

  /// Discards the exceptions kept.
  void clear();
  /// Discards an InvalidState from which the solver has backed up.
  void forgive();

  /// Called after a solve. If any rank kept an exception other than InvalidState, throws on every rank: a rank's own
  /// exception if it has one, otherwise an Error with the text of the first rank that has one; an IoError on all ranks
  /// if some rank kept one. Otherwise returns true
  /// if no rank reports the solve as unusable. Collective, one reduction.
  bool settle(bool unusable_here);

  /// Like settle(), outside of solves. Returns false if any rank kept an InvalidState, and discards it. Collective, one
  /// reduction.
  bool all_valid();

  /// Like settle(), outside of solves; if any rank kept an InvalidState, all throw it with the text of the first such
  /// rank. Afterwards no exception is kept. The bits of `mine` are reduced along with it: the bits that any rank has
  /// set are returned. Collective, one reduction.
  int agree(int mine = 0);

  /// Called after a failed solve. Returns the text of the first rank's InvalidState, or nothing. Collective.
  std::string invalid_state_text();

 private:
  void keep_invalid(const char* text);
  void keep_failure(std::exception_ptr failure);
  void arm(const std::string& text);
  void disarm();
  std::string first_text(bool mine, const std::string& text) const;
  enum { invalid_bit = 1, failed_bit = 2, bits_of_ours = 2 };
  int reduce(bool invalid, int mine);
  /// Returns `all`, the bits that a reduction gave, if the reduction was sound. Otherwise the ranks are in different
  /// calls: a rank that keeps an exception ends all ranks, and any other rank waits for that.
  int checked(bool sound, int all);
  /// Reduces the bits failed_bit and invalid_bit over all ranks; for `least` see run_together().
  int reduce(std::span<PetscReal> least);
  [[noreturn]] void raise(bool failure);

  MPI_Comm comm_;  // used by the guards only
  std::chrono::duration<PetscReal> patience_;
  std::exception_ptr failure_;
  bool invalid_ = false;
  long kept_ = 0;
  std::string text_;
  struct Watchdog;
  std::unique_ptr<Watchdog> watchdog_;
};

}  // namespace gearshift::petsc
