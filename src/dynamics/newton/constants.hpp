#pragma once

/// @file
/// Constants of nonlinear solves. Where no other source is given, values were chosen with tests/dynamics and
/// tests/solid.

#include <petscsys.h>

#include <cstddef>
#include <limits>

namespace gearshift::newton {

// NewtonConvergence
inline constexpr PetscReal confirming_fall = 0.1;  ///< fall of the residual in a solve that confirms small increments
inline constexpr PetscReal fall_to_rest = 1e-3;  ///< the corresponding fall in statics, and without a convergence test
inline constexpr PetscReal max_first_increment = 0.1;  ///< of |x|: the prediction is useless beyond it
inline constexpr PetscReal fall_above_noise = 0.5;     ///< a residual that falls further in an iteration is not noise
inline constexpr PetscReal rounding_of_increments = 4 * PETSC_MACHINE_EPSILON;
/// If the guess penetrates a one-sided spring, the first residual is so large that even a small fraction of it is a
/// considerable force on massless entries.
inline constexpr PetscReal rtol_of_massless = 1e-12;

// Stability of equilibria
inline constexpr PetscReal equal_tangents = 1e-8;         ///< relative difference of products
inline constexpr PetscReal enough_for_soft_modes = 1e-3;  ///< of the residual: CG has met the soft modes by then
inline constexpr PetscInt max_linear_iterations = 2000;
/// A path that stiffens is no longer than the tangent at its start predicts, and a path that softens no longer than the
/// tangent at its end predicts. A path that is longer than both predictions, by these factors, has softened and then
/// stiffened again.
inline constexpr PetscReal farthest_of_start = 2, farthest_of_end = 1.25;
inline constexpr PetscReal linear_tolerance = 1e-2;  ///< for the residual of that solve

// FullSteps
inline constexpr int max_halvings = 12, max_returns = 6;
/// Rises: slender bodies up to 5, a law with stiff fibres 6, a stiff contact in every third step. Steps without a new
/// least residual: slender bodies up to 9, a stiff contact any number.
inline constexpr int few_rises = 6, any_rises = std::numeric_limits<int>::max(), most_without_gain = 12;
inline constexpr PetscReal same_norm = 1e-2;  ///< relative
/// A step is halved if the residual grows to this multiple of the first one: with stresses that grow exponentially the
/// iterations then lead from one absurd state to the next. A slender body of length L and height h that turns by a
/// radian in one step needs about (L/h)^2.
inline constexpr PetscReal max_growth = 1e10;

// Rounding errors of residuals
inline constexpr PetscReal perturbation = 4 * PETSC_MACHINE_EPSILON;
/// Factor of the change by the perturbation: sums of many terms round more than once.
inline constexpr PetscReal tolerated = 16;
inline constexpr PetscReal as_large = 0.2, no_larger = 4, longer = 8;
inline constexpr PetscReal short_way = 1.0 / 128, still = 3e-8, leap = 1e-2;
inline constexpr PetscReal noise_widths[] = {1, 8, 64};
/// Outside a single jump at 0. Several centres, because digits that do not change may hide the noise at some.
inline constexpr PetscReal off_centre[] = {3, -3, 6, -6};

// StaticSolver
inline constexpr PetscReal same_equilibrium = 2;  ///< largest ratio of the residuals before and after a load step
/// Maximum residual of a guess, relative to the residual of the loads. In bodies that are slender or made of very
/// different materials, small errors of a good guess cause residuals larger than the loads. Newton's method removes
/// these in one step: ratios of up to a hundred still saved iterations. Above that, the stresses due to the error spoil
/// the tangent; in a cantilever's bending they made it indefinite.
inline constexpr PetscReal worst_residual = 100;
/// The limit if the preconditioner is itself an iteration, for example for bodies with pressures as unknowns: at a
/// ratio of 35 the guess saved iterations, at 86 the linear systems of a nearly incompressible plate took four times
/// the iterations.
inline constexpr PetscReal worst_residual_of_inner_iterations = 50;
/// A line search that takes more iterations makes small steps, as in bodies with stiff fibres (up to 46); in stiff
/// contacts it takes up to 14.
inline constexpr std::ptrdiff_t many_iterations = 20;
/// The line search gets nowhere if the residual is still above this fraction of what it was some iterations before.
inline constexpr PetscReal crawling = 0.99;
inline constexpr PetscInt crawling_for = 8;

// ResidualFunction
inline constexpr PetscReal far_for_noise = 1e-6;  ///< of a displacement

// NewtonSolver
inline constexpr int solves_after_indefinite = 8;
/// Factor of the maximum iterations, for full steps with LU factors: their path is rough.
inline constexpr PetscInt patience = 4;

// WrmsNewton
inline constexpr PetscInt max_iterations = 4;
inline constexpr PetscReal divergence = 2, min_forgetting = 0.3, min_first_rate = 0.1;
inline constexpr PetscReal large_increment = 30;   ///< in units of T
inline constexpr PetscReal growth_of_doubt = 1.1;  ///< per solve: sevenfold in 20; CVODE discards R after 20 steps
inline constexpr PetscReal slow_growth_of_doubt = 1.02;  ///< for increments that are not large
inline constexpr PetscReal negligible_residual = 1e-50;  ///< in any unit
inline constexpr PetscReal rounding_of_weighted_increments = 64 * PETSC_MACHINE_EPSILON;
inline constexpr PetscInt audit_period = 64;       ///< solves
inline constexpr PetscReal max_audit_error = 0.9;  ///< of J y, for its difference from the change along y

// NewtonFailure
inline constexpr PetscReal no_resistance = 1e-10;  ///< relative to the tangent's resistance to a rough motion

// Set-up
inline constexpr PetscInt max_dense_jacobian = 2000;
/// PETSc's line search before 3.24 shortens increments of a 2-norm above 1e8, whatever their unit. It is a default that
/// the System's configure(), the host and options may change. From 3.24 on this parameter holds the maximum factor of
/// an increment.
inline constexpr PetscReal default_max_step = 1e8, no_max_step = 1e300;

}  // namespace gearshift::newton
