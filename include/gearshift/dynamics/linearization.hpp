#pragma once

/// @file
/// The tangent of a System at one point.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/error.hpp>

#include <petscmat.h>

namespace gearshift {

/// R_q, R_v and R_a at one point, as operators. Several may live at once; every call is collective on the layout's
/// communicator. Callbacks may throw InvalidState after their last collective call.
class GEARSHIFT_EXPORT Linearization {
 public:
  virtual ~Linearization() = default;

  /// Moves the point: copies or caches what products need, since x need not outlive the call.
  virtual void update(const State& x) = 0;

  /// The same within one Newton iteration, from the point of the last update() or follow() to the one that it has led
  /// to. Where another tangent than the derivative at x makes Newton's method converge from farther away, with the same
  /// limit, it may be taken here: a stress that Newton's step has predicted to first order, for one, instead of what a
  /// nearly incompressible body answers to the step's curvature. (The default: update().)
  virtual void follow(const State& x);

  /// out = (s.q R_q + s.v R_v + s.a R_a) in. Any shift may be 0; in and out are different Vecs.
  virtual void apply(Shifts s, Vec in, Vec out) = 0;

  /// The same with the rows and columns of SystemConstraints::constrained() replaced by those of the identity, without
  /// a copy of `in`. Returns false when it cannot (the default: the caller makes a copy with zeros).
  virtual bool apply_free(Shifts s, Vec in, Vec out);

  /// d = the diagonal of s.q R_q + s.v R_v + s.a R_a. Returns false when it cannot (the default).
  virtual bool diagonal(Shifts s, Vec d);

  /// Fills P with s.q R_q + s.v R_v + s.a R_a or an approximation of it; P is
  /// SystemPreconditioner::create_preconditioner_matrix()'s. Returns false when it cannot (the default).
  virtual bool assemble(Shifts s, Mat P);

  /// out = R_qq[direction, in], the derivative of the stiffness along `direction` applied to `in` (used by the tangent
  /// of stiffness-proportional damping). Returns false when it cannot (the default: differences of two stiffnesses).
  virtual bool apply_stiffness_derivative(Vec direction, Vec in, Vec out);
};

}  // namespace gearshift
