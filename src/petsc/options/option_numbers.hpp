#pragma once

/// @file
/// Numbers among the option values.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::petsc {

/// Returns the number that the whole text represents, if it is one. PETSc would also accept NaN, as well as DEFAULT and
/// DECIDE, which represent negative numbers.
GEARSHIFT_EXPORT std::optional<PetscReal> number_of(const std::string& text);

/// Throws OptionError if the value given for `-<prefix><key without dash>` is not a whole number, or too large for
/// PetscInt; PETSc would keep its last bits. Not collective.
GEARSHIFT_EXPORT void check_whole_number(std::string_view prefix, const char* key);

/// Returns the numbers, separated by commas, that were given for `-<prefix><key without dash>`; nothing if the key was
/// not given. Throws OptionError if one is missing or not a number; PETSc would skip missing ones, and those it has no
/// room for. Not collective.
GEARSHIFT_EXPORT std::optional<std::vector<PetscReal>> number_list(std::string_view prefix, const char* key);

}  // namespace gearshift::petsc
