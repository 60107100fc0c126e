#pragma once

/// @file
/// A mesh file before PETSc reads it.

#include <cstdint>
#include <string>
#include <vector>

namespace gearshift::solid {

/// Whether PETSc takes the file for one of Gmsh's, by its name.
bool is_gmsh_file(const std::string& path);

struct FileReport {
  std::string refusal;               ///< why the file cannot be used, or empty
  bool periodic = false;             ///< a Gmsh file with periodic links
  std::vector<std::string> remarks;  ///< on what is allowed and seldom meant; lines
};

/// Opens the file, and checks it if it is one of Gmsh's: PETSc reads what passes without a failure. `max_index` is the
/// largest PetscInt. Files of other formats are left to PETSc. Not collective.
FileReport check_file(const std::string& path, std::int64_t max_index);

}  // namespace gearshift::solid
