#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscvec.h>

namespace gearshift::petsc {

/// While it lives PETSc refuses to write to the Vec.
class ReadLock {
 public:
  explicit ReadLock(Vec vec) : vec_(vec) { check(VecLockReadPush(vec_)); }
  ~ReadLock() { (void)!VecLockReadPop(vec_); }
  ReadLock(const ReadLock&) = delete;
  ReadLock& operator=(const ReadLock&) = delete;

 private:
  Vec vec_;
};

}  // namespace gearshift::petsc
