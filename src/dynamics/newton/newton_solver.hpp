#pragma once

#include <gearshift/dynamics/report.hpp>
#include <gearshift/dynamics/stepper_options.hpp>
#include <gearshift/dynamics/system.hpp>
#include <gearshift/petsc/handle.hpp>

#include "dynamics/newton/convergence_test.hpp"
#include "dynamics/newton/error_norm.hpp"
#include "petsc/callback_guard.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift {

/// How the state hangs on the unknown x of a solve at time t:
///
///     q = s.q x + f_q b_q,   v = s.v x + f_v b_v,   a = s.a x + f_a b_a
///
/// so that the Jacobian is s.q R_q + s.v R_v + s.a R_a. BDF and DIRK stages have x = v and s = (1/alpha, 1, alpha), a
/// first-order ODE x = q and s = (1, alpha, 0), statics x = q and s = (1, 0, 0), the acceleration x = a, s = (0, 0, 1).
struct AffineMap {
  PetscReal t = 0;
  Shifts slope;
  int unknown = 1;                                           ///< x is the unknown-th derivative of q
  Vec base_q = nullptr, base_v = nullptr, base_a = nullptr;  ///< borrowed; nullptr is zero
  PetscReal factor_q = 1, factor_v = 1, factor_a = 1;
};

/// One nonlinear system r(x) = R(t, q(x), v(x), a(x)) = 0 as a SNES function and a shell matrix.
///
/// Constrained entries have (q, v, a) = (g, g', g'') whatever x is there; their row is x - s.(g) = 0, the identity, and
/// their columns are zero, which keeps the symmetry. The initial guess fulfils the row, so that it adds to no norm.
class NewtonSolver {
 public:
  /// @param snes a SNES to use (its function and Jacobian are the owner's, who calls residual() and so on), or nullptr.
  NewtonSolver(System& system, Vec layout, const StepperOptions& options, SNES snes);
  NewtonSolver(const NewtonSolver&) = delete;
  NewtonSolver& operator=(const NewtonSolver&) = delete;

  /// Reads the solver's options. Call once, before the first solve.
  void set_up(std::string_view prefix, bool from_options);

  /// Sets what the next solves are about.
  void set_map(const AffineMap& map);

  /// Writes the prescribed value of the unknown into the constrained entries of x.
  void constrain(Vec x) const;

  /// Solves from the guess in x; returns whether it converged and adds to `record`. Throws what callbacks threw.
  bool solve(Vec x, StepReport& record);

  /// f = r(x), and the state that belongs to x. Callbacks throw.
  void residual(Vec x, Vec f);
  /// The state that belongs to x; valid until the next call.
  State state_at(Vec x);
  /// The state at the last call of residual() or state_at().
  State state() const { return {map_.t, q_.get(), v_.get(), a_.get()}; }
  Shifts shifts() const { return map_.slope; }
  /// R in the constrained entries at the last residual(), zero elsewhere.
  Vec reactions() const { return reactions_.get(); }

  /// Ties the next solves to an error norm with this tolerance; nullptr: PETSc's or the thresholds' test again.
  void tie_to(const ErrorNorm* norm, PetscReal tolerance);
  /// What was learned about the convergence of Newton and Krylov counts no more.
  void forget_convergence() { rules_.wrms().forget(); }
  /// How the last solve tied to an error norm went.
  const WrmsNewton& newton() { return rules_.wrms(); }

  /// Asks for a rebuilt preconditioner at the next linearisation (policies `step`, `simulation` and `auto`).
  void request_rebuild() { rebuild_ = true; }
  /// Whether the next linearisation rebuilds the preconditioner; decides, and starts the age anew.
  bool take_rebuild();
  /// Number of times the preconditioner was built.
  PetscInt builds() const { return builds_; }
  /// Entries excluded besides the constrained ones, with value zero (massless entries of an acceleration solve).
  void exclude(std::vector<PetscInt> local) { excluded_ = std::move(local); }

  /// (e'R_q e, e'R_v e, e'R_a e), each times its wanted factor, over the free entries, by the last tangent; by
  /// differences of R where that is the host's. A factor of zero costs nothing.
  Shifts quadratic_forms(Vec e, Shifts wanted);
  /// Makes reactions() those of the unknown x, which an iteration that spares its last residual does not leave.
  void refresh_reactions(Vec x);

  void archive(Archive&) {}

  const std::vector<PetscInt>& constrained() const { return constrained_; }
  SNES snes() const { return snes_.get(); }
  System& system() const { return system_; }

 private:
  void set_up_jacobian(std::string_view prefix);
  bool use_difference_jacobian(std::string_view prefix);
  void linearize(Vec x);
  void build_preconditioner();
  void choose_krylov();
  void choose_preconditioner();
  void apply(Vec in, Vec out);
  void fill_diagonal(Vec d);
  void set_fixed_entries(Vec x, Vec from) const;
  Shifts difference_forms(Vec e, Shifts wanted);
  std::string describe_failure();
  bool solve_once(Vec x, StepReport& record);
  bool solve_with_krylov_choice(Vec x, StepReport& record);

  static PetscErrorCode form_function(SNES snes, Vec x, Vec f, void* ctx);
  static PetscErrorCode form_jacobian(SNES snes, Vec x, Mat J, Mat P, void* ctx);
  static PetscErrorCode multiply(Mat J, Vec in, Vec out);
  static PetscErrorCode get_diagonal(Mat J, Vec d);

  System& system_;
  const StepperOptions& options_;
  bool external_;
  petsc::Handle<SNES> snes_;
  petsc::Handle<Mat> jacobian_, preconditioner_;
  petsc::Handle<Vec> q_, v_, a_, masked_, function_, reactions_, start_;
  std::unique_ptr<Linearization> tangent_;
  petsc::CallbackGuard guard_;
  ConvergenceTest rules_;
  AffineMap map_;
  std::vector<PetscInt> constrained_, excluded_;        // local indices of owned entries
  std::array<std::vector<PetscScalar>, 3> prescribed_;  // g, g', g'' in the constrained entries
  bool any_constrained_ = false, rebuild_ = true, built_ = false;
  bool user_ksp_ = false, pc_decided_ = false, user_lag_ = false;
  bool poisoned_ = false, falling_back_ = false;
  const ErrorNorm* norm_ = nullptr;
  PetscReal tolerance_ = 1;
  /// The life of the preconditioner under policy `auto`.
  struct Life {
    Shifts built_for;
    PetscInt age = 0;              ///< solves since
    PetscInt krylov_at_first = 0;  ///< iterations a linear solve took when it was new
    PetscInt excess = 0;           ///< iterations beyond those, summed over the solves since
  } life_;
  PetscInt builds_ = 0;
  petsc::Handle<Vec> work_, forms_in_;
};

}  // namespace gearshift
