#pragma once

/// @file
/// What a PCSHELL calls.

#include <petscpc.h>

namespace gearshift::solid {

/// body(own), of the object that is the context of a PCSHELL; exceptions become PETSc's errors.
template <class Own, class Body>
PetscErrorCode with_context(PC shell, Body&& body) {
  Own* context = nullptr;
  PetscCall(PCShellGetContext(shell, &context));
  PetscCallCXX(body(*context));
  return petsc::success;
}

}  // namespace gearshift::solid
