/// The named faces of cells.

#include <gearshift/solid/rank_cells.hpp>

#include "solid/mesh/plex.hpp"
#include "solid/space/numbering.hpp"

#include <algorithm>
#include <array>

namespace gearshift::solid {

using petsc::check;

void RankCells::find_faces(const Mesh& mesh) {
  const Numbering numbering(mesh, 1);
  const Cones& cones = numbering.cones();
  const std::vector<CellBlock> of_corners = blocks(1);
  const auto shared = leaf_points(mesh.dm());
  face_names_ = mesh.face_names();
  std::array<PetscInt, 8> corners{};
  std::vector<std::pair<PetscInt, PetscInt>> cell_of;  // DMPlex point, cell
  for (PetscInt cell = 0; cell < count(); ++cell) cell_of.emplace_back(point(cell), cell);
  std::sort(cell_of.begin(), cell_of.end());
  // A facet that is shared with another rank lies between two cells.
  PetscSF sf = nullptr;
  PetscInt roots = 0;
  const PetscInt* sharers = nullptr;
  check(DMGetPointSF(mesh.dm(), &sf));
  check(PetscSFGetGraph(sf, &roots, nullptr, nullptr, nullptr));
  if (roots >= 0) {
    check(PetscSFComputeDegreeBegin(sf, &sharers));
    check(PetscSFComputeDegreeEnd(sf, &sharers));
  }
  between_cells_.assign(face_names_.size(), 0);
  for (const auto& name : face_names_) {
    const auto& group = mesh.face(name);
    auto& faces = faces_.emplace_back();
    PetscInt first = 0, last = 0;
    check(DMPlexGetHeightStratum(mesh.dm(), 1, &first, &last));
    for (const PetscInt point : labelled_points(mesh.dm(), group.label, group.value)) {
      if (point < first || point >= last || std::binary_search(shared.begin(), shared.end(), point)) continue;
      const PetscInt* support = nullptr;
      PetscInt supports = 0;
      check(DMPlexGetSupportSize(mesh.dm(), point, &supports));
      check(DMPlexGetSupport(mesh.dm(), point, &support));
      if (supports > 1 || (sharers && sharers[point] > 0)) between_cells_[faces_.size() - 1] = 1;
      PetscInt cell = -1;
      for (PetscInt s = 0; s < supports && cell < 0; ++s) {
        const auto found = std::lower_bound(cell_of.begin(), cell_of.end(), std::pair{support[s], PetscInt{0}});
        if (found != cell_of.end() && found->first == support[s]) cell = found->second;
      }
      if (cell < 0) continue;
      std::vector<PetscInt> vertices;
      const auto edges = cones.of(point);
      for (std::size_t e = 0; e < edges.size(); ++e)
        vertices.push_back(numbering.first(cones.of(edges[e])[cones.orientations(point)[e] < 0 ? 1 : 0]));
      const auto block =
          std::find_if(of_corners.begin(), of_corners.end(), [&](const CellBlock& b) { return cell < b.last; });
      numbering.cell(this->point(cell), block->element.kind(), corners.data());
      for (int face = 0; face < block->element.faces(); ++face) {
        const auto& own = block->element.face_nodes(face);
        if (own.size() == vertices.size() && std::all_of(own.begin(), own.end(), [&](int corner) {
              return std::find(vertices.begin(), vertices.end(), corners[static_cast<std::size_t>(corner)]) !=
                     vertices.end();
            }))
          faces.push_back({cell, face});
      }
    }
  }
}

std::size_t RankCells::index_of(std::string_view name) const {
  const auto found = std::find(face_names_.begin(), face_names_.end(), name);
  if (found == face_names_.end()) {
    std::string known;
    for (const auto& other : face_names_) known += (known.empty() ? "" : ", ") + other;
    throw MeshError("the mesh has no face '" + std::string(name) +
                    "'; known faces: " + (known.empty() ? "none" : known));
  }
  return static_cast<std::size_t>(found - face_names_.begin());
}

std::span<const CellFace> RankCells::face(std::string_view name) const { return faces_[index_of(name)]; }

bool RankCells::between_cells(std::string_view name) const { return between_cells_[index_of(name)]; }

}  // namespace gearshift::solid
