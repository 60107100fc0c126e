#pragma once

/// @file
/// The two operators of an eigenvalue problem of free vibration.

#include <gearshift/dynamics/linearization.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/body.hpp>
#include <gearshift/solid/modes.hpp>

#include "solid/multigrid/shell_matrix.hpp"

#include <petscsnes.h>

#include <memory>
#include <vector>

namespace gearshift::solid {

/// K and M of a body at a state, on vectors that are 0 in the supported entries, and solves with K + shift M. Every
/// function is collective.
class Pencil {
 public:
  /// @param square >= 0: 0 for a shift near 0 and a definite operator; otherwise omega^2 for the shift -omega^2. That
  /// operator is indefinite, and its solves are preconditioned by the multigrid of K + omega^2 M.
  /// @param watch as of Modes
  Pencil(Body& body, const State& at, PetscReal square = 0, Modes::Watch watch = {});

  Mat stiffness() const { return stiffness_.get(); }
  Mat mass() const { return mass_.get(); }
  /// Returns 0 if no motion is free of forces, otherwise a fraction of the value for the softest deformations; or
  /// -square.
  PetscReal shift() const { return shift_; }
  /// Returns the free body's translations and rotations, if K gives no force for them; otherwise none.
  const std::vector<petsc::Handle<Vec>>& rigid() const { return rigid_; }

  /// Returns the number of entries that no support holds.
  PetscInt unknowns() const;

  /// Computes out = (K + shift M)^-1 in.
  void solve(Vec in, Vec out);
  PetscInt solves() const { return solver_.solves; }
  PetscInt iterations() const { return solver_.iterations; }

  /// Writes the entries of a shape that depend on others (SystemConstraints::dependent()).
  void complete(Vec x) const {
    if (body_.dependent()) body_.complete(0, x, x, x);
  }
  /// Sets supported entries to 0.
  void mask(Vec x) const;
  petsc::Handle<Vec> vector() const;
  /// Returns x' A y.
  PetscReal form(Mat A, Vec x, Vec y) const;

 private:
  ShellMatrix product(Shifts s, bool identity);
  /// Returns a shift for which no motion makes the operator singular.
  PetscReal choose_shift() const;
  /// Throws OptionError if all eigenvalues are far below `square`. Collective.
  void refuse_beyond_spectrum(PetscReal square) const;
  /// Finds the rigid motions. @param shift the result of choose_shift()
  void find_rigid(const State& at, PetscReal shift);
  /// Returns the matrix of K + shift M if a solve by its factors costs less than the multigrid. Collective.
  petsc::Handle<Mat> matrix_to_factorize(Shifts s) const;
  void set_up_solver();

  Body& body_;
  Modes::Watch watch_;
  std::vector<PetscInt> held_;  // local supported entries
  std::unique_ptr<Linearization> tangent_;
  mutable petsc::Handle<Vec> work_;
  ShellMatrix stiffness_, mass_;
  PetscReal shift_ = 0;
  std::vector<petsc::Handle<Vec>> rigid_;
  /// Solves with K + shift M.
  struct ShiftedSolver {
    std::unique_ptr<ShellMatrix> shifted, definite;  ///< K + shift M and K + |shift| M
    petsc::Handle<Mat> assembled;
    petsc::Handle<SNES> snes;
    KSP ksp = nullptr;                                   ///< owned by snes
    bool factors_failed = false, needs_factors = false;  ///< another preconditioner has failed
    PetscInt solves = 0, iterations = 0;
  } solver_;
};

}  // namespace gearshift::solid
