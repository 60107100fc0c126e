#pragma once

/// @file
/// Keys that had other names.

#include <petscsys.h>

namespace gearshift::app {

/// Gives the values of keys by their former names to the present ones, and says so on stderr. OptionError where both are
/// given. Collective.
void rename_old_keys(MPI_Comm comm);

}  // namespace gearshift::app
