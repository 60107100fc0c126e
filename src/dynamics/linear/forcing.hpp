#pragma once

/// @file
/// Accuracy of Newton's linear systems.

#include <gearshift/dynamics/archive.hpp>

#include "petsc/versions.hpp"

#include <petscsnes.h>

#include <string_view>

namespace gearshift {

/// The accuracy to which the linear systems of a nonlinear solve are solved: the only place that changes the tolerance
/// or the convergence test of the linear solver during such a solve. Outside of solves, and without a rule, the linear
/// solver's own tolerance e applies. There are three rules.
///
/// *An equilibrium.* The first system has the tolerance e: the residual after it shows whether the problem is linear.
/// After that, with residuals F_m and a target T that ends the solve,
///
///     1e-3                            if another step will follow, |F_m| (|F_m| / |F_{m-1}|)^2 > 10 T,
///     T / (10 |F_m|)                  in the last step, between e and 1e-3,
///
/// because the error of Newton's step is of second order, so that a smaller residual of the linear system would not
/// show. If the solve begins at a guess of the solution and has a reference residual, that residual replaces F_{-1},
/// and the first tolerance follows the same rule as the others. (S.C. Eisenstat, H.F. Walker, Choosing the forcing
/// terms in an inexact Newton method, SIAM J. Sci. Comput. 17, 1996.)
///
/// *An allowance* for the error of the solution: 0.3 times its ratio to the error before the linear solve, between e
/// and 0.1.
///
/// *A weighted norm of the error* with tolerance T: the linear solve ends when its residual norm r, reduced by a factor
/// rho per iteration, corresponds to an error of at most T/10 and the error estimate is at most 0.3 T,
///
///     g r <= T/10,    |error| <= g r / (1 - rho) <= 0.3 T.
///
/// The first condition is CVODE's test (A.C. Hindmarsh et al., SUNDIALS, ACM TOMS 31, 2005, section 2.1, which assumes
/// rho = 0) and the stricter one with a good preconditioner. With a poor preconditioner the second one limits errors
/// that r does not show. A preconditioned residual is an increment already; g is then the ratio of the weighted norm to
/// the 2-norm of the previous increment. Otherwise g is the weighted norm of that increment divided by the residual it
/// removed.
class Forcing {
 public:
  Forcing() = default;
  ~Forcing();
  Forcing& operator=(Forcing&&) = delete;

  /// Reads whether options give the linear solver a tolerance: the rule of the weighted norm then does not apply.
  void install(SNES snes, std::string_view prefix, bool from_options);

  /// Begins the rule of an equilibrium. @param reference residual to which snes_rtol refers; 0: the first residual
  void begin_equilibrium(PetscReal reference);
  /// Sets the tolerance of the linear system at the present residual by that rule, if it applies.
  void prepare();
  /// Begins the rule of an allowance.
  void begin_allowance() { begin(Rule::allowance); }
  /// Returns true while that rule applies.
  bool allows() const { return rule_ == Rule::allowance; }
  /// Sets the tolerance of the next linear system under that rule. @param error that the solution may have @param now
  /// its error before this system is solved
  void allow(PetscReal error, PetscReal now = 1);
  /// Ends both rules: e applies again.
  void end();

  /// Begins the rule of the weighted norm, in which an increment of the next solves has the size given to measured().
  /// @param alpha coefficient of the formula
  void begin_norm(PetscReal tolerance, PetscReal alpha, bool norm_fits_residual);
  void end_norm();
  /// Records the weighted norm and the 2-norm of an increment that a linear solve has computed.
  void measured(PetscReal weighted, PetscReal plain);
  /// Sets the factor to which linear solves must reduce their residual, under the rule of the weighted norm.
  void require_reduction(PetscReal reduction) { reduction_ = reduction; }
  /// Discards the knowledge of g.
  void forget() { gain_ = 0; }
  /// Visits the knowledge of g.
  void archive(Archive& state);

 private:
  enum class Rule { own, equilibrium, allowance };

  static PetscErrorCode test(KSP ksp, PetscInt it, PetscReal norm, KSPConvergedReason* reason, void* ctx);
  PetscReal target(KSP ksp, PetscInt it, PetscReal norm) const;
  KSP ksp() const;
  void begin(Rule rule);

  /// The former convergence test of the linear solver.
  struct KrylovTest {
    PetscErrorCode (*test)(KSP, PetscInt, PetscReal, KSPConvergedReason*, void*) = nullptr;
    void* context = nullptr;
    petsc::DestroyKspTest destroy = nullptr;
  };

  Rule rule_ = Rule::own;
  SNES snes_ = nullptr;
  bool norm_applies_ = false;
  PetscReal own_ = 0, reference_ = 0, initial_ = 0, before_ = 0;
  KrylovTest former_;
  PetscReal tolerance_ = 1, reduction_ = 1;
  // Weighted norm of the increment, divided by the initial residual norm of its solve, and by its 2-norm.
  PetscReal gain_ = 0, weight_ = 0, start_ = 0;
  PetscReal alpha_ = 1, alpha_of_gain_ = 1;
};

/// Restores what it has changed of a linear solver at the end of its lifetime.
class LinearSettings {
 public:
  explicit LinearSettings(KSP ksp) : ksp_(ksp) {}
  ~LinearSettings();
  LinearSettings& operator=(LinearSettings&&) = delete;

  /// Sets the relative tolerance: for solves outside of Newton's iteration.
  void solve_to(PetscReal relative);
  /// Lowers the limit to a multiple of the iterations that a solve usually takes. Where one takes far more than others
  /// did, the tangent is nearly singular, and Newton's method gains nothing from its solution.
  void expect(PetscInt usual);

 private:
  KSP ksp_;
  PetscReal tolerance_ = PETSC_DEFAULT;  // PETSC_DEFAULT: not changed
  PetscInt limit_ = PETSC_DEFAULT;
};

}  // namespace gearshift
