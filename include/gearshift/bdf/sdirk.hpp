#pragma once

/// @file
/// One-step methods: they start a BDF of high order, and take over from it where vibrations are lightly damped.

#include <gearshift/export.hpp>

#include <array>

namespace gearshift::bdf {

/// A singly diagonally implicit Runge-Kutta method whose last stage is the step (stiffly accurate): for y' = f(t, y)
///
///     Y_i = y_n + h sum_{j<=i} a_ij f(t_n + c_j h, Y_j),      y_{n+1} = Y_s,
///
/// so the weights b of the step are the last row of a. Every implicit stage solves with the same 1 - h gamma f_y. Where
/// no stage is explicit, no initial acceleration is needed; an explicit first stage, Y_1 = y_n, is free where the
/// acceleration at t_n is known, which it is from the last stage of the step before.
struct Sdirk {
  static constexpr int max_stages = 7;
  using Row = std::array<double, max_stages>;

  int order;            ///< order of y_{n+1}
  int error_order;      ///< the power of h in the error estimate, less one
  double error_ratio;   ///< for y' = lambda y and small h lambda: error / estimate / (h lambda)^(order - error_order)
  int stages;           ///< number of stages s
  bool explicit_first;  ///< a_11 = 0
  double gamma;         ///< the diagonal a_ii of the implicit stages
  std::array<Row, max_stages> a;  ///< a[i][j], zero for j > i; row s-1 holds the weights of the step
  Row c;                          ///< c_i = sum_j a_ij, the place of the stage in the step
  Row error;                      ///< weights of the estimate h sum_i e_i f_i of the local error
  Row smooth_error;               ///< of a sharper one for motions that the step resolves; all zero where there is none
  std::array<std::array<double, 4>, max_stages> dense;  ///< coefficients of theta .. theta^4 in the continuous weights

  /// Implicit solves that a step takes.
  int solves() const { return explicit_first ? stages - 1 : stages; }
  bool has_smooth_error() const { return smooth_error != Row{}; }
  /// Weights b_i(theta) of the continuous solution,
  ///
  ///     y(t_n + theta h) = y_n + h sum_i b_i(theta) f(t_n + c_i h, Y_i),     0 <= theta <= 1;
  ///
  /// b_i(1) are the weights of the step.
  GEARSHIFT_EXPORT Row dense_weights(double theta) const;
  /// Their derivatives b_i'(theta), with which the same sum without y_n gives h y'(t_n + theta h).
  GEARSHIFT_EXPORT Row dense_slopes(double theta) const;
};

/// The L-stable, stiffly accurate method of order 4 with 5 stages and gamma = 1/4; embedded order 3. Its continuous
/// solution is of order 3 in between (error O(h^4)); no derivative at t_n is needed.
/// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., table IV.6.5 and section IV.6.
GEARSHIFT_EXPORT const Sdirk& sdirk4();

/// The L-stable, stiffly accurate ESDIRK5(4)7L[2]SA2 of order 5 with an explicit first stage and six implicit ones of
/// gamma = 23/125; every stage is of order 2. Its error estimate is our own: O(h^4), zero for forcing of degree 3, and
/// vanishing like 1/(h w) for stiff modes; the sharper one is that of the published embedded method of order 4, O(h^5),
/// which does not vanish there. Its continuous solution, of order 4, is bounded for every mode at any step: |y| never
/// exceeds 1.01 of its value at t_n. Its slope at the end is that of the last stage.
/// Source: C.A. Kennedy, M.H. Carpenter, Diagonally implicit Runge-Kutta methods for stiff ODEs, Applied Numerical
/// Mathematics 146 (2019), 221-244.
GEARSHIFT_EXPORT const Sdirk& esdirk5();

}  // namespace gearshift::bdf
