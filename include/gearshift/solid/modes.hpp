#pragma once

/// @file
/// Natural frequencies and shapes of a Body.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/body.hpp>

#include <functional>
#include <span>
#include <vector>

namespace gearshift::solid {

/// One natural vibration about a state.
struct Mode {
  PetscReal frequency = 0;  ///< omega / (2 pi) [1/time]; negative for a motion that grows, omega^2 < 0
  Vec3 effective_mass{};    ///< effective modal mass (phi' M r)^2 / phi' M phi for r = 1 along x, y, z [mass]
};

/// Computes the lowest modes of K phi = omega^2 M phi, K the tangent at a state (prestress, pressures and springs
/// included, internal variables and gas unchanged) and M the mass, by SLEPc's Krylov-Schur method. Each of its steps
/// solves with K, matrix-free with the body's preconditioner, by CG to `-modes_ksp_rtol` (1e-9); `-modes_eps_...` are
/// SLEPc's options. If PETSc has MUMPS, its factors of the operator are the preconditioner for tetrahedra and wedges, and
/// of an operator that is not definite, if they have few entries and no option names a method (`-solver`,
/// `-modes_pc_type`, `-modes_ksp_type`). The modes nearest to a frequency are found by the shift-and-invert method about
/// its square. Without factors the shifted operator, which is indefinite, is solved by FGMRES, preconditioned by the
/// multigrid of K + omega^2 M: the number of iterations grows with the number of modes below the shift, not with the
/// unknowns (about 20 with two modes below, 50 with 14, 90 with 22; it keeps twice as many vectors).
/// `-modes_pc_type cholesky` factorizes the operator instead. A Krylov space finds only one of several modes with equal
/// frequencies at first, so the search is repeated orthogonally to the modes found until it yields no mode closer than
/// the farthest of them: about 20 more solves, and 40 for each mode that was missed. If a body has no supports, its six
/// rigid-body modes come first, with frequency 0, unless a stress resists them.
/// (V. Hernandez, J. Roman, V. Vidal, ACM Trans. Math. Softw. 31, 2005)
class GEARSHIFT_EXPORT Modes {
 public:
  /// Returns true if the library was built with SLEPc.
  static bool available();
  /// Throws OptionError if the tangent of the body is not symmetric at rest, so that no modes can be found. A constant
  /// pressure, or gas, is allowed on faces that are closed or whose edges are held. Collective.
  static void require_symmetric(Body& body);

  using Watch = std::function<void(PetscInt solves, PetscInt iterations)>;
  /// @param at    the state; only q and the internal variables are used, damping is ignored
  /// @param count the number of modes wanted, >= 1; fewer are returned if the body has fewer
  /// @param near  0 for the lowest modes; otherwise those whose omega^2 is nearest to (2 pi near)^2 [1/time]
  /// @param watch called on every rank after each linear solve, with the numbers of solves and Krylov iterations so far
  /// Throws OptionError without SLEPc, for invalid arguments, for a tangent that is not symmetric, for frequencies
  /// beyond the spectrum of the mesh or the range of numbers, and if supports hold the whole body; Error if the linear
  /// solver fails or modes are not found. Collective.
  Modes(Body& body, const State& at, PetscInt count, PetscReal near = 0, Watch watch = {});

  /// Returns the modes in ascending order of frequency.
  std::span<const Mode> modes() const { return modes_; }
  /// Returns false if it is not known whether further frequencies lie between those of modes(), because the search for
  /// them did not converge or found too many.
  bool complete() const { return complete_; }
  /// Returns the shape of a mode, with phi' M phi = 1; borrowed.
  Vec shape(std::size_t mode) const { return shapes_[mode].get(); }
  /// Return the number of linear solves, and of their Krylov iterations in total.
  PetscInt solves() const { return solves_; }
  PetscInt iterations() const { return iterations_; }

 private:
  void keep_nearest(PetscReal target, std::size_t count);

  std::vector<Mode> modes_;
  std::vector<petsc::Handle<Vec>> shapes_;
  PetscInt solves_ = 0, iterations_ = 0;
  bool complete_ = true;
};

}  // namespace gearshift::solid
