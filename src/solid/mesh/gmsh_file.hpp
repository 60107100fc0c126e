#pragma once

/// @file
/// What PETSc's reader of Gmsh files does not tell.

#include <string>

namespace gearshift::solid {

/// Why the mesh file cannot be used, or an empty text: it does not open, or it is an MSH 2.x file in which an
/// elementary tag equals the physical tag of a name of the same dimension (PETSc's named labels would then hold foreign
/// elements). Files of other formats are left to PETSc. Not collective.
std::string refuse_file(const std::string& path);

}  // namespace gearshift::solid
