#pragma once

/// @file
/// The functions that a PCSHELL calls.

#include <petscpc.h>

namespace gearshift::solid {

/// Calls body(own) with the object that is the context of a PCSHELL; converts exceptions to PETSc errors.
template <class Own, class Body>
PetscErrorCode with_context(PC shell, Body&& body) {
  Own* context = nullptr;
  PetscCall(PCShellGetContext(shell, &context));
  PetscCallCXX(body(*context));
  return petsc::success;
}

}  // namespace gearshift::solid
