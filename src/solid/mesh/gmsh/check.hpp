#pragma once

/// @file
/// The check of a Gmsh file before PETSc reads it, whose reader trusts what stands there.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// What a Gmsh file holds, or why it is refused.
struct GmshVerdict {
  std::string refusal;               ///< empty: none; otherwise where, what is wrong and what to try
  bool periodic = false;             ///< periodic links follow the elements
  std::vector<std::size_t> bodies;   ///< cells of each body, that is of cells joined by common nodes; largest first
  std::vector<std::string> remarks;  ///< on physical groups that cannot be used
  std::size_t coincident = 0;        ///< corners of cells at whose place a corner of another body is
};

/// Checks a Gmsh file (formats 2.2, 4.0, 4.1; ASCII or binary, either byte order) given as its bytes: sections and counts,
/// tags, references, names that PETSc would take otherwise, kinds of cells, folded cells, and how cells and faces fit
/// together. `max_index` is the largest PetscInt. Nodes that no element uses are allowed. Whatever the bytes are, this
/// returns, in time and memory in proportion to their number.
GmshVerdict check_gmsh(std::string_view bytes, std::int64_t max_index);

}  // namespace gearshift::solid
