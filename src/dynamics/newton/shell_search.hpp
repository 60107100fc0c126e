#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscsnes.h>

namespace gearshift {

/// Makes `search` a line search of our own, whatever the function that sets it is called in this PETSc.
inline void use_shell_search(SNESLineSearch search, PetscErrorCode (*take_step)(SNESLineSearch, void*), void* context) {
  petsc::check(SNESLineSearchSetType(search, SNESLINESEARCHSHELL));
#if PETSC_VERSION_LT(3, 21, 0)
  petsc::check(SNESLineSearchShellSetUserFunc(search, take_step, context));
#else
  petsc::check(SNESLineSearchShellSetApply(search, take_step, context));
#endif
}

}  // namespace gearshift
