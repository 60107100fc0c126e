#pragma once

/// @file
/// The check of a Gmsh file: every file that passes describes a mesh.

#include "solid/mesh/gmsh/bytes.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

struct GmshContent;

/// The contents of a Gmsh file, or the reason why it is refused.
struct GmshVerdict {
  std::string refusal;                   ///< empty: accepted; otherwise the place, the error and the remedy
  bool periodic = false;                 ///< periodic links follow the elements
  std::vector<std::size_t> bodies;       ///< number of cells of each body (cells joined by common nodes), largest first
  std::vector<std::string> remarks;      ///< remarks on physical groups that cannot be used
  std::size_t coincident = 0;            ///< corners that coincide with a corner of another body
  std::shared_ptr<GmshContent> content;  ///< the contents, without the cursor
};

/// Checks a Gmsh file (formats 2.2, 4.0, 4.1; ASCII or binary, either byte order) given by its bytes: sections and
/// counts, tags, references, names, kinds of cells, folded cells, and whether cells and faces fit together. `max_index`
/// is the largest PetscInt; for several `ranks` the neighbours of cells are returned, too. Nodes that no element uses are
/// allowed. Returns for any bytes, in time and memory proportional to their number.
GmshVerdict check_gmsh(GmshBytes& bytes, std::int64_t max_index, int ranks = 1);
inline GmshVerdict check_gmsh(std::string_view text, std::int64_t max_index, int ranks = 1) {
  GmshBytes bytes(text);
  return check_gmsh(bytes, max_index, ranks);
}

}  // namespace gearshift::solid
