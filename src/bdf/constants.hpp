#pragma once

/// @file
/// Constants of the step and order controller; tests/bench/time/sensitivity.py measures the effect of their halves and
/// doubles. The constants of a failed step, bias and growth are CVODE's (A.C. Hindmarsh et al., SUNDIALS, ACM TOMS 31,
/// 2005, section 2.1); those of the filter are from G. Soderlind, Digital filters in adaptive time-stepping, ACM TOMS
/// 29, 2003.

namespace gearshift::bdf {

/// Factors by which Controller overestimates errors, for the order in use or a lower one, and for a higher one: steps
/// aim at an error of 1 / bias.
inline constexpr double bias = 6, bias_higher = 10;
inline constexpr double large_error = 0.5;
inline constexpr double filter_safety = 3, filter_memory = 4;
/// A step of this part of the proposed one, or more, counts as a full step; a shorter one was cut by an output time.
inline constexpr double barely_cut = 0.9;
inline constexpr double least_growth = 1.3, max_growth = 10, max_growth_at_first = 1e4;
inline constexpr double max_shrinkage = 0.1, shrinkage_again = 0.2, shrinkage_of_solve = 0.25;
inline constexpr double max_retry = 0.9;  ///< of the step that failed its test
inline constexpr long first_steps = 8;    ///< these may grow fast for both values of StepControl
inline constexpr int failures_to_shrink_hard = 2, failures_to_lower_order = 3;

}  // namespace gearshift::bdf
