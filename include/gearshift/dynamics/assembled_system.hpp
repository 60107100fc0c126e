#pragma once

/// @file
/// A System for codes that have matrices: finite elements with an assembled tangent, or M, C and K from a file.

#include <gearshift/dynamics/system.hpp>

#include <functional>
#include <memory>
#include <optional>

namespace gearshift {

/// Equations of motion with an assembled tangent. Jacobian-vector products, the diagonal and the preconditioner with
/// its matrix follow from it. Every -pc_type therefore works, and so do direct solvers on any number of ranks.
///
/// The user provides the matrices M, C and K and a load, or a pattern and two functions: the residual and the tangent.
/// Constraints and the symmetry flag are optional.
///
/// Linear, with R = M a + C v + K q - f(t):
///
/// ```cpp
/// AssembledSystem system(M, C, K, [&](PetscReal t, Vec f) { assemble_load(t, f); });
/// system.set_symmetric();             // CG instead of GMRES, and energies
/// system.set_constrained(clamped);
/// ```
///
/// Nonlinear, with two functions (or with a derived class that overrides residual() and fill()):
///
/// ```cpp
/// AssembledSystem system(
///     A, [&](const State& x, Vec r) { assemble_residual(x, r); },
///     [&](const State& x, Shifts s, Mat P) { assemble_tangent(x, s, P); });
/// ```
///
/// Constraints need not be in the matrices: after each fill, the rows and columns of constrained() are replaced by
/// those of the identity, and R in these entries is the reaction. The near-null space of the given matrix
/// (MatSetNearNullSpace: rigid body modes, for gamg), its block size, local-to-global mapping and symmetry are passed
/// to its copies.
///
/// When matrices are assembled: each linearisation needs one combination of shifts (for BDF (1/alpha, 1, alpha)). It is
/// filled once for all products, the diagonal and the preconditioner of that linearisation. If M, C and K are given, it
/// is kept as long as alpha does not change, also over steps: a run at fixed step fills it once. Other combinations at
/// the same point are filled when they are needed: the mass for compute_acceleration() and for the energy balance or
/// the stability monitor. Two combinations are kept; a third one replaces the least recently used. Rayleigh damping of
/// a nonlinear system (-gear_rayleigh_stiffness) also needs the stiffness at rest and at q +- e v. That makes four
/// fills per linearisation (five if the preconditioner is rebuilt) and one per residual, instead of one and none; a
/// system with such a damping should include it in its residual and fill. If several ranks add to one entry, PETSc sums
/// in the order of arrival; with -matstash_reproduce runs agree bit for bit.
///
/// Memory: one matrix for the products, a second one as soon as another combination is needed, and one for the
/// preconditioner.
class GEARSHIFT_EXPORT AssembledSystem : public System,
                                         public SystemConstraints,
                                         public SystemPreconditioner,
                                         public SystemEnergies {
 public:
  /// Adds the loads at time t to f [force]. f is zero on entry. Collective.
  using Load = std::function<void(PetscReal t, Vec f)>;
  /// Computes r = R(t, q, v, a) [force] like System::residual(). Collective.
  using Residual = std::function<void(const State& x, Vec r)>;
  /// Adds s.q R_q + s.v R_v + s.a R_a at x to P like fill(). Collective.
  using Fill = std::function<void(const State& x, Shifts s, Mat P)>;
  /// Writes g, g', g'' at time t into the constrained entries like SystemConstraints::prescribe(). Collective.
  using Motion = std::function<void(PetscReal t, Vec q, Vec v, Vec a)>;

  /// Defines R = M a + C v + K q - f(t). A matrix that is nullptr counts as zero; one or more must be given. The
  /// matrices are referenced, not copied; their patterns may differ. Throws OptionError if their sizes do not match.
  /// Collective.
  AssembledSystem(Mat M, Mat C, Mat K, Load load = {});

  /// @param pattern an assembled matrix with the layout and the nonzeros of the tangent and with any values;
  ///   referenced. Throws OptionError if it is not assembled, because its pattern would be lost: fill it once, zeros
  ///   count. Collective.
  AssembledSystem(Mat pattern, Residual residual, Fill fill);

  ~AssembledSystem() override;
  AssembledSystem(const AssembledSystem&) = delete;
  AssembledSystem& operator=(const AssembledSystem&) = delete;

  /// Declares the tangent symmetric (or not). By default the flags of the given matrices decide (MAT_SYMMETRIC,
  /// MAT_SPD).
  void set_symmetric(bool symmetric = true);

  /// Sets the constrained entries by their global indices; each rank gives the ones it owns. Referenced.
  /// @param motion the prescribed motion; if empty, these entries rest at 0.
  void set_constrained(IS entries, Motion motion = {});

  /// Discards the assembled combinations. Call it after M, C or K have been given new values. Change them only at
  /// discontinuities declared by Stepper::add_discontinuity() or between runs. Collective.
  void matrices_changed();

  /// Returns the number of matrices filled so far, by all linearisations.
  PetscInt fills() const;

  /// Adds s.q R_q + s.v R_v + s.a R_a at x to P by MatSetValues or a function based on it (INSERT_VALUES or
  /// ADD_VALUES). P is zero on entry and has the given pattern; the caller assembles it (MatAssemblyBegin/End). x is
  /// read-locked. May throw InvalidState on any ranks, after its last collective call. Default: calls the given
  /// function.
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
  /// With M, C and K given and symmetric, returns the kinetic energy v'Mv/2, the stored energy q'Kq/2, the power of the
  /// loads f'v and the dissipated power v'Cv. Otherwise returns nullopt.
  std::optional<Energy> energy(const State& x) override;

 protected:
  /// For derived classes that override residual() and fill(). @param pattern as above.
  explicit AssembledSystem(Mat pattern);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace gearshift
