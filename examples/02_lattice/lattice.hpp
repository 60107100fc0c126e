#pragma once

// Existing application code: a lattice of point masses written with plain PETSc. It does not depend on an integrator.

#include <petscdmda.h>

inline constexpr PetscErrorCode success{};  // PETSC_SUCCESS exists from PETSc 3.19 on

/// Parameters of a Lattice, in SI units.
struct LatticeParameters {
  PetscInt nodes[3] = {81, 21, 21};  ///< number of masses along x, y, z; the masses at x = 0 are clamped
  PetscReal spacing = 0.05;          ///< distance of neighbouring masses [m]
  PetscReal mass = 0.125;            ///< mass of one node [kg]
  PetscReal stiffness = 2e4;         ///< stiffness of a spring [N/m]
  PetscReal damping = 1;             ///< coefficient of a dashpot [N s/m]
  PetscReal gravity = 9.81;          ///< acceleration along -y [m/s^2]
};

/// Energies [J] and powers [W].
struct LatticeEnergy {
  PetscReal kinetic, elastic, power_of_gravity, power_of_dashpots;
};

/// Masses on a grid. Springs that follow the motion and dashpots join each mass to its 26 neighbours:
///
///     r_a = m (a_a - g) - sum_b [ k (|x_b - x_a| - L_ab) n_ab + c (v_b - v_a) ],   x = X + q,   n_ab from a to b
///
/// Vectors have the layout of the DMDA, three entries per node. Every call is collective.
class Lattice {
 public:
  Lattice() = default;
  Lattice(const Lattice&) = delete;
  Lattice& operator=(const Lattice&) = delete;

  PetscErrorCode create(MPI_Comm comm, const LatticeParameters& parameters);
  PetscErrorCode destroy();

  DM dm() const { return dm_; }
  IS clamped() const { return clamped_; }

  /// Computes r, the residual above. Sets `collapsed` to true if a spring of this rank has zero length.
  PetscErrorCode residual(Vec q, Vec v, Vec a, Vec r, bool* collapsed) const;

  /// Computes out = (kq dr/dq + kv dr/dv + ka dr/da) in, at the ghosted local positions `local_q`.
  PetscErrorCode tangent(Vec local_q, PetscReal kq, PetscReal kv, PetscReal ka, Vec in, Vec out) const;
  /// Computes the diagonal of the matrix of tangent().
  PetscErrorCode tangent_diagonal(Vec local_q, PetscReal kq, PetscReal kv, PetscReal ka, Vec d) const;
  /// Assembles the matrix of tangent() into P.
  PetscErrorCode assemble(Vec local_q, PetscReal kq, PetscReal kv, PetscReal ka, Mat P) const;
  /// Creates a matrix for assemble(). The rigid-body modes are attached to it as near null space.
  PetscErrorCode create_matrix(Mat* P) const;

  PetscErrorCode energy(Vec q, Vec v, LatticeEnergy* energy) const;

  /// Computes the mean displacement along y of the face opposite to the clamp [m].
  PetscErrorCode tip(Vec q, PetscReal* deflection) const;

 private:
  LatticeParameters p_;
  DM dm_ = nullptr;
  IS clamped_ = nullptr;
};
