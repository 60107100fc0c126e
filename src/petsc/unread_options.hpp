#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <string>
#include <vector>

namespace gearshift::petsc {

/// Names of the given options that nobody has read yet, without their dash.
inline std::vector<std::string> unread_options() {
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  check(PetscOptionsLeftGet(nullptr, &count, &names, &values));
  std::vector<std::string> list(names, names + count);
  check(PetscOptionsLeftRestore(nullptr, &count, &names, &values));
  return list;
}

}  // namespace gearshift::petsc
