#pragma once

/// @file
/// Changes to a Gmsh file that PETSc's reader needs.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// Bytes of the file to be replaced by others.
struct GmshEdit {
  std::size_t offset, removed;
  std::string text;
};

/// Returns the bytes with all edits, which must not overlap; edits at the same offset are applied in their order.
std::string edited(std::string_view bytes, std::vector<GmshEdit> edits);

}  // namespace gearshift::solid
