#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscvec.h>

namespace gearshift::petsc {

// In builds without checks PETSc's lock functions are macros that ignore their arguments.

/// Makes PETSc refuse to write to the Vec during its lifetime.
class ReadLock {
 public:
  explicit ReadLock(Vec vec) : vec_(vec) { check(VecLockReadPush(vec_)); }
  ~ReadLock() { (void)!VecLockReadPop(vec_); }
  ReadLock& operator=(ReadLock&&) = delete;

 private:
  [[maybe_unused]] Vec vec_;
};

/// Allows writing to a locked Vec (or to none, nullptr) during its lifetime.
class Unlocked {
 public:
  explicit Unlocked(Vec vec) : vec_(vec) {
    if (vec_)
      check(static_cast<PetscErrorCode>(VecLockGet(vec_, &locks_)));  // some releases define a macro without this type
    for (PetscInt i = 0; i < locks_; ++i) check(VecLockReadPop(vec_));
  }
  ~Unlocked() {
    for (PetscInt i = 0; i < locks_; ++i) (void)!VecLockReadPush(vec_);
  }
  Unlocked& operator=(Unlocked&&) = delete;

 private:
  Vec vec_;
  PetscInt locks_ = 0;
};

}  // namespace gearshift::petsc
