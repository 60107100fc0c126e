#include "solid/mesh/inspect.hpp"

#include <gearshift/solid/mesh.hpp>

#include "petsc/ranks/agree.hpp"
#include "solid/mesh/cell_advice.hpp"
#include "solid/mesh/plex.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace gearshift::solid {
namespace {

using petsc::check;

constexpr std::array types{DM_POLYTOPE_HEXAHEDRON, DM_POLYTOPE_TETRAHEDRON, DM_POLYTOPE_TRI_PRISM};

/// Returns the number of this rank's cells of each of these types.
std::array<PetscInt, types.size()> cells_by_type(DM dm) {
  std::array<PetscInt, types.size()> counts{};
  DMLabel labels = nullptr;
  check(DMPlexGetCellTypeLabel(dm, &labels));
  for (std::size_t i = 0; i < types.size(); ++i) check(DMLabelGetStratumSize(labels, types[i], &counts[i]));
  return counts;
}

/// Returns true if coordinates are given on vertices.
bool on_vertices(DM dm) {
  PetscSection section = nullptr;
  PetscInt first = 0, last = 0, begin = 0, end = 0;
  check(DMGetCoordinateSection(dm, &section));
  check(PetscSectionGetChart(section, &begin, &end));
  check(DMPlexGetDepthStratum(dm, 0, &first, &last));
  for (PetscInt point = first; point < last; ++point) {
    PetscInt dofs = 0;
    if (point >= begin && point < end) check(PetscSectionGetDof(section, point, &dofs));
    if (dofs != 3) return false;
  }
  return true;
}

}  // namespace

std::string refuse_cells(DM dm) {
  PetscInt dimension = 0, embedding = 0, first = 0, last = 0;
  check(DMGetDimension(dm, &dimension));
  check(DMGetCoordinateDim(dm, &embedding));
  if (dimension != 3 || embedding != 3)
    return "the mesh has dimension " + std::to_string(dimension) + " in a space of dimension " +
           std::to_string(embedding) +
           "; give a mesh of hexahedra, tetrahedra or wedges (for plane strain: one layer of hexahedra, both sides "
           "fixed)";
  check(DMPlexGetHeightStratum(dm, 0, &first, &last));
  const auto counts = cells_by_type(dm);
  if (last - first == std::accumulate(counts.begin(), counts.end(), PetscInt{0})) return {};
  for (PetscInt cell = first; cell < last; ++cell) {
    const DMPolytopeType type = type_of(dm, cell);
    if (type == DM_POLYTOPE_TRI_PRISM_TENSOR)
      return "cell " + std::to_string(cell) +
             " of the mesh is a tensor_triangular_prism, whose vertices PETSc orders differently; give the DMPlex "
             "wedges of type triangular_prism (a Gmsh file: -dm_plex_gmsh_hybrid 0)";
    if (!kind_of(type))
      return "cell " + std::to_string(cell) + " of the mesh is a " + DMPolytopeTypes[type] + cell_advice;
  }
  return {};
}

void Mesh::inspect() {
  DM dm = dm_.get();
  PetscInt first = 0, last = 0;
  check(DMPlexGetHeightStratum(dm, 0, &first, &last));
  PetscInt cells = 0;
  const std::string failure = petsc::failure_of([&] {
    const auto shared = leaf_points(dm);
    for (PetscInt cell = first; cell < last; ++cell) cells += !std::binary_search(shared.begin(), shared.end(), cell);
  });
  petsc::throw_if_any<MeshError>(comm_, failure);
  check(MPI_Allreduce(&cells, &global_cells_, 1, MPIU_INT, MPI_SUM, comm_));
  // Ranks without cells receive the kinds of cells from the others.
  auto of_type = cells_by_type(dm);
  check(MPI_Allreduce(MPI_IN_PLACE, of_type.data(), static_cast<int>(types.size()), MPIU_INT, MPI_MAX, comm_));
  cell_kinds_.clear();
  for (std::size_t i = 0; i < types.size(); ++i)
    if (of_type[i] > 0) cell_kinds_.push_back(*kind_of(types[i]));
  if (global_cells_ == 0) throw MeshError("the mesh has no cells; check the -dm_plex_* options");

  // The degree m of the geometry: an edge has 3 (m - 1) coordinates.
  PetscSection section = nullptr, cellwise = nullptr;
  check(DMGetCoordinateSection(dm, &section));
  check(DMGetCellCoordinateSection(dm, &cellwise));
  const PetscReal* period = nullptr;  // in each direction; newer versions of PETSc may leave the coordinates unchanged
  check(DMGetPeriodicity(dm, nullptr, nullptr, &period));
  const bool periodic = cellwise || (period && std::any_of(period, period + 3, [](PetscReal L) { return L > 0; }));
  PetscInt begin = 0, end = 0, found[3] = {0, 0, periodic ? 1 : 0};
  check(DMPlexGetDepthStratum(dm, 1, &first, &last));
  check(PetscSectionGetChart(section, &begin, &end));
  for (PetscInt point = std::max(first, begin); point < std::min(last, end); ++point) {
    PetscInt dofs = 0;
    check(PetscSectionGetDof(section, point, &dofs));
    found[0] = std::max(found[0], dofs / 3);
  }
  found[1] = on_vertices(dm) ? 0 : 1;
  check(MPI_Allreduce(MPI_IN_PLACE, found, 3, MPIU_INT, MPI_MAX, comm_));
  if (found[2]) throw MeshError("the mesh is periodic; only bodies with a boundary are supported");
  if (found[1])
    throw MeshError(
        "the mesh's coordinates are not given on its vertices; save it as a Gmsh file of order 1 or 2, and "
        "read it by Mesh::from_options");
  if (found[0] > 1)
    throw MeshError("the mesh's geometry has degree " + std::to_string(found[0] + 1) +
                    "; orders 1 and 2 are supported: save it with gmsh -order 2");
  geometry_degree_ = 1 + static_cast<int>(found[0]);
}

}  // namespace gearshift::solid
