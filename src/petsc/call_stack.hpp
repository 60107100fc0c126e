#pragma once

#include <petscsys.h>

namespace gearshift::petsc {

/// Restores PETSc's call stack at the end of a scope.
///
/// A PETSc with checks records each function that begins and compares the name of each that returns. A function that
/// fails is not removed. If the program continues after such an error, the next caller that returns finds another name
/// on top, and PETSc aborts the program. Without checks, and in a PETSc that is safe for threads, there is no such
/// stack.
class CallStack {
 public:
  CallStack() = default;
  CallStack& operator=(CallStack&&) = delete;
#if defined(PETSC_USE_DEBUG) && !defined(PETSC_HAVE_THREADSAFETY)
  ~CallStack() {
    petscstack.currentsize = size_;
    petscstack.hotdepth = hot_;
  }

 private:
  const int size_ = petscstack.currentsize, hot_ = petscstack.hotdepth;
#else
  ~CallStack() {}
#endif
};

}  // namespace gearshift::petsc
