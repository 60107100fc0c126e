#pragma once

#include "preconditioner.hpp"
#include "problem.hpp"

#include <array>

namespace bench {

/// The same motion as a first-order system for y = [q; v], of twice the length, with its tangent products and the N by
/// N preconditioner inside an exact block elimination.
///
/// Vecs of length 2N store each rank's q entries before its v entries.
class FirstOrderForm {
 public:
  FirstOrderForm(Problem& problem, Preconditioner& preconditioner);

  Handle<Vec> vector() const;
  Handle<Vec> initial();
  /// Returns a Vec with one value in all of q and another in all of v.
  Handle<Vec> constant(double q, double v);
  void split(Vec y, Vec q, Vec v);

  /// Sets the state at which the products are taken.
  void linearize(Vec y);
  /// Builds the preconditioner at that state, for a step's coefficient gamma [time].
  void build(double gamma);

  /// @name Explicit form: y' = f(t, y), solved with I - gamma f'
  /// @{
  void rate(double t, Vec y, Vec dy);
  void rate_product(Vec x, Vec y);
  void rate_solve(double gamma, Vec r, Vec x);
  /// @}

  /// @name Implicit form: [q' - v; M v' - F] = 0, solved with [a, -1; -F_q, a M - F_v]
  /// @{
  void residual(double t, Vec y, Vec dy, Vec r);
  void residual_product(double a, Vec x, Vec y);
  void residual_solve(double a, Vec r, Vec x);
  /// @}

  Problem& problem() { return problem_; }

 private:
  class Halves;
  struct Slot {
    Handle<Vec> q, v;
    bool free = true;
  };
  Problem& problem_;
  Preconditioner& preconditioner_;
  Handle<Vec> point_q_, point_v_, work_, sum_;
  std::array<Slot, 3> slots_;
};

}  // namespace bench
