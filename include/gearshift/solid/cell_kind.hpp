#pragma once

/// @file
/// The kinds of cells.

#include <gearshift/export.hpp>

namespace gearshift::solid {

/// The shape of a cell; wedges are triangular prisms.
enum class CellKind : char { hexahedron, tetrahedron, wedge };

}  // namespace gearshift::solid
