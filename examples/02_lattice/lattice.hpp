#pragma once

// Somebody's own code: a lattice of point masses on plain PETSc. It has never heard of an integrator.

#include <petscdmda.h>

inline constexpr PetscErrorCode success{};  // PETSC_SUCCESS, from PETSc 3.19 on

/// Numbers of a Lattice, in SI units.
struct LatticeParameters {
  PetscInt nodes[3] = {81, 21, 21};  ///< masses along x, y, z; those at x = 0 are clamped
  PetscReal spacing = 0.05;          ///< [m]
  PetscReal mass = 0.125;            ///< of one node [kg]
  PetscReal stiffness = 2e4;         ///< of a spring [N/m]
  PetscReal damping = 1;             ///< of a dashpot [N s/m]
  PetscReal gravity = 9.81;          ///< along -y [m/s^2]
};

/// Energies [J] and powers [W].
struct LatticeEnergy {
  PetscReal kinetic, elastic, power_of_gravity, power_of_dashpots;
};

/// Masses on a grid, each joined to its 26 neighbours by springs that follow the motion, and by dashpots:
///
///     r_a = m (a_a - g) - sum_b [ k (|x_b - x_a| - L_ab) n_ab + c (v_b - v_a) ],   x = X + q,   n_ab from a to b
///
/// Vectors are the DMDA's, three entries a node. Every call is collective.
class Lattice {
 public:
  Lattice() = default;
  Lattice(const Lattice&) = delete;
  Lattice& operator=(const Lattice&) = delete;

  PetscErrorCode create(MPI_Comm comm, const LatticeParameters& parameters);
  PetscErrorCode destroy();

  DM dm() const { return dm_; }
  IS clamped() const { return clamped_; }

  /// r = the residual above. `collapsed` tells whether a spring of this rank has no length left.
  PetscErrorCode residual(Vec q, Vec v, Vec a, Vec r, bool* collapsed) const;

  /// out = (kq dr/dq + kv dr/dv + ka dr/da) in, at the ghosted local positions `local_q`.
  PetscErrorCode tangent(Vec local_q, PetscReal kq, PetscReal kv, PetscReal ka, Vec in, Vec out) const;
  /// Its diagonal.
  PetscErrorCode tangent_diagonal(Vec local_q, PetscReal kq, PetscReal kv, PetscReal ka, Vec d) const;
  /// P = the same matrix, assembled.
  PetscErrorCode assemble(Vec local_q, PetscReal kq, PetscReal kv, PetscReal ka, Mat P) const;
  /// A matrix for assemble(), which knows the rigid-body modes.
  PetscErrorCode create_matrix(Mat* P) const;

  PetscErrorCode energy(Vec q, Vec v, LatticeEnergy* energy) const;

  /// Mean displacement along y of the face opposite to the clamp [m].
  PetscErrorCode tip(Vec q, PetscReal* deflection) const;

 private:
  LatticeParameters p_;
  DM dm_ = nullptr;
  IS clamped_ = nullptr;
};
