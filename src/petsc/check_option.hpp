#pragma once

/// @file
/// Values of options that PETSc cannot read.

#include <gearshift/petsc/error.hpp>

#include <cstddef>
#include <string>

namespace gearshift::petsc {

/// Throws the OptionError that names the key and what its value should have been.
[[noreturn]] inline void refuse_value(const std::string& key, const char* expected) {
  throw OptionError("option " + key + ": the value is no " + expected + "; give one, or see -help");
}

/// PETSc's refusal of a malformed value ("abc" for a number) as such an OptionError.
inline void check_option(PetscErrorCode code, const std::string& key, const char* expected) {
  if (code != 0) refuse_value(key, expected);
}

/// Throws OptionError for a value that fills the buffer it was read into: PETSc drops the rest without a word.
inline void check_length(const std::string& key, const std::string& value, std::size_t buffer) {
  if (value.size() + 1 >= buffer)
    throw OptionError("option " + key + ": the value has " + std::to_string(buffer - 1) +
                      " characters or more, and PETSc cuts it there; write it shorter");
}

}  // namespace gearshift::petsc
