#pragma once

/// @file
/// Detects command lines that cannot be intended.

#include <petscsys.h>

namespace gearshift::app {

/// Prints a usage message and returns true if the command line is empty and no option was given elsewhere. Throws
/// OptionError for a word that belongs to no option, such as a file name. Collective on comm.
bool asked_for_usage(MPI_Comm comm);

}  // namespace gearshift::app
