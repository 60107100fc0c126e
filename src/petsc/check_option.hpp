#pragma once

/// @file
/// Values of options that PETSc cannot read.

#include <gearshift/petsc/error.hpp>

#include <string>

namespace gearshift::petsc {

/// PETSc's refusal of a malformed value ("abc" for a number) as an OptionError that names the key.
inline void check_option(PetscErrorCode code, const std::string& key, const char* expected) {
  if (code == 0) return;
  throw OptionError("option " + key + ": the value is no " + expected + "; give one, or see -help");
}

}  // namespace gearshift::petsc
