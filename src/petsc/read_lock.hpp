#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscvec.h>

namespace gearshift::petsc {

// In builds without checks PETSc's lock functions are macros that ignore their arguments.

/// While it lives PETSc refuses to write to the Vec.
class ReadLock {
 public:
  explicit ReadLock(Vec vec) : vec_(vec) { check(VecLockReadPush(vec_)); }
  ~ReadLock() { (void)!VecLockReadPop(vec_); }
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;

 private:
  [[maybe_unused]] Vec vec_;
};

/// While it lives the Vec, or none (nullptr), may be written to although it is locked.
class Unlocked {
 public:
  explicit Unlocked(Vec vec) : vec_(vec) {
    if (vec_)
      check(static_cast<PetscErrorCode>(VecLockGet(vec_, &locks_)));  // a macro of no such type in some releases
    for (PetscInt i = 0; i < locks_; ++i) check(VecLockReadPop(vec_));
  }
  ~Unlocked() {
    for (PetscInt i = 0; i < locks_; ++i) (void)!VecLockReadPush(vec_);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;

 private:
  Vec vec_;
  PetscInt locks_ = 0;
};

}  // namespace gearshift::petsc
