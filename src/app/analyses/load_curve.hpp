#pragma once

/// @file
/// The load curve: equilibria under growing loads, and their extrapolation.

#include <gearshift/dynamics/report.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

#include <array>
#include <cstddef>

namespace gearshift::app {

/// Extrapolates the equilibrium under the next load factor from the last equilibria q_i under load factors f_i: by a
/// parabola through the last three or, if there are only two, by a straight line:
///
///     q(f) = sum_i l_i(f) q_i,  l_i(f) = prod_{j != i} (f - f_j) / (f_i - f_j)
///
/// If the path is smooth and load steps have the size h, the parabola misses the equilibrium by |q'''| h^3, while a
/// solve without a guess begins at the distance |q'| h. (Predictors of continuation: P. Wriggers, Nonlinear Finite
/// Element Methods, 2008, chapter 5; E.L. Allgower, K. Georg, Introduction to Numerical Continuation Methods, 2003.)
class LoadCurve {
 public:
  /// The number of vectors that are kept from the third guess on.
  static constexpr int vectors = 4;

  /// Stores a copy of the equilibrium q under a load factor greater than those before. Collective.
  void add(PetscReal factor, Vec q);
  /// Forgets the equilibria so far, because the path has a kink after them.
  void forget() { count_ = 0; }
  /// Evaluates the solve that started from the last guess. If Newton's method failed from this guess, no more guesses
  /// are made, because the path is not smooth.
  void judge(const StepReport& report) { given_up_ = given_up_ || report.guess_failed; }
  /// Makes no more guesses if no equilibrium was found from the last guess.
  void give_up() { given_up_ = given_up_ || guessed_; }
  /// Returns the guess under a load factor, valid until the next call. Returns nullptr after a failed guess, and as
  /// long as fewer than two equilibria are known. Collective.
  Vec guess(PetscReal factor);

 private:
  struct Equilibrium {
    PetscReal factor = 0;
    petsc::Handle<Vec> q;
  };
  std::array<Equilibrium, 3> last_;  // oldest first
  std::size_t count_ = 0;
  petsc::Handle<Vec> guess_;
  bool guessed_ = false, given_up_ = false;
};

}  // namespace gearshift::app
