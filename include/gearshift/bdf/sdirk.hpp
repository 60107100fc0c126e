#pragma once

/// @file
/// One-step methods. They start a BDF of high order, and replace it if vibrations are lightly damped.

#include <gearshift/export.hpp>

#include <array>

namespace gearshift::bdf {

/// A singly diagonally implicit Runge-Kutta method whose last stage is the step (stiffly accurate): for y' = f(t, y)
///
///     Y_i = y_n + h sum_{j<=i} a_ij f(t_n + c_j h, Y_j),      y_{n+1} = Y_s,
///
/// The weights b of the step are therefore the last row of a. All implicit stages solve with one matrix,
/// 1 - h gamma f_y. If no stage is explicit, no initial acceleration is needed. An explicit first stage, Y_1 = y_n,
/// costs nothing if the acceleration at t_n is known, as it is from the last stage of the step before.
struct Sdirk {
  static constexpr int max_stages = 7;
  using Row = std::array<double, max_stages>;

  int order;            ///< order of y_{n+1}
  int error_order;      ///< power of h in the error estimate, minus one
  double error_ratio;   ///< for y' = lambda y and small h lambda: error / estimate / (h lambda)^(order - error_order)
  int stages;           ///< number of stages s
  bool explicit_first;  ///< a_11 = 0
  double gamma;         ///< the diagonal a_ii of the implicit stages
  std::array<Row, max_stages> a;  ///< a[i][j], zero for j > i; row s-1 holds the weights of the step
  Row c;                          ///< c_i = sum_j a_ij, the position of the stage in the step
  Row error;                      ///< weights of the estimate h sum_i e_i f_i of the local error
  /// weights of a sharper estimate for motions that the step resolves; all zero if there is none
  Row smooth_error;
  std::array<std::array<double, 4>, max_stages> dense;  ///< coefficients of theta .. theta^4 in the continuous weights

  /// Returns the number of implicit solves in a step.
  int solves() const { return explicit_first ? stages - 1 : stages; }
  bool has_smooth_error() const { return smooth_error != Row{}; }
  /// Returns the weights b_i(theta) of the continuous solution,
  ///
  ///     y(t_n + theta h) = y_n + h sum_i b_i(theta) f(t_n + c_i h, Y_i),     0 <= theta <= 1;
  ///
  /// b_i(1) are the weights of the step.
  GEARSHIFT_EXPORT Row dense_weights(double theta) const;
  /// Returns the magnitude of the estimate h sum_i e_i f_i for the oscillation y' = i w y, |y| = 1, in a step over the
  /// phase h w.
  GEARSHIFT_EXPORT double error_of_oscillation(double phase) const;
  /// Returns the derivatives b_i'(theta). With them the sum without y_n gives h y'(t_n + theta h).
  GEARSHIFT_EXPORT Row dense_slopes(double theta) const;
};

/// Returns the L-stable, stiffly accurate method of order 4 with 5 stages and gamma = 1/4; embedded order 3. Its
/// continuous solution has order 3 inside the step (error O(h^4)); no derivative at t_n is needed.
/// Source: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., table IV.6.5 and section IV.6.
GEARSHIFT_EXPORT const Sdirk& sdirk4();

/// Returns the L-stable, stiffly accurate ESDIRK5(4)7L[2]SA2 of order 5 with an explicit first stage and six implicit
/// stages with gamma = 23/125; every stage has order 2. The error estimate is not from the paper: it is O(h^4), zero
/// for forcing of degree 3, and vanishes like 1/(h w) for stiff modes. The sharper estimate is that of the published
/// embedded method of order 4, O(h^5), which does not vanish for stiff modes. The continuous solution, of order 4, is
/// bounded for every mode at any step: |y| never exceeds 1.01 of its value at t_n. Its slope at the end equals that of
/// the last stage.
/// Source: C.A. Kennedy, M.H. Carpenter, Diagonally implicit Runge-Kutta methods for stiff ODEs, Applied Numerical
/// Mathematics 146 (2019), 221-244.
GEARSHIFT_EXPORT const Sdirk& esdirk5();

}  // namespace gearshift::bdf
