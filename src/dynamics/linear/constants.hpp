#pragma once

/// @file
/// Constants of linear systems.

#include <petscsys.h>

namespace gearshift::linear {

// KrylovChoice
inline constexpr PetscInt long_basis = 300;           ///< vectors of flexible GMRES, for up to two cycles
inline constexpr PetscInt max_dense_unknowns = 3000;  ///< 72 MB of factors on each rank
/// Number of unknowns up to which factors cost less than trying flexible GMRES first.
inline constexpr PetscInt few_unknowns = 500;

// PreconditionerPolicy
inline constexpr PetscReal max_change_of_alpha = 0.3;  ///< CVODE's criteria for an old preconditioner: change, age
inline constexpr PetscInt max_age = 20;
/// A third criterion: a new preconditioner pays if it would have saved enough iterations. If the excess iterations grow
/// evenly from solve to solve, the cost is minimal when their sum equals the price of a build. This price is estimated
/// by the iterations of a linear solve plus a few.
inline constexpr PetscInt price_of_build = 4;
/// Within a Newton solve tolerances become tighter, which raises the iterations of a linear solve up to twofold. A
/// slender cantilever that bends by half a radian in one load step took 6312 iterations without this criterion, and 192
/// with it.
inline constexpr PetscInt far_above = 20;

// Forcing
/// The residual that a Newton step leaves is rarely smaller than this fraction, except in the last step.
inline constexpr PetscReal loose = 1e-3;
/// Fraction of the tolerance for the residual of a linear solve, if the residual is taken for the error, as in CVODE.
inline constexpr PetscReal share_of_target = 0.1;
/// In doubt the system is solved accurately: an additional step starts with the error components that the
/// preconditioner reduces worst.
inline constexpr PetscReal doubt = 10;
inline constexpr PetscReal max_of_allowance = 0.1;
inline constexpr PetscReal share_of_error = 0.3;     ///< of the tolerance, for the error estimated from its rate
inline constexpr PetscReal first_rtol = 1e-3;        ///< as long as g is unknown
inline constexpr PetscReal least_reduction = 1e-13;  ///< rounding prevents a smaller residual
inline constexpr PetscReal max_rate = 0.99;

// LinearSettings
/// On paths that lead to an equilibrium linear solves of slender bodies took up to 16 times as many iterations as the
/// first one.
inline constexpr PetscInt most_of_usual = 20, least_limit = 300;

}  // namespace gearshift::linear
