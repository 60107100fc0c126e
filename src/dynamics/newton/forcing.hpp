#pragma once

/// @file
/// Accuracy of Newton's linear systems during the search for an equilibrium.

#include <petscsnes.h>

namespace gearshift {

/// The relative tolerances of the linear systems in one solve. The first system has the linear solver's own tolerance:
/// the residual after it shows whether the problem is linear. After that, with residuals F_m, a target T that ends the
/// solve, and the solver's own tolerance e,
///
///     1e-3                            if another step will follow, |F_m| (|F_m| / |F_{m-1}|)^2 > 10 T,
///     T / (10 |F_m|)                  in the last step, between e and 1e-3,
///
/// because the error of Newton's step is of second order, so that a smaller residual of the linear system would not
/// show. If the solve begins at a guess of the solution and has a reference residual, that residual replaces F_{-1},
/// and the first tolerance follows the same rule as the others.
/// (S.C. Eisenstat, H.F. Walker, Choosing the forcing terms in an inexact Newton method, SIAM J. Sci. Comput. 17, 1996.)
class Forcing {
 public:
  /// Records the linear solver's present tolerance e; end() restores it.
  /// @param reference residual to which snes_rtol refers; 0: the first residual
  void begin(SNES snes, PetscReal reference);
  void end();
  /// Sets the tolerance of the linear system at the present residual; does nothing before begin().
  void prepare();

 private:
  KSP ksp() const;

  SNES snes_ = nullptr;  // set during a solve
  PetscReal own_ = 0, reference_ = 0, initial_ = 0, before_ = 0;
};

}  // namespace gearshift
