#include "solid/space/cells.hpp"

#include <gearshift/petsc/views.hpp>

#include "solid/mesh/plex.hpp"
#include "solid/space/cell_order.hpp"
#include "solid/space/numbering.hpp"

#include <algorithm>
#include <numeric>

namespace gearshift::solid {

using petsc::check;

RankCells::RankCells(const Mesh& mesh) : element_(mesh.cell_kind(), mesh.geometry_degree()) {
  const auto shared = leaf_points(mesh.dm());
  PetscInt first = 0, last = 0;
  check(DMPlexGetHeightStratum(mesh.dm(), 0, &first, &last));
  for (PetscInt point = first; point < last; ++point)
    if (!std::binary_search(shared.begin(), shared.end(), point)) points_.push_back(point);
  read_geometry(mesh);
  order();
  find_faces(mesh);
  find_regions(mesh);
}

void RankCells::order() {
  const std::size_t corners = element_.nodes().size();
  const auto nodes_of = [&](std::size_t cell) { return std::span(geometry_).subspan(cell * corners, corners); };
  std::vector<Vec3> centres(points_.size());
  for (std::size_t cell = 0; cell < centres.size(); ++cell)
    for (const Vec3& X : nodes_of(cell))
      for (std::size_t c = 0; c < 3; ++c) centres[cell][c] += X[c] / static_cast<double>(corners);
  std::vector<PetscInt> points;
  std::vector<Vec3> geometry;
  geometry.reserve(geometry_.size());
  for (const PetscInt cell : compact_order(centres)) {
    points.push_back(points_[static_cast<std::size_t>(cell)]);
    const auto nodes = nodes_of(static_cast<std::size_t>(cell));
    geometry.insert(geometry.end(), nodes.begin(), nodes.end());
  }
  points_ = std::move(points);
  geometry_ = std::move(geometry);
}

void RankCells::read_geometry(const Mesh& mesh) {
  const Numbering numbering(mesh, element_);
  const std::size_t corners = element_.nodes().size();
  PetscSection section = nullptr;
  Vec values = nullptr;
  check(DMGetCoordinateSection(mesh.dm(), &section));
  check(DMGetCoordinatesLocal(mesh.dm(), &values));
  PetscInt begin = 0, end = 0, stored = 0;
  check(PetscSectionGetStorageSize(numbering.section(), &stored));
  std::vector<Vec3> positions(static_cast<std::size_t>(stored));
  if (count() > 0) {
    const petsc::ReadView array(values);
    check(PetscSectionGetChart(section, &begin, &end));
    // Up to degree 2 every mesh point carries one geometry node at most, so orientation does not matter here.
    for (PetscInt point = begin; point < end; ++point) {
      PetscInt dofs = 0, source = 0, nodes = 0, target = 0;
      check(PetscSectionGetDof(section, point, &dofs));
      check(PetscSectionGetOffset(section, point, &source));
      check(PetscSectionGetDof(numbering.section(), point, &nodes));
      check(PetscSectionGetOffset(numbering.section(), point, &target));
      if (nodes == 0 || dofs != 3) continue;
      for (std::size_t c = 0; c < 3; ++c)
        positions[static_cast<std::size_t>(target)][c] = array[static_cast<std::size_t>(source) + c];
    }
  }
  geometry_.resize(points_.size() * corners);
  std::vector<PetscInt> nodes(corners);
  for (PetscInt cell = 0; cell < count(); ++cell) {
    numbering.cell(points_[static_cast<std::size_t>(cell)], nodes.data());
    for (std::size_t i = 0; i < corners; ++i)
      geometry_[static_cast<std::size_t>(cell) * corners + i] = positions[static_cast<std::size_t>(nodes[i])];
  }
}

void RankCells::find_regions(const Mesh& mesh) {
  std::vector<std::pair<PetscInt, int>> found;
  for (std::size_t r = 0; r < mesh.region_names().size(); ++r) {
    const auto& group = mesh.region(mesh.region_names()[r]);
    DMLabel label = nullptr;
    check(DMGetLabel(mesh.dm(), group.label.c_str(), &label));
    if (!label) continue;
    for (PetscInt cell = 0; cell < count(); ++cell) {
      PetscBool inside = PETSC_FALSE;
      check(DMLabelStratumHasPoint(label, group.value, point(cell), &inside));
      if (inside) found.emplace_back(cell, static_cast<int>(r));
    }
  }
  std::sort(found.begin(), found.end());
  region_begin_.assign(static_cast<std::size_t>(count()) + 1, 0);
  for (const auto& [cell, region] : found) {
    regions_.push_back(region);
    ++region_begin_[static_cast<std::size_t>(cell) + 1];
  }
  std::partial_sum(region_begin_.begin(), region_begin_.end(), region_begin_.begin());
}

}  // namespace gearshift::solid
