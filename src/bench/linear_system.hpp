#pragma once

/// @file
/// One linear system of a body, solved like those of its Newton steps.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/body.hpp>

#include <petscsnes.h>

#include <memory>

namespace gearshift::bench {

/// The system (s.q K + s.a M) x = b at rest, with the identity in supported entries, and the KSP that Body::configure()
/// chooses; -ksp_*, -pc_* and -mg_* change its settings. Every call is collective.
class LinearSystem {
 public:
  /// Creates the tangent and configures the solver; prepare() must follow.
  LinearSystem(solid::Body& body, Shifts shifts);
  LinearSystem& operator=(LinearSystem&&) = delete;

  /// Linearizes at rest and sets up the preconditioner.
  void prepare();

  struct Solution {
    PetscInt iterations = 0;
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  };
  /// Solves from x = 0 until |b - A x| <= rtol |b|.
  Solution solve(Vec b, Vec x, PetscReal rtol);

  /// Returns |b - A x| / |b|.
  PetscReal residual(Vec b, Vec x);

  /// Returns minus the body's residual at rest in free entries, and 0 in the others: the right-hand side of the first
  /// Newton step.
  petsc::Handle<Vec> load();

  Mat matrix() const { return shell_.get(); }
  Linearization& tangent() const { return *tangent_; }
  KSP ksp() const;

 private:
  static PetscErrorCode multiply(Mat A, Vec in, Vec out);
  static PetscErrorCode get_diagonal(Mat A, Vec out);

  solid::Body& body_;
  Shifts shifts_;
  std::unique_ptr<Linearization> tangent_;
  petsc::Handle<Mat> shell_, assembled_;
  petsc::Handle<SNES> snes_;
};

}  // namespace gearshift::bench
