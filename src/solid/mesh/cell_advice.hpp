#pragma once

namespace gearshift::solid {

/// What to try where cells are of a kind, or of several kinds, that cannot be used.
inline constexpr const char* cell_advice =
    "; give a mesh of hexahedra alone or of tetrahedra alone, or split tetrahedra into hexahedra "
    "(gmsh -setnumber Mesh.SubdivisionAlgorithm 2)";

}  // namespace gearshift::solid
