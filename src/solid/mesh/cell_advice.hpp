#pragma once

namespace gearshift::solid {

/// Advice for meshes with cells of an unsupported kind.
inline constexpr const char* cell_advice =
    "; give a mesh of hexahedra, tetrahedra and wedges (triangular prisms) that share whole faces, or split the cells "
    "into hexahedra (gmsh -setnumber Mesh.SubdivisionAlgorithm 2)";

}  // namespace gearshift::solid
