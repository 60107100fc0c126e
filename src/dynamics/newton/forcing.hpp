#pragma once

/// @file
/// How exactly Newton's linear systems are solved on the way to an equilibrium.

#include <petscsnes.h>

namespace gearshift {

/// The relative tolerances of a solve's linear systems. The first is the linear solver's own: its residual shows whether
/// the problem is linear. After that, with residuals F_m, a target T that ends the solve, and the own tolerance e,
///
///     1e-3                            where another step will follow, |F_m| (|F_m| / |F_{m-1}|)^2 > 10 T,
///     T / (10 |F_m|)                  in the last step, between e and 1e-3,
///
/// because what Newton's step leaves is of second order, and a smaller residual of the linear system would not show. Where
/// the solve begins at a guess of the solution and is held to a reference residual, that one stands for F_{-1}, and the
/// first tolerance is as the others.
/// (S.C. Eisenstat, H.F. Walker, Choosing the forcing terms in an inexact Newton method, SIAM J. Sci. Comput. 17, 1996.)
class Forcing {
 public:
  /// Takes the linear solver's tolerance for its own until end().
  /// @param reference what snes_rtol is relative to; 0: the first residual
  void begin(SNES snes, PetscReal reference);
  void end();
  /// Sets the tolerance of the linear system at the present residual; nothing before begin().
  void prepare();

 private:
  KSP ksp() const;

  SNES snes_ = nullptr;  // of a solve under way
  PetscReal own_ = 0, reference_ = 0, initial_ = 0, before_ = 0;
};

}  // namespace gearshift
