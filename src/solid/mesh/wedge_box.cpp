#include "solid/mesh/wedge_box.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/options/key_names.hpp"
#include "solid/mesh/cuboid_box.hpp"
#include "solid/mesh/interpolation.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Returns the corners of each cuboid's two wedges: the lower triangle, then the upper one, counterclockwise seen from
/// above.
std::vector<PetscInt> corners_of(const CuboidBox& box) {
  std::vector<PetscInt> corners;
  std::array<PetscInt, 3> at{};
  for (at[2] = 0; at[2] < box.cuboids[2]; ++at[2])
    for (at[1] = 0; at[1] < box.cuboids[1]; ++at[1])
      for (at[0] = 0; at[0] < box.cuboids[0]; ++at[0])
        for (const auto& triangle : {std::array<std::array<PetscInt, 2>, 3>{{{0, 0}, {1, 0}, {1, 1}}},
                                     std::array<std::array<PetscInt, 2>, 3>{{{0, 0}, {1, 1}, {0, 1}}}})
          for (const PetscInt above : {0, 1})
            for (const auto& [x, y] : triangle) corners.push_back(box.vertex({at[0] + x, at[1] + y, at[2] + above}));
  return corners;
}

void set_coordinates(DM dm, const std::vector<PetscReal>& vertices) {
  PetscInt first = 0, last = 0;
  PetscSection section = nullptr;
  petsc::Handle<Vec> values;
  check(DMPlexGetDepthStratum(dm, 0, &first, &last));
  check(DMSetCoordinateDim(dm, 3));
  check(DMGetCoordinateSection(dm, &section));
  check(PetscSectionSetNumFields(section, 1));
  check(PetscSectionSetFieldComponents(section, 0, 3));
  check(PetscSectionSetChart(section, first, last));
  for (PetscInt vertex = first; vertex < last; ++vertex) {
    check(PetscSectionSetDof(section, vertex, 3));
    check(PetscSectionSetFieldDof(section, vertex, 0, 3));
  }
  check(PetscSectionSetUp(section));
  check(VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(vertices.size()), values.out()));
  check(VecSetBlockSize(values.get(), 3));
  {
    petsc::WriteView to(values.get());
    std::copy(vertices.begin(), vertices.end(), to.begin());
  }
  check(DMSetCoordinatesLocal(dm, values.get()));
}

}  // namespace

bool asks_for_wedge_box(std::string_view prefix) {
  return asks_for_box(prefix) && petsc::lower(option_text("-" + std::string(prefix) + "dm_plex_cell")) ==
                                     DMPolytopeTypes[DM_POLYTOPE_TRI_PRISM];
}

petsc::Handle<DM> create_wedge_box(MPI_Comm comm, std::string_view prefix) {
  constexpr PetscInt corners = 6;
  const CuboidBox box = read_cuboids(prefix, "wedges");
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  const auto nodes = rank == 0 ? corners_of(box) : std::vector<PetscInt>{};
  const auto vertices = rank == 0 ? box.vertices() : std::vector<PetscReal>{};
  const auto cells = static_cast<PetscInt>(nodes.size()) / corners,
             points = cells + static_cast<PetscInt>(vertices.size()) / 3;
  petsc::Handle<DM> flat;
  check(DMCreate(comm, flat.out()));
  check(DMSetType(flat.get(), DMPLEX));
  check(DMSetDimension(flat.get(), 3));
  // PETSc would interpret six corners as a wedge with another order of vertices (TRI_PRISM_TENSOR).
  check(DMCreateLabel(flat.get(), "celltype"));
  check(DMPlexSetChart(flat.get(), 0, points));
  for (PetscInt point = 0; point < points; ++point) {
    if (point < cells) check(DMPlexSetConeSize(flat.get(), point, corners));
    check(DMPlexSetCellType(flat.get(), point, point < cells ? DM_POLYTOPE_TRI_PRISM : DM_POLYTOPE_POINT));
  }
  check(DMSetUp(flat.get()));
  for (PetscInt cell = 0; cell < cells; ++cell) {
    std::array<PetscInt, corners> cone{};
    for (std::size_t i = 0; i < cone.size(); ++i) cone[i] = cells + nodes[static_cast<std::size_t>(cell * corners) + i];
    check(DMPlexReorderCell(flat.get(), cell, cone.data()));
    check(DMPlexSetCone(flat.get(), cell, cone.data()));
  }
  check(DMPlexSymmetrize(flat.get()));
  check(DMPlexStratify(flat.get()));
  auto dm = interpolate(flat.get());
  set_coordinates(dm.get(), vertices);
  label_sides(dm.get(), box);
  return dm;
}

}  // namespace gearshift::solid
