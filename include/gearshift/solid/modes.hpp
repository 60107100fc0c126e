#pragma once

/// @file
/// Natural frequencies and shapes of a Body.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/body.hpp>

#include <span>
#include <vector>

namespace gearshift::solid {

/// One natural vibration about a state.
struct Mode {
  PetscReal frequency = 0;  ///< omega / (2 pi) [1/time]; of a motion that grows, omega^2 < 0, with a minus sign
  Vec3 effective_mass{};    ///< (phi' M r)^2 / phi' M phi for r = 1 along x, y, z [mass]
};

/// The lowest modes of K phi = omega^2 M phi, K the tangent at a state (prestress, pressures and springs included,
/// history and gas as they are) and M the mass, by SLEPc's Krylov-Schur method. Each of its steps solves with K,
/// matrix-free with the body's preconditioner, by CG to `-modes_ksp_rtol` (1e-9); `-modes_eps_...` are SLEPc's options.
/// Modes nearest to a frequency are those of shift and inversion about its square; that operator is indefinite, and
/// FGMRES solves with it, preconditioned by the multigrid of K + omega^2 M: its iterations grow with the number of
/// modes below, not with the unknowns (about 20 with two modes below, 50 with 14, 90 with 22; twice as many vectors are
/// kept).
/// `-modes_pc_type cholesky` factorizes the operator instead. A Krylov space finds only one of several modes with equal
/// frequencies at first. So the search is repeated orthogonally to the modes found until it yields none among them:
/// about 20 solves more. Of a body without any support the six rigid motions come first, with frequency 0, where no
/// stress holds them.
/// (V. Hernandez, J. Roman, V. Vidal, ACM Trans. Math. Softw. 31, 2005)
class GEARSHIFT_EXPORT Modes {
 public:
  /// Whether the library was built with SLEPc.
  static bool available();
  /// Throws OptionError for a body whose tangent is not symmetric at rest, of which no modes are found. A constant pressure, or
  /// gas, is allowed on faces that are closed or whose edges are held. Collective.
  static void require_symmetric(Body& body);

  /// @param at    of which q and the internal variables count; dampers do not
  /// @param count how many are wanted, >= 1; there may be fewer
  /// @param near  0 for the lowest ones; else those whose omega^2 is nearest to (2 pi near)^2 [1/time]
  /// Throws OptionError without SLEPc, for a negative frequency, for a tangent that is not symmetric, and where shapes
  /// are missing; Error where the linear solver fails. Collective.
  Modes(Body& body, const State& at, PetscInt count, PetscReal near = 0);

  /// By frequency.
  std::span<const Mode> modes() const { return modes_; }
  /// The shape of one, with phi' M phi = 1; borrowed.
  Vec shape(std::size_t mode) const { return shapes_[mode].get(); }
  /// Linear solves, and their Krylov iterations in all.
  PetscInt solves() const { return solves_; }
  PetscInt iterations() const { return iterations_; }

 private:
  void keep_nearest(PetscReal target, std::size_t count);

  std::vector<Mode> modes_;
  std::vector<petsc::Handle<Vec>> shapes_;
  PetscInt solves_ = 0, iterations_ = 0;
};

}  // namespace gearshift::solid
