#include "solid/mesh/wedge_box.hpp"

#include "petsc/key_names.hpp"
#include "solid/mesh/cuboid_box.hpp"
#include "solid/mesh/plex_from_cells.hpp"

#include <algorithm>

namespace gearshift::solid {

using petsc::check;

namespace {

constexpr std::size_t corners = 6;

/// Returns the corners of each cuboid's two wedges: the lower triangle, then the upper one, counterclockwise seen from
/// above.
std::vector<PetscInt> corners_of(const CuboidBox& box) {
  std::vector<PetscInt> result;
  std::array<PetscInt, 3> at{};
  for (at[2] = 0; at[2] < box.cuboids[2]; ++at[2])
    for (at[1] = 0; at[1] < box.cuboids[1]; ++at[1])
      for (at[0] = 0; at[0] < box.cuboids[0]; ++at[0])
        for (const auto& triangle : {std::array<std::array<PetscInt, 2>, 3>{{{0, 0}, {1, 0}, {1, 1}}},
                                     std::array<std::array<PetscInt, 2>, 3>{{{0, 0}, {1, 1}, {0, 1}}}})
          for (const PetscInt above : {0, 1})
            for (const auto& [x, y] : triangle) result.push_back(box.vertex({at[0] + x, at[1] + y, at[2] + above}));
  return result;
}

}  // namespace

bool asks_for_wedge_box(std::string_view prefix) {
  return asks_for_box(prefix) && petsc::lower(option_text("-" + std::string(prefix) + "dm_plex_cell")) ==
                                     DMPolytopeTypes[DM_POLYTOPE_TRI_PRISM];
}

petsc::Handle<DM> create_wedge_box(MPI_Comm comm, std::string_view prefix) {
  const CuboidBox box = read_cuboids(prefix, "wedges");
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  CellList cells;
  if (rank == 0) cells = {{}, corners_of(box), box.vertices()};
  cells.types.assign(cells.corners.size() / corners, DM_POLYTOPE_TRI_PRISM);
  for (std::size_t i = 0; i < cells.corners.size(); i += corners)
    check(DMPlexInvertCell(DM_POLYTOPE_TRI_PRISM, cells.corners.data() + i));
  auto dm = create_plex(comm, cells);
  label_sides(dm.get(), box);
  return dm;
}

}  // namespace gearshift::solid
