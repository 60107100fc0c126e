#pragma once

/// @file
/// Changes to a Gmsh file that PETSc's reader needs.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// Bytes of the file that others replace.
struct GmshEdit {
  std::size_t offset, removed;
  std::string text;
};

/// The bytes with all edits, which must not overlap; those at one offset in their order.
std::string edited(std::string_view bytes, std::vector<GmshEdit> edits);

}  // namespace gearshift::solid
