#pragma once

/// @file
/// The tangent of a System at one point.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/error.hpp>

#include <petscmat.h>

namespace gearshift {

/// R_q, R_v and R_a at one point, as operators.
///
/// A user who writes one implements update() and apply(). The other functions are optional: each makes the solver
/// faster or enables more preconditioners. Several objects may exist at once. Every call is collective on the layout's
/// communicator. Callbacks may throw InvalidState after their last collective call.
class GEARSHIFT_EXPORT Linearization {
 public:
  virtual ~Linearization() = default;

  /// Moves to the point x: copies or caches the data that products need, because x need not outlive the call.
  virtual void update(const State& x) = 0;

  /// Moves to x within one Newton iteration, from the point of the last update() or follow() to the point that the
  /// iteration has reached. Some tangent other than the derivative at x may make Newton's method converge from farther
  /// away, to the same limit; it may be used here. An example is a nearly incompressible body: the stress that Newton's
  /// step has predicted to first order, instead of the stress caused by the curvature of the step. Default: update().
  virtual void follow(const State& x);

  /// Computes out = (s.q R_q + s.v R_v + s.a R_a) in. Any shift may be 0; in and out are different Vecs.
  virtual void apply(Shifts s, Vec in, Vec out) = 0;

  /// Computes the product with the rows and columns of SystemConstraints::constrained() replaced by those of the
  /// identity, without a copy of `in`. Returns false if it cannot (default: the caller makes a copy with zeros).
  virtual bool apply_free(Shifts s, Vec in, Vec out);

  /// Computes d = the diagonal of s.q R_q + s.v R_v + s.a R_a. Returns false if it cannot (default).
  virtual bool diagonal(Shifts s, Vec d);

  /// Fills P with s.q R_q + s.v R_v + s.a R_a or an approximation of it. P was created by
  /// SystemPreconditioner::create_preconditioner_matrix(). Returns false if it cannot (default).
  virtual bool assemble(Shifts s, Mat P);

  /// Computes out = R_qq[direction, in], the derivative of the stiffness along `direction` applied to `in` (used by the
  /// tangent of stiffness-proportional damping). Returns false if it cannot (default: the caller takes the difference
  /// of two stiffnesses).
  virtual bool apply_stiffness_derivative(Vec direction, Vec in, Vec out);
};

}  // namespace gearshift
