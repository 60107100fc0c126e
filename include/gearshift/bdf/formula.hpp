#pragma once

/// @file
/// The multistep formulas of the stepper, in one common form.

#include <gearshift/bdf/weights.hpp>
#include <gearshift/export.hpp>

#include <array>
#include <span>

namespace gearshift::bdf {

/// A formula for the derivative at the new time t_s. It uses the value there, past values, and (rarely) the last
/// derivative:
///
///     x'(t_s) = sum_{j=0..points} c_j x(t_j) + d x'(t_{s-1}),        c_points = alpha, oldest value first,
///
/// exact for polynomials of degree <= order. Its residual for the next degree is
///
///     sum_j c_j x(t_j) + d x'(t_{s-1}) - x'(t_s) = defect x^(order+1) / (order+1)! + ...,
///
/// and the local error of a step is x(t_s) - x_s = defect / alpha x^(order+1) / (order+1)!.
struct Formula {
  int order = 0;
  int points = 0;  ///< number of past values
  std::array<double, max_order + 2> c{};
  double d = 0;
  double defect = 0;
  double alpha() const { return c[static_cast<std::size_t>(points)]; }
};

/// Returns the BDF of order s on s+1 times (as in weights()): d = 0, defect = -prod_{j<s} (t_s - t_j).
GEARSHIFT_EXPORT Formula bdf_formula(std::span<const double> times);

/// Returns (k + 1) (1 + 1/2 + ... + 1/k). The local error of the BDF of order k at constant step h is h^(k+1) x^(k+1)
/// divided by this number.
GEARSHIFT_EXPORT double bdf_inverse_error_constant(int order);

/// Returns NDF2 on 4 times: BDF2 and BDF3 in equal parts. It has half the error constant of BDF2 and keeps order 2. At
/// constant step this is the A-stable formula of L.F. Shampine, M.W. Reichelt, The MATLAB ODE suite, SIAM J. Sci.
/// Comput. 18 (1997), section 2, with kappa = -1/9.
GEARSHIFT_EXPORT Formula ndf2_formula(std::span<const double> times);

/// Returns BDF-alpha of order 2 on 3 times with the spectral radius rho_inf in [0, 1] at infinite frequency. It
/// consists of 1 - rho_inf parts of BDF2 and rho_inf parts of the trapezoidal rule,
/// x'_s = 2 (x_s - x_{s-1}) / h - x'_{s-1}. A-stable at constant step.
/// Source: E. Alberdi Celaya, J.J. Anza Aguirrezabala, BDF-alpha: a multistep method with numerical damping control,
/// Univ. J. Comput. Math. 1 (2013), with a = -rho_inf / (1 + rho_inf).
/// @throws std::invalid_argument for rho_inf outside [0, 1]
GEARSHIFT_EXPORT Formula bdf_alpha_formula(std::span<const double> times, double rho_inf);

/// Computes the weights of the divided difference x[t_0, ..., t_n] = x^(n) / n! + ... = sum_j w_j x(t_j).
/// @param w [out] as many entries as times
GEARSHIFT_EXPORT void divided_difference_weights(std::span<const double> times, std::span<double> w);

}  // namespace gearshift::bdf
