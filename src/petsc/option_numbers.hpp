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

/// The number that a text stands for as a whole; PETSc also takes NaN, and DEFAULT and DECIDE for numbers
/// below 0.
GEARSHIFT_EXPORT std::optional<PetscReal> number_of(const std::string& text);

/// Throws OptionError where the user gave `-<prefix><key without dash>` something that is no whole number, or one that
/// PetscInt does not hold: PETSc would take its last bits. Not collective.
GEARSHIFT_EXPORT void check_whole_number(std::string_view prefix, const char* key);

/// The numbers, separated by commas, that the user gave for `-<prefix><key without dash>`; nothing where the key was not given.
/// PETSc passes over missing numbers, and over those that it has no place for. Throws OptionError where one is missing or none
/// of double precision. Not collective.
GEARSHIFT_EXPORT std::optional<std::vector<PetscReal>> number_list(std::string_view prefix, const char* key);

}  // namespace gearshift::petsc
