#pragma once

/// @file
/// The load curve: equilibria under growing loads, and where they lead.

#include <gearshift/dynamics/report.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

#include <array>
#include <cstddef>

namespace gearshift::app {

/// The last equilibria q_i under load factors f_i, three at most, and the curve through them as a guess of the next one, a
/// parabola or, through two, a straight line:
///
///     q(f) = sum_i l_i(f) q_i,  l_i(f) = prod_{j != i} (f - f_j) / (f_i - f_j)
///
/// Where the path is smooth and load steps are h, the parabola misses the equilibrium by |q'''| h^3, while a solve without
/// a guess begins |q'| h away. (Predictors of continuation: P. Wriggers, Nonlinear Finite Element Methods, 2008, chapter 5;
/// E.L. Allgower, K. Georg, Introduction to Numerical Continuation Methods, 2003.)
class LoadCurve {
 public:
  /// What it keeps, from the third guess on.
  static constexpr int vectors = 4;

  /// Keeps the equilibrium q under a load factor greater than those before, copied. Collective.
  void add(PetscReal factor, Vec q);
  /// How the solve went that the last guess was for. One from which Newton's method failed is the last one: the path is
  /// not smooth.
  void judge(const StepReport& report) { given_up_ = given_up_ || report.guess_failed; }
  /// There was no equilibrium, be it for the guess.
  void give_up() { given_up_ = given_up_ || guessed_; }
  /// The guess under a load factor, valid until the next call; nullptr: none. Collective.
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
