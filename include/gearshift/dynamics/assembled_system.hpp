#pragma once

/// @file
/// A System for codes that have matrices: finite elements that assemble their tangent, or M, C and K from a file.

#include <gearshift/dynamics/system.hpp>

#include <functional>
#include <memory>
#include <optional>

namespace gearshift {

/// Equations of motion whose tangent is assembled. Products, diagonal, preconditioner and its matrix follow from it, so
/// that every -pc_type works, direct solvers on any number of ranks too.
///
/// Linear, R = M a + C v + K q - f(t):
///
/// ```cpp
/// AssembledSystem system(M, C, K, [&](PetscReal t, Vec f) { assemble_load(t, f); });
/// system.set_symmetric();             // CG instead of GMRES, and energies
/// system.set_constrained(clamped);
/// ```
///
/// Nonlinear, by two functions (or a derived class that overrides residual() and fill()):
///
/// ```cpp
/// AssembledSystem system(
///     A, [&](const State& x, Vec r) { assemble_residual(x, r); },
///     [&](const State& x, Shifts s, Mat P) { assemble_tangent(x, s, P); });
/// ```
///
/// Constraints need not be in the matrices: rows and columns of constrained() are replaced by those of the identity
/// behind the fill, and R there is the reaction. A near-null space of the matrix given (MatSetNearNullSpace: rigid body
/// modes, for gamg), its block size, local-to-global mapping and symmetry pass to its copies.
///
/// What is assembled when. Each linearisation asks for one combination of shifts (for BDF (1/alpha, 1, alpha)), which
/// is filled once for all products, the diagonal and the preconditioner of that linearisation; with M, C and K given it
/// stays as long as alpha does, over steps too: once a run at fixed step. Other combinations at the same point are
/// filled anew when asked for: mass alone for compute_acceleration() and for the energy or stability watch. Two are
/// kept; a third replaces the one used longest ago. Rayleigh damping of a nonlinear system (-gear_rayleigh_stiffness)
/// also needs the stiffness at rest, and at q +- e v: four fills per linearisation (five where the preconditioner is
/// rebuilt) and one per residual instead of one and none; a system that has such a damping of its own had better put it
/// into residual and fill. Where several ranks add to one entry PETSc sums in the order of arrival; -matstash_reproduce
/// makes runs equal bit for bit.
///
/// Memory: one matrix for the products, a second once another combination is asked for, one for the preconditioner.
class GEARSHIFT_EXPORT AssembledSystem : public System,
                                         public SystemConstraints,
                                         public SystemPreconditioner,
                                         public SystemEnergies {
 public:
  /// Adds the loads at time t to f [force], which comes as zeros. Collective.
  using Load = std::function<void(PetscReal t, Vec f)>;
  /// r = R(t, q, v, a) [force], as System::residual(). Collective.
  using Residual = std::function<void(const State& x, Vec r)>;
  /// Puts s.q R_q + s.v R_v + s.a R_a at x into P, as fill(). Collective.
  using Fill = std::function<void(const State& x, Shifts s, Mat P)>;
  /// Writes g, g', g'' at time t into the constrained entries, as SystemConstraints::prescribe(). Collective.
  using Motion = std::function<void(PetscReal t, Vec q, Vec v, Vec a)>;

  /// R = M a + C v + K q - f(t). A matrix that is nullptr is zero; one at least is given. They are referenced, not
  /// copied; their patterns may differ. Throws OptionError where their sizes do not match. Collective.
  AssembledSystem(Mat M, Mat C, Mat K, Load load = {});

  /// @param pattern an assembled matrix with the layout and the nonzeros of the tangent, values of any kind;
  ///   referenced. Throws OptionError where it is not assembled (its pattern would be lost: fill it once, zeros count).
  ///   Collective.
  AssembledSystem(Mat pattern, Residual residual, Fill fill);

  ~AssembledSystem() override;
  AssembledSystem(const AssembledSystem&) = delete;
  AssembledSystem& operator=(const AssembledSystem&) = delete;

  /// Tells that the tangent is symmetric (or not). Before: what was known of the matrices given (MAT_SYMMETRIC,
  /// MAT_SPD).
  void set_symmetric(bool symmetric = true);

  /// Entries whose motion is given, by their global indices; each rank names its own. Referenced.
  /// @param motion their motion; none: they rest at 0.
  void set_constrained(IS entries, Motion motion = {});

  /// To be called when M, C or K were given new values, which is to happen at announced discontinuities
  /// (Stepper::add_discontinuity) or between runs. Collective.
  void matrices_changed();

  /// Number of matrices filled so far, by all linearisations.
  PetscInt fills() const;

  /// Adds s.q R_q + s.v R_v + s.a R_a at x to P by MatSetValues or what stands on it (any of INSERT_VALUES,
  /// ADD_VALUES). P comes as zeros, with the pattern given; the caller assembles it (MatAssemblyBegin/End). x is
  /// read-locked. May throw InvalidState on any ranks, after its last collective call. Default: the function given.
  virtual void fill(const State& x, Shifts s, Mat P);

  void residual(const State& x, Vec r) override;
  std::unique_ptr<Linearization> make_linearization() override;
  Mat create_preconditioner_matrix() override;
  using SystemConstraints::complete, SystemConstraints::dependent;
  using SystemPreconditioner::inner_iterations, SystemPreconditioner::keep_preconditioner;
  using SystemPreconditioner::update_preconditioner, SystemPreconditioner::use_prefix;
  bool symmetric() const override;
  IS constrained() const override;
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override;
  /// With M, C, K given and symmetric: kinetic v'Mv/2, stored q'Kq/2, power of the loads f'v, dissipated v'Cv. Else
  /// none.
  std::optional<Energy> energy(const State& x) override;

 protected:
  /// For derived classes, which override residual() and fill(). @param pattern see above.
  explicit AssembledSystem(Mat pattern);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gearshift
