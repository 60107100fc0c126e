#include "solid/space/numbering.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

Numbering::Numbering(const Mesh& mesh, int degree) : cones_(mesh.dm()), degree_(degree) {
  const auto& kinds = mesh.cell_kinds();
  const auto has = [&](CellKind kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  const PetscInt inside = degree - 1;
  const bool hexahedra = has(CellKind::hexahedron);
  per_point_ = {1, inside, hexahedra || has(CellKind::wedge) ? inside * inside : inside * (inside - 1) / 2,
                hexahedra ? inside * inside * inside : 0};
  for (std::size_t depth = 0; depth < per_point_.size(); ++depth) {
    first_[depth] = size_;
    size_ += static_cast<std::int64_t>(per_point_[depth]) * (cones_.last(depth) - cones_.first(depth));
  }
  Vec values = nullptr;
  check(DMGetCoordinateSection(mesh.dm(), &positions_));
  check(DMGetCoordinatesLocal(mesh.dm(), &values));
  coordinates_.emplace(values);
}

/// Up to degree 2 every mesh point has one node or none, so orientation does not matter here.
std::vector<Vec3> Numbering::positions() const {
  std::vector<Vec3> result(static_cast<std::size_t>(size_));
  if (result.empty()) return result;
  PetscInt begin = 0, end = 0;
  check(PetscSectionGetChart(positions_, &begin, &end));
  for (PetscInt point = begin; point < end; ++point) {
    PetscInt dofs = 0, source = 0;
    check(PetscSectionGetDof(positions_, point, &dofs));
    if (dofs != 3 || count(point) == 0) continue;
    check(PetscSectionGetOffset(positions_, point, &source));
    for (std::size_t c = 0; c < 3; ++c)
      result[static_cast<std::size_t>(first(point))][c] = (*coordinates_)[static_cast<std::size_t>(source) + c];
  }
  return result;
}

std::size_t Numbering::depth(PetscInt point) const {
  std::size_t depth = 0;
  while (depth < 3 && !cones_.has_depth(point, depth)) ++depth;
  return depth;
}

PetscInt Numbering::first(PetscInt point) const {
  const std::size_t d = depth(point);
  return static_cast<PetscInt>(first_[d] + static_cast<std::int64_t>(per_point_[d]) * (point - cones_.first(d)));
}

/// In meshes with several kinds of cells, triangles and cells other than hexahedra have no interior nodes at the
/// degrees that are available.
PetscInt Numbering::count(PetscInt point) const {
  const std::size_t d = depth(point);
  if (d < 2 || per_point_[d] == 0) return per_point_[d];
  const PetscInt inside = degree_ - 1;
  const std::size_t sides = cones_.size(point);
  if (d == 2) return sides == 3 ? inside * (inside - 1) / 2 : per_point_[d];
  return sides == 6 ? per_point_[d] : 0;
}

}  // namespace gearshift::solid
