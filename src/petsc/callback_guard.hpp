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

/// The one boundary between C++ callbacks and collective code that must not be left by one rank alone.
///
/// A callback that throws on a rank is kept here, and its output becomes not-a-number there, which the next norm or dot
/// product carries to all ranks, so that a solver ends everywhere without a further reduction; settle() or agree() then
/// finds what happened. These agree on a communicator of their own, which no collective call of a callback can match.
/// Should the throw have cut a collective call short, the other ranks never come to that agreement, or their calls match
/// others of this rank: a watchdog on the rank that waits ends all of them with the message.
class CallbackGuard {
 public:
  /// Collective. @param patience seconds that a rank whose callback threw waits for the others; 0: without end.
  explicit CallbackGuard(MPI_Comm comm, PetscReal patience = 600);
  ~CallbackGuard();

  /// Runs body(); true when it returned. Keeps the first exception of the rank: InvalidState as such, others to
  /// rethrow. Not collective.
  template <class Body>
  bool run(Body&& body) noexcept {
    const CallStack restored;
    if (holds()) arm(text_);  // the patience begins anew
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

  /// Runs body() and agrees on its outcome at once, apart from what was kept before: throws on every rank when it threw
  /// on any. For set-up and questions, whose answers all ranks need. Up to four numbers that body() writes ride along:
  /// each becomes the least of all ranks. Collective, one reduction.
  void run_together(const std::function<void()>& body, std::span<PetscReal> least = {});

  /// Whether any rank says so. Collective, one reduction.
  bool any(bool here) const;

  /// Whether this rank keeps an exception, or one other than InvalidState.
  bool holds() const { return invalid_ || failure_; }
  bool failed() const { return static_cast<bool>(failure_); }
  /// How many exceptions this rank has kept so far.
  long kept() const { return kept_; }

  /// Forgets what was kept.
  void clear();
  /// Forgets an InvalidState that the solver backed up from.
  void forgive();

  /// After a solve: rethrows on every rank when any rank kept an exception other than InvalidState (its own where it has
  /// one, else an Error with the text of the first rank that has). Else returns whether the solve is usable, which it is
  /// where no rank says that it is not. Collective, one reduction.
  bool settle(bool unusable_here);

  /// Outside of solves: the same. Returns false if any rank kept an InvalidState, which is forgotten. Collective, one
  /// reduction.
  bool all_valid();

  /// Outside of solves: the same, and if any rank kept an InvalidState, all throw it with the text of the first such rank.
  /// Nothing is kept afterwards. Bits of `mine` ride along: those that any rank has set are returned.
  /// Collective, one reduction.
  int agree(int mine = 0);

  /// After a failed solve: the text of the first rank's InvalidState, or nothing. Collective.
  std::string invalid_state_text();

 private:
  void keep_invalid(const char* text);
  void keep_failure(std::exception_ptr failure);
  void arm(const std::string& text);
  void disarm();
  std::string first_text(bool mine, const std::string& text) const;
  enum { invalid_bit = 1, failed_bit = 2, bits_of_ours = 2 };
  int reduce(bool invalid, int mine);
  /// `all`, the bits that a reduction gave, if it was sound; else the ranks are in different calls: a rank that keeps an
  /// exception ends all of them, another one waits for that.
  int checked(bool sound, int all);
  /// The bits failed_bit and invalid_bit of all ranks; `least` see run_together().
  int reduce(std::span<PetscReal> least);
  [[noreturn]] void raise(bool failure);

  MPI_Comm comm_;  // of the guards alone
  std::chrono::duration<PetscReal> patience_;
  std::exception_ptr failure_;
  bool invalid_ = false;
  long kept_ = 0;
  std::string text_;
  struct Watchdog;
  std::unique_ptr<Watchdog> watchdog_;
};

}  // namespace gearshift::petsc
