#pragma once

/// @file
/// The check for supported cells.

#include <petscdmplex.h>

#include <string>

namespace gearshift::solid {

/// Returns the reason why the cells of this rank cannot be used, or an empty text. Not collective.
std::string refuse_cells(DM dm);

}  // namespace gearshift::solid
