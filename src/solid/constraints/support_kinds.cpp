#include "solid/constraints/support_kinds.hpp"

#include <algorithm>

namespace gearshift::solid {

void add_normals(const Space& space, std::string_view face, std::span<DirectionSum> sums);  // face_normals.cpp

std::span<const SupportKind> support_kinds() {
  static constexpr SupportKind kinds[] = {
      {"clamp", "faces, curves and points whose displacement is 0, separated by commas", 7},
      {"fix_x", "faces, curves and points whose x displacement is 0, separated by commas", 1},
      {"fix_y", "faces, curves and points whose y displacement is 0, separated by commas", 2},
      {"fix_z", "faces, curves and points whose z displacement is 0, separated by commas", 4},
      {"fix_normal",
       "faces on rollers, plane (in any direction) or curved: the displacement along the normal of the undeformed face "
       "is 0; at an edge where the normal turns by more than 35 degrees all displacements but the one along the edge "
       "are 0",
       0, add_normals},
  };
  return kinds;
}

const SupportKind& support_kind(std::string_view name) {
  return *std::ranges::find(support_kinds(), name, [](const SupportKind& kind) { return std::string_view(kind.name); });
}

}  // namespace gearshift::solid
