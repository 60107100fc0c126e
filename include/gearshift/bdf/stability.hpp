#pragma once

/// @file
/// Amplification of oscillations by BDF.

#include <gearshift/export.hpp>

#include <complex>
#include <span>

namespace gearshift::bdf {

/// Returns the largest modulus of a root zeta of the characteristic polynomial of BDF for y' = lambda y,
///
///     (h c_s - z) zeta^s + sum_{j<s} h c_j zeta^j = 0,      z = h lambda,  h = t_s - t_{s-1},
///
/// on the given nodes. Above 1, the formula amplifies an error by about this factor in each step. The result is exact
/// for constant steps; for unequal steps it applies to a sequence of steps with these weights.
///
/// @param times s+1 >= 2 times [time], strictly monotone, oldest first
/// @param z h lambda [1]; lambda = i omega is an undamped oscillation
/// @return infinity when z = h c_s, where the step has no solution
/// @throws std::invalid_argument as in weights(), and if z is NaN or infinite
///
/// Cost: eigenvalues of an s by s companion matrix; allocates a few small arrays.
/// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., section V.1.
GEARSHIFT_EXPORT double growth_factor(std::span<const double> times, std::complex<double> z);

}  // namespace gearshift::bdf
