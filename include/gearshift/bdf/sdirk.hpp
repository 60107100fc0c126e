#pragma once

/// @file
/// The one-step method that starts a BDF of high order from a cold start.

#include <gearshift/export.hpp>

#include <array>

namespace gearshift::bdf {

/// A singly diagonally implicit Runge-Kutta method whose last stage is the step (stiffly accurate): for y' = f(t, y)
///
///     Y_i = y_n + h sum_{j<=i} a_ij f(t_n + c_j h, Y_j),      y_{n+1} = Y_s,
///
/// so the weights b of the step are the last row of a. Every stage solves with the same 1 - h gamma f_y. No stage is
/// explicit, hence no initial acceleration is needed and massless entries are no trouble.
struct Sdirk {
  int order;                               ///< order of y_{n+1}
  int stages;                              ///< number of stages s
  double gamma;                            ///< the diagonal a_ii
  std::array<std::array<double, 5>, 5> a;  ///< a[i][j], zero for j > i; row s-1 holds the weights of the step
  std::array<double, 5> c;                 ///< c_i = sum_j a_ij, the place of the stage in the step
  std::array<double, 5> b_embedded;        ///< weights of the embedded method, one order lower, for an error estimate
};

/// The L-stable, stiffly accurate method of order 4 with 5 stages and gamma = 1/4; embedded order 3.
/// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., table IV.6.5.
GEARSHIFT_EXPORT const Sdirk& sdirk4();

/// Weights b_i(theta) of the continuous solution of sdirk4(),
///
///     y(t_n + theta h) = y_n + h sum_i b_i(theta) f(t_n + c_i h, Y_i),     0 <= theta <= 1,
///
/// of order 3 in between (error O(h^4)); b_i(1) are the weights of the step. No derivative at t_n is needed.
/// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., section IV.6, continuous solution.
GEARSHIFT_EXPORT std::array<double, 5> sdirk4_dense_weights(double theta);
/// Their derivatives b_i'(theta), with which the same sum without y_n gives h y'(t_n + theta h).
GEARSHIFT_EXPORT std::array<double, 5> sdirk4_dense_slopes(double theta);

}  // namespace gearshift::bdf
