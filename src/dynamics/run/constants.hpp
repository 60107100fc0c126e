#pragma once

/// @file
/// Constants of steps and events.

#include <petscsys.h>

namespace gearshift::run {

// StepLoop
inline constexpr int max_failures = 10;      ///< consecutive failed attempts of one step
inline constexpr int max_cuts = 20;          ///< of a step, for events that do not show at its ends
inline constexpr PetscReal fatal_gain = 10;  ///< multiple of the tolerated energy
/// Number of consecutive steps: in the first steps from rest the energies are small and rough.
inline constexpr int fatal_steps = 5;
/// Distances, in steps, up to which breaks of the loads are looked for and must be known.
inline constexpr PetscReal steps_ahead = 8, steps_known = 2.5;

// Timeline
inline constexpr PetscReal absorbed = 1e-8;  ///< relative to a fixed step: a smaller remainder is not made a step

// EventFinder
inline constexpr PetscReal after_an_event = 1.0 / 16;  ///< of the step: where the sign after an event is evaluated
inline constexpr int max_halvings = 100;
inline constexpr int parts_of_step = 4;  ///< signs are compared at their ends, so two zeros within one part are missed

// TrialStep
/// Tolerance of Newton's error relative to the tolerated local error: half of CVODE's. At loose tolerances Newton's
/// remaining error excites the stiff modes of large rotations. The additional steps cost more than the saved
/// iterations.
inline constexpr PetscReal newton_share = 0.05;
/// Newton's error at fixed step relative to the local truncation error. Seven digits of the motion remain correct in
/// the flag of FSI benchmarks and in a lattice that CG solves with a diagonal preconditioner; with a value ten times as
/// large the latter keeps four.
inline constexpr PetscReal truncation_share = 0.001;
/// This share for the stages of a one-step method, and the minimum reduction of the residual by each of their linear
/// solves: an undamped mode keeps every error that the solves leave in it and passes it to all later error estimates.
/// With newton_share and no such reduction CSM3 at degree 4 takes 59 steps instead of 5, and a different number on each
/// number of ranks.
inline constexpr PetscReal stage_share = 0.005, stage_reduction = 1e-2;
/// Fraction of the errors of Newton and the linear solver, if a step gained energy.
inline constexpr PetscReal share_after_gain = 1e-2;

// EnergyBooks
inline constexpr PetscReal large_work = 0.2;  ///< relative to all energy

}  // namespace gearshift::run
