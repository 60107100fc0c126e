#pragma once

/// @file
/// What a user should know of a case before it runs.

#include <petscsys.h>

namespace gearshift::app {

struct Case;

/// Warns once, on stderr, of cells that lock: those of degree 1 where volume is nearly or, in plastic flow, wholly kept;
/// of higher degree it is noted where volume is so nearly kept that the other formulation is the better one. Collective.
void warn_of_locking(const Case& given, MPI_Comm comm);

}  // namespace gearshift::app
