#pragma once

/// @file
/// Former names of keys.

#include <petscsys.h>

namespace gearshift::app {

/// Moves the values of former keys to the present ones and prints a note for each of them. Throws OptionError if both
/// keys are given. Collective.
void rename_old_keys(MPI_Comm comm);

}  // namespace gearshift::app
