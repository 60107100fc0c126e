#pragma once

namespace gearshift::solid {

/// Advice for meshes whose cells are of an unsupported kind, or of several kinds.
inline constexpr const char* cell_advice =
    "; give a mesh of hexahedra alone or of tetrahedra alone, or split tetrahedra into hexahedra "
    "(gmsh -setnumber Mesh.SubdivisionAlgorithm 2)";

}  // namespace gearshift::solid
