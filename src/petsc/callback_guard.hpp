#pragma once

#include <gearshift/petsc/error.hpp>

#include <exception>
#include <memory>
#include <string>

namespace gearshift::petsc {

/// The one boundary between C++ callbacks and PETSc's C code.
///
/// A callback that throws on a rank leaves not-a-number in its output there, which the next norm or dot product carries
/// to all ranks, so that the solver ends everywhere without a further reduction; settle() then agrees on what happened.
/// Should the throw have cut a collective call short, the other ranks never come to that reduction: a watchdog ends all
/// ranks with the message.
class CallbackGuard {
 public:
  explicit CallbackGuard(MPI_Comm comm);
  ~CallbackGuard();

  /// Runs body(); true when it returned. Keeps the first exception of the rank: InvalidState as such, others to
  /// rethrow.
  template <class Body>
  bool run(Body&& body) noexcept {
    disarm();
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

  /// Forgets what was kept; before each solve.
  void clear();

  /// After a solve: rethrows on every rank when any rank kept an exception other than InvalidState (its own where it
  /// has one, else an Error with the text of the first rank that has). Collective.
  void settle();

  /// After a failed solve: the text of the first rank's InvalidState, or nothing. Collective.
  std::string invalid_state_text();

 private:
  void keep_invalid(const char* text);
  void keep_failure(std::exception_ptr failure);
  void arm(const std::string& text);
  void disarm();
  std::string first_text(bool mine, const std::string& text) const;

  MPI_Comm comm_;
  std::exception_ptr failure_;
  bool invalid_ = false;
  std::string text_;
  struct Watchdog;
  std::unique_ptr<Watchdog> watchdog_;
};

}  // namespace gearshift::petsc
