#pragma once

/// @file
/// Constants of the control of errors, orders, methods and modes. Their values were chosen with the search over random
/// systems (tests/bench/time/search.sh); tests/bench/time/sensitivity.py measures the effect of their halves and
/// doubles, and tests/bench/time/README.md lists it.

#include "bdf/constants.hpp"

#include <petscsys.h>

#include <array>

namespace gearshift::control {

// EnergyGainTest
inline constexpr PetscReal gains_in_a_run = 0.2;  ///< of -gear_energy_tolerance, for the steps of a run in total
inline constexpr int max_rejections = 6;

// ErrorControl
inline constexpr int rejections_to_leave = 3;       ///< of a step of a one-step method that gains energy
inline constexpr PetscReal first_step_bias = 0.05;  ///< steps of order 1 should add little to the error
inline constexpr PetscReal one_step_bias = 0.5;     ///< a step of order 4 of this size adds less error
inline constexpr PetscReal guessed_part_of_run = 1e-3, longest_part_of_run = 0.1;
/// Part of the guess that a one-step method begins with; its error test corrects it.
inline constexpr PetscReal first_of_one_step = 1e-2;

// GrowthWatch
inline constexpr PetscInt first_pause = -3;  ///< the first five steps are all examined
inline constexpr PetscReal seen = 0.5;       ///< fraction of a doubling that must be observed
/// Growth beyond this multiple of the prediction, plus 1, has another cause.
inline constexpr PetscReal unexplained = 3;
inline constexpr PetscReal slowest =
    0.05;                                ///< h w below which order 3 takes 4e5 steps to double, and other orders more
inline constexpr PetscReal alike = 2.5;  ///< largest ratio of apparent and measured frequency for a freely moving mode
inline constexpr PetscReal hardly_alike = 10,
                           exact = 0.25;    ///< the same, if the growth is predicted to within a quarter
inline constexpr PetscReal memory = 0.8;    ///< of the averages, from look to look
inline constexpr PetscInt longest_gap = 7;  ///< steps; one or two more, so that looks do not always meet the same phase
inline constexpr PetscInt longest_idle = 32;  ///< looks

// MotionScale, MotionTolerances
/// Rounding and unfinished iterations, as a fraction of the whole motion. With this value the amplitude of a bar thrown
/// at 1e6 times the speed of its vibration stays within 1 %.
inline constexpr PetscReal rounding_of_motion = 1e-12;
inline constexpr PetscReal left_of_rigid_motion = 1e-9;

// MethodChoice
inline constexpr PetscReal light = 0.1;    ///< damping ratios below it are light
inline constexpr PetscReal damped = 0.3;   ///< BDF keeps modes with damping ratios above this one
inline constexpr PetscReal price = 0.045;  ///< cost factor allowed for the one-step method, per radian of memory
inline constexpr PetscReal dearest = 10;   ///< the largest such factor
inline constexpr PetscReal dearer_of_first_order = 0.03;  ///< its growth per radian for first-order systems, from 1 on
inline constexpr PetscReal worth_a_change = 1.25;
inline constexpr PetscReal first_ban = 200;  ///< iterations
inline constexpr PetscInt first_look = 6, first_look_at_one_step = 3;
inline constexpr PetscReal hardly_moving = 0.02;  ///< h w below which no mode is measured
inline constexpr PetscReal hardly_resolved = 2;   ///< h w of the one-step method
inline constexpr PetscReal stable = 0.55;         ///< h w up to which BDF5 does not amplify
inline constexpr PetscReal turns_alike = 2;       ///< largest ratio of the frequencies of errors and of the mode
/// Amplification that is too much. For a mode that the formula keeps alive the sum approaches 1.
inline constexpr PetscReal too_amplified = 0.5;
/// Error estimate of the one-step method for a mode with amplitude 1, divided by (h w)^5.
inline constexpr PetscReal one_step_error = 1.36e-4;
inline constexpr PetscReal target = 1 / bdf::bias;  ///< the error at which controllers aim

// ModeMeter
inline constexpr PetscReal no_damping = 2e-3;
inline constexpr PetscInt looks_between_dampings = 8;
inline constexpr int rounds = 20;              ///< of the iteration for a mode's frequency
inline constexpr PetscInt longest_pause = 32;  ///< steps between two measurements, if the last ones found nothing

// StabilityWatch
inline constexpr PetscReal threshold = 2;         ///< a mode amplified by e^2
inline constexpr PetscReal surely_light = 0.015;  ///< lower damping ratios count in full,
inline constexpr PetscReal hardly_light = 0.05;   ///< higher ones not at all, because the error test handles them
inline constexpr std::array<PetscReal, 7> band{0.0, 0.0, 0.0, 0.15,
                                               0.3, 0.6, 0.7};                ///< h w above which orders are measured
inline constexpr PetscReal harmless_growth = 1.0005, worrying_growth = 3e-3;  ///< the latter as a logarithm
inline constexpr PetscInt longest_worried_pause = 7;  ///< not longer than a quarter of the steps to the threshold
inline constexpr PetscReal forgetting = 0.9;          ///< of the amplification, in a step that is not measured
inline constexpr PetscInt first_second_look = 20, longest_between_second_looks = 200;

// StepErrors
/// Factor of the smaller of two estimates of ESDIRK: from this value on it grows with the square of the phase.
inline constexpr PetscReal safety_of_smooth = 1.5, least_resolved = 4.5;

// StepLimiter
inline constexpr PetscReal after_two_increments = 0.7, after_more = 0.5;  ///< of the step that needed them
inline constexpr PetscReal recovery = 1.05, wary_below = 3, largest_first_error = 0.7;

// UnresolvedModes
inline constexpr PetscReal harmful = 16;  ///< amplitude in units of the tolerance above which a is 0; a quarter: a is 1
inline constexpr PetscReal resolved = 0.5;  ///< h w up to which b is 0
inline constexpr PetscReal share = 20;      ///< of the step
inline constexpr PetscReal whole = 1.7;     ///< tolerance rtol |q| + atol in a mean, divided by atol

}  // namespace gearshift::control
