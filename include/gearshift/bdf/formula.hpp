#pragma once

/// @file
/// The multistep formulas of the stepper, all of one shape.

#include <gearshift/bdf/weights.hpp>
#include <gearshift/export.hpp>

#include <array>
#include <span>

namespace gearshift::bdf {

/// A formula for the derivative at the new time t_s from the value there, past values, and (rarely) the last
/// derivative:
///
///     x'(t_s) = sum_{j=0..points} c_j x(t_j) + d x'(t_{s-1}),        c_points = alpha, oldest value first,
///
/// exact for polynomials of degree <= order. Its residual on the next degree,
///
///     sum_j c_j x(t_j) + d x'(t_{s-1}) - x'(t_s) = defect x^(order+1) / (order+1)! + ...,
///
/// makes the local error of a step x(t_s) - x_s = defect / alpha x^(order+1) / (order+1)!.
struct Formula {
  int order = 0;
  int points = 0;  ///< past values used
  std::array<double, max_order + 2> c{};
  double d = 0;
  double defect = 0;
  double alpha() const { return c[static_cast<std::size_t>(points)]; }
};

/// BDF of order s on s+1 times (as weights()): d = 0, defect = -prod_{j<s} (t_s - t_j).
GEARSHIFT_EXPORT Formula bdf_formula(std::span<const double> times);

/// (k + 1) (1 + 1/2 + ... + 1/k): the local error of the BDF of order k at constant step h is h^(k+1) x^(k+1) over it.
GEARSHIFT_EXPORT double bdf_inverse_error_constant(int order);

/// NDF2 on 4 times: BDF2 and BDF3 in equal parts, which halves the error constant of BDF2 and keeps order 2. At
/// constant step this is the formula of L.F. Shampine, M.W. Reichelt, The MATLAB ODE suite, SIAM J. Sci. Comput. 18
/// (1997), section 2, with kappa = -1/9: A-stable.
GEARSHIFT_EXPORT Formula ndf2_formula(std::span<const double> times);

/// BDF-alpha of order 2 on 3 times with spectral radius rho_inf in [0, 1] at infinite frequency: 1 - rho_inf parts of
/// BDF2 and rho_inf parts of the trapezoidal rule, x'_s = 2 (x_s - x_{s-1}) / h - x'_{s-1}. A-stable at constant step.
/// Source: E. Alberdi Celaya, J.J. Anza Aguirrezabala, BDF-alpha: a multistep method with numerical damping control,
/// Univ. J. Comput. Math. 1 (2013), with a = -rho_inf / (1 + rho_inf).
/// @throws std::invalid_argument for rho_inf outside of [0, 1]
GEARSHIFT_EXPORT Formula bdf_alpha_formula(std::span<const double> times, double rho_inf);

/// The divided difference x[t_0, ..., t_n] = x^(n) / n! + ... = sum_j w_j x(t_j).
/// @param w [out] as many entries as times
GEARSHIFT_EXPORT void divided_difference_weights(std::span<const double> times, std::span<double> w);

}  // namespace gearshift::bdf
