#include "solid/mesh/curves.hpp"

#include <gearshift/petsc/views.hpp>

#include <array>
#include <map>

namespace gearshift::solid {

using petsc::check;

namespace {

using Place = std::array<double, 3>;

constexpr PetscInt none = -1, several = -2;

/// Returns the vertices at some positions, exactly as in the file; `none`, or `several` if nodes coincide.
std::map<Place, PetscInt> vertices_at(DM dm, const std::map<Place, PetscInt>& wanted) {
  PetscSection section = nullptr;
  Vec values = nullptr;
  PetscInt vertex = 0, last = 0;
  check(DMGetCoordinateSection(dm, &section));
  check(DMGetCoordinatesLocal(dm, &values));
  check(DMPlexGetDepthStratum(dm, 0, &vertex, &last));
  const petsc::ReadView positions(values);
  std::map<Place, PetscInt> found = wanted;
  for (; vertex < last; ++vertex) {
    PetscInt dofs = 0, offset = 0;
    check(PetscSectionGetDof(section, vertex, &dofs));
    if (dofs != 3) continue;
    check(PetscSectionGetOffset(section, vertex, &offset));
    const double* X = positions.span().data() + offset;
    if (const auto at = found.find({X[0], X[1], X[2]}); at != found.end())
      at->second = at->second == none ? vertex : several;
  }
  return found;
}

}  // namespace

std::string name_curves(DM dm, const GmshContent* content) {
  if (!content || content->curves.empty()) return {};
  const auto place = [&](std::uint32_t node) {
    const double* X = content->nodes.at(node);
    return Place{X[0], X[1], X[2]};
  };
  const std::string* before = nullptr;
  for (const auto& [label, curve] : content->curves) {
    if (before && *before == label.first)
      return "the physical name '" + label.first + "' is used for a curve and for a point; give each a separate name";
    before = &label.first;
  }
  std::map<Place, PetscInt> vertices;
  for (const auto& [label, curve] : content->curves)
    for (const GmshEnds& ends : curve)
      for (const std::uint32_t node : ends) vertices.emplace(place(node), none);
  vertices = vertices_at(dm, vertices);
  for (const auto& [label, curve] : content->curves)
    for (const GmshEnds& ends : curve) {
      const std::array<PetscInt, 2> at{vertices.at(place(ends[0])), vertices.at(place(ends[1]))};
      if (at[0] == several || at[1] == several)
        return "a node of the curve or point '" + label.first +
               "' coincides with another node, so that the group is ambiguous; merge the bodies into one mesh (gmsh: "
               "Coherence Mesh), or define the group as a surface";
      for (const PetscInt vertex : at)
        if (vertex >= 0) check(DMSetLabelValue(dm, label.first.c_str(), vertex, label.second));
      if (at[0] < 0 || at[1] < 0 || at[0] == at[1]) continue;
      PetscInt count = 0;
      const PetscInt* edge = nullptr;
      check(DMPlexGetJoin(dm, 2, at.data(), &count, &edge));
      if (count == 1) check(DMSetLabelValue(dm, label.first.c_str(), edge[0], label.second));
      check(DMPlexRestoreJoin(dm, 2, at.data(), &count, &edge));
    }
  return {};
}

}  // namespace gearshift::solid
