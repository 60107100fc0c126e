#pragma once

/// @file
/// Numbers among the options.

#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::petsc {

/// The number that the whole text stands for, if it is one. PETSc would also accept NaN, and DEFAULT and DECIDE, which
/// stand for negative numbers.
GEARSHIFT_EXPORT std::optional<PetscReal> number_of(const std::string& text);

/// Throws OptionError if the value given for `-<prefix><key without dash>` is no whole number, or one that PetscInt
/// cannot hold, of which PETSc would keep the last bits. Not collective.
GEARSHIFT_EXPORT void check_whole_number(std::string_view prefix, const char* key);

/// The numbers, separated by commas, that were given for `-<prefix><key without dash>`; nothing if the key was not
/// given. Throws OptionError if one is missing or is no number; PETSc would skip missing ones, and those it has no room
/// for. Not collective.
GEARSHIFT_EXPORT std::optional<std::vector<PetscReal>> number_list(std::string_view prefix, const char* key);

}  // namespace gearshift::petsc
