#pragma once

/// @file
/// One linear system of a body, solved as its Newton steps solve theirs.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/body.hpp>

#include <petscsnes.h>

#include <memory>

namespace gearshift::bench {

/// (s.q K + s.a M) x = b at rest, with identity in supports, behind the KSP that Body::configure() chooses; -ksp_*,
/// -pc_* and -mg_* tune it. Every call is collective.
class LinearSystem {
 public:
  /// Makes the tangent and configures the solver; prepare() sets up what depends on it.
  LinearSystem(solid::Body& body, Shifts shifts);
  LinearSystem(const LinearSystem&) = delete;
  LinearSystem& operator=(const LinearSystem&) = delete;

  /// Linearises at rest and sets the preconditioner up.
  void prepare();

  struct Solution {
    PetscInt iterations = 0;
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  };
  /// From x = 0 to |b - A x| <= rtol |b|.
  Solution solve(Vec b, Vec x, PetscReal rtol);

  /// |b - A x| / |b|
  PetscReal residual(Vec b, Vec x);

  /// Minus the body's residual at rest in free entries, 0 in the others: the right-hand side of its first Newton step.
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

/// A zero Vec of the body's layout. Collective.
petsc::Handle<Vec> zero_vector(const solid::Body& body);

}  // namespace gearshift::bench
