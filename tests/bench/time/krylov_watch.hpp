#pragma once

#include <petscksp.h>

namespace bench {

/// Watches a KSP from its construction on: preconditioner solves, and how many vectors the longest solve kept.
class KrylovWatch {
 public:
  explicit KrylovWatch(KSP ksp);
  KrylovWatch(const KrylovWatch&) = delete;
  KrylovWatch& operator=(const KrylovWatch&) = delete;

  long applications() const;
  /// The basis and the two work vectors of GMRES, four vectors of CG.
  PetscInt vectors() const;

 private:
  static PetscErrorCode see(KSP ksp, PetscInt iteration, PetscReal norm, void* self);
  KSP ksp_;
  PetscInt longest_ = 0;
};

}  // namespace bench
