#pragma once

#include <petscksp.h>

namespace bench {

/// Monitors a KSP from its construction on: preconditioner applications, and the number of
/// vectors of the longest solve.
class KrylovWatch {
 public:
  explicit KrylovWatch(KSP ksp);
  KrylovWatch(const KrylovWatch&) = delete;
  KrylovWatch& operator=(const KrylovWatch&) = delete;

  long applications() const;
  /// Returns the number of vectors: basis and two work vectors for GMRES, four for CG.
  PetscInt vectors() const;

 private:
  static PetscErrorCode see(KSP ksp, PetscInt iteration, PetscReal norm, void* self);
  KSP ksp_;
  PetscInt longest_ = 0;
};

}  // namespace bench
