#pragma once

/// @file
/// Opens and checks mesh files before PETSc reads them.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

/// Returns true if PETSc treats the file as a Gmsh file because of its name.
bool is_gmsh_file(const std::string& path);

struct GmshContent;

struct FileReport {
  std::string refusal;               ///< the reason why the file cannot be used, or empty
  bool periodic = false;             ///< a Gmsh file with periodic links
  std::vector<std::string> remarks;  ///< unusual properties that are allowed but rarely intended, one per line
  bool wedges = false;               ///< a Gmsh file with wedges
  bool second_order = false;         ///< a Gmsh file of order 2
  std::shared_ptr<const GmshContent> content;  ///< the contents of a Gmsh file
  std::shared_ptr<const std::string> instead;  ///< a temporary file that PETSc is to read; deleted with this object
};

/// Opens the file, and checks it if it is a Gmsh file: PETSc can read every file that passes. `max_index` is the
/// largest PetscInt. Files of other formats are left to PETSc. Not collective.
FileReport check_file(const std::string& path, std::int64_t max_index);

}  // namespace gearshift::solid
