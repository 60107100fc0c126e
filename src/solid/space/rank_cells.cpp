#include <gearshift/solid/rank_cells.hpp>

#include "petsc/ranks/agree.hpp"
#include "solid/mesh/plex.hpp"
#include "solid/space/cell_order.hpp"
#include "solid/space/countable.hpp"
#include "solid/space/numbering.hpp"

#include <algorithm>
#include <numeric>

namespace gearshift::solid {

using petsc::check;

namespace {

std::size_t end_along(const Element& element, std::size_t axis) {
  const auto& nodes = element.nodes();
  std::size_t end = 0;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    bool on_edge = true;
    for (std::size_t d = 0; d < 3; ++d) on_edge = on_edge && (d == axis || nodes[i][d] == nodes[0][d]);
    if (on_edge && nodes[i][axis] > nodes[end][axis]) end = i;
  }
  return end;
}

}  // namespace

RankCells::Block::Block(const Element& of_map)
    : CellBlock{of_map}, ends{end_along(of_map, 0), end_along(of_map, 1), end_along(of_map, 2)} {}

RankCells::RankCells(const Mesh& mesh) {
  collect(mesh);
  read_geometry(mesh);
  order();
  find_faces(mesh);
  find_regions(mesh);
}

void RankCells::collect(const Mesh& mesh) {
  const auto shared = leaf_points(mesh.dm());
  PetscInt first = 0, last = 0;
  check(DMPlexGetHeightStratum(mesh.dm(), 0, &first, &last));
  for (const CellKind kind : mesh.cell_kinds()) {
    Block& block = blocks_.emplace_back(Element(kind, mesh.geometry_degree()));
    block.first = count();
    for (PetscInt point = first; point < last; ++point)
      if ((mesh.cell_kinds().size() == 1 || kind_of(type_of(mesh.dm(), point)) == kind) &&
          !std::binary_search(shared.begin(), shared.end(), point))
        points_.push_back(point);
    block.last = count();
  }
  std::size_t nodes = 0;
  for (Block& block : blocks_) {
    block.begin = nodes;
    nodes = block.at(block.last);
  }
  geometry_.resize(nodes);
}

std::vector<CellBlock> RankCells::blocks(int degree) const {
  std::vector<CellBlock> result;
  std::size_t nodes = 0;
  for (const Block& block : blocks_) {
    result.push_back({Element(block.element.kind(), degree), block.first, block.last, nodes});
    nodes = result.back().at(block.last);
  }
  return result;
}

void RankCells::order() {
  std::vector<PetscInt> points;
  std::vector<Vec3> geometry;
  points.reserve(points_.size());
  geometry.reserve(geometry_.size());
  for (const Block& block : blocks_) {
    const std::size_t corners = block.nodes_per_cell();
    std::vector<Vec3> centres(static_cast<std::size_t>(block.last - block.first));
    for (PetscInt cell = block.first; cell < block.last; ++cell)
      for (const Vec3& X : nodes_of(block, cell))
        for (std::size_t c = 0; c < 3; ++c)
          centres[static_cast<std::size_t>(cell - block.first)][c] += X[c] / static_cast<double>(corners);
    for (const PetscInt of_block : compact_order(centres)) {
      const PetscInt cell = block.first + of_block;
      points.push_back(point(cell));
      const auto nodes = nodes_of(block, cell);
      geometry.insert(geometry.end(), nodes.begin(), nodes.end());
    }
  }
  points_ = std::move(points);
  geometry_ = std::move(geometry);
}

void RankCells::read_geometry(const Mesh& mesh) {
  const Numbering numbering(mesh, mesh.geometry_degree());
  petsc::throw_if_any<MeshError>(mesh.comm(), refuse_counts(numbering.size(), 0));
  const std::vector<Vec3> positions = numbering.positions();
  std::vector<PetscInt> nodes;
  for (const Block& block : blocks_)
    for (PetscInt cell = block.first; cell < block.last; ++cell) {
      nodes.resize(block.nodes_per_cell());
      numbering.cell(point(cell), block.element.kind(), nodes.data());
      for (std::size_t i = 0; i < nodes.size(); ++i)
        geometry_[block.at(cell) + i] = positions[static_cast<std::size_t>(nodes[i])];
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
