#include "solid/mesh/simplex_box.hpp"

#include "petsc/check_option.hpp"
#include "solid/mesh/cuboid_box.hpp"
#include "solid/mesh/plex_from_cells.hpp"

#include <algorithm>
#include <array>

namespace gearshift::solid {

using petsc::check;

bool asks_for_simplex_box(std::string_view prefix) {
  const std::string dash = "-" + std::string(prefix);
  PetscBool simplex = PETSC_FALSE;
  const std::string key = dash + "dm_plex_simplex";
  petsc::check_option(PetscOptionsGetBool(nullptr, nullptr, key.c_str(), &simplex, nullptr), key, "true or false");
  return simplex && asks_for_box(prefix);
}

petsc::Handle<DM> create_simplex_box(MPI_Comm comm, std::string_view prefix) {
  const CuboidBox box = read_cuboids(prefix, "tetrahedra");
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  CellList cells;
  if (rank == 0) {
    std::array<PetscInt, 3> at{};
    cells.positions = box.vertices();
    for (at[2] = 0; at[2] < box.cuboids[2]; ++at[2])
      for (at[1] = 0; at[1] < box.cuboids[1]; ++at[1])
        for (at[0] = 0; at[0] < box.cuboids[0]; ++at[0]) {
          // One tetrahedron per path along the three axes from one end of the diagonal to the other.
          std::array<std::size_t, 3> order{0, 1, 2};
          do {
            auto corner = at;
            cells.corners.push_back(box.vertex(corner));
            for (const std::size_t axis : order) {
              ++corner[axis];
              cells.corners.push_back(box.vertex(corner));
            }
          } while (std::next_permutation(order.begin(), order.end()));
        }
  }
  cells.types.assign(cells.corners.size() / 4, DM_POLYTOPE_TETRAHEDRON);
  auto dm = create_plex(comm, cells);
  label_sides(dm.get(), box);
  return dm;
}

}  // namespace gearshift::solid
