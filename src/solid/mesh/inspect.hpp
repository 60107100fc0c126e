#pragma once

/// @file
/// Which cells are supported.

#include <petscdmplex.h>

#include <string>

namespace gearshift::solid {

/// Why the cells of this rank cannot be used, or an empty text. Not collective.
std::string refuse_cells(DM dm);

}  // namespace gearshift::solid
