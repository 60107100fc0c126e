#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <string>
#include <vector>

namespace gearshift::petsc {

/// Returns the names, without their dash, of the given options that have not been read yet.
inline std::vector<std::string> unread_options() {
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  check(PetscOptionsLeftGet(nullptr, &count, &names, &values));
  std::vector<std::string> list(names, names + count);
  check(PetscOptionsLeftRestore(nullptr, &count, &names, &values));
  return list;
}

}  // namespace gearshift::petsc
