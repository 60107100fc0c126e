#pragma once

/// @file
/// Weights of Gear's backward differentiation formulas on arbitrary times.

#include <gearshift/export.hpp>

#include <span>
#include <vector>

/// Pure numbers: no PETSc, no MPI, no state. Every function may be called from any thread.
///
/// Throughout, t_0, ..., t_s are s+1 strictly monotone times (either direction, steps need not be equal), oldest first;
/// t_s is the time being solved, s the order, and
///
///     l_j(t) = prod_{m != j} (t - t_m) / (t_j - t_m),        j = 0..s
///
/// is the Lagrange basis on them.
///
/// Give times relative to the new one, (t_0 - t_s, ..., t_{s-1} - t_s, 0), computed as sums of step sizes. Then no
/// digit is lost, however long the simulation has run. Absolute times work too, but at t / dt = 1e10 a double
/// represents each of them only to 1e-6 dt. The weights are exact for the rounded times; nothing better can be computed
/// from these.
///
/// Source: E. Hairer, S.P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., section III.5.
namespace gearshift::bdf {

/// The highest order that the stepper offers. The functions here accept any order.
inline constexpr int max_order = 12;

/// The highest order whose formula is zero-stable at constant step (Hairer, Norsett, Wanner, theorem III.3.4).
inline constexpr int max_stable_order = 6;

/// Returns the weights of the derivative at the new time [1/time]:
///
///     c_j = l_j'(t_s),        y'(t_s) = sum_{j=0..s} c_j y(t_j)     exactly for polynomials of degree <= s.
///
/// Each weight is within 8 ulp of the exact value for the given doubles, for all step ratios: it is a product of
/// differences of times, and c_s is a sum of terms of one sign, in extended precision.
///
/// @param times s+1 >= 2 times [time], strictly monotone, finite, oldest first
/// @return s+1 weights [1/time]; the last one is alpha = c_s
/// @throws std::invalid_argument fewer than two times (order 0 has no derivative), repeated or not monotone times, NaN
///   or infinity
GEARSHIFT_EXPORT std::vector<double> weights(std::span<const double> times);

/// Computes these weights without allocation.
/// @param c [out] with the length of times, else std::invalid_argument
GEARSHIFT_EXPORT void weights(std::span<const double> times, std::span<double> c);

/// Returns the values l_j(t), for y(t) = sum_j l_j(t) y(t_j). Outside the times this extrapolates (the predictor of a
/// step). At t = t_j the values are exactly 1 and 0.
///
/// @param times one or more times [time], strictly monotone, finite
/// @param t any finite time [time]
/// @return one weight for each time [1]
/// @throws std::invalid_argument as in weights(), but one time is enough (a constant)
GEARSHIFT_EXPORT std::vector<double> interpolation_weights(std::span<const double> times, double t);

/// Computes these values without allocation.
GEARSHIFT_EXPORT void interpolation_weights(std::span<const double> times, double t, std::span<double> values);

/// Returns the derivatives l_j'(t) at any time [1/time], for y'(t) = sum_j l_j'(t) y(t_j). At t = t_s these are
/// weights(times). Between and outside the times the terms differ in sign: the error is a few ulp of the largest
/// weight.
///
/// @param times one or more times [time], strictly monotone, finite
/// @param t any finite time [time]
/// @throws std::invalid_argument as in interpolation_weights()
GEARSHIFT_EXPORT std::vector<double> derivative_weights(std::span<const double> times, double t);

/// Computes these derivatives without allocation.
GEARSHIFT_EXPORT void derivative_weights(std::span<const double> times, double t, std::span<double> values);

/// Returns the error constant C [time^(s+1)] of the formula with the newest coefficient scaled to one, a_j = c_j / c_s:
///
///     sum_j a_j y(t_j) - y'(t_s) / c_s = C y^(s+1)(t_s) + higher terms,
///     C = sum_j a_j (t_j - t_s)^(s+1) / (s+1)! = - prod_{j<s} (t_s - t_j) / ((s+1)! c_s).
///
/// From an exact history the local error of the step is y(t_s) - y_s = C y^(s+1) + ... For the constant step h, C is
/// h^(s+1) times -1/2, -2/9, -3/22, -12/125, -10/137, -20/343 (s = 1..6). Accurate to a few ulp.
///
/// @throws std::invalid_argument as in weights()
GEARSHIFT_EXPORT double error_constant(std::span<const double> times);

}  // namespace gearshift::bdf
