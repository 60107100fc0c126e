#include "solid/mesh/simplex_box.hpp"

#include "petsc/options/check_option.hpp"
#include "solid/mesh/cuboid_box.hpp"
#include "solid/mesh/interpolation.hpp"

#include <algorithm>
#include <array>
#include <vector>

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
  std::vector<PetscInt> cells;
  std::vector<PetscReal> vertices;
  if (rank == 0) {
    std::array<PetscInt, 3> at{};
    vertices = box.vertices();
    for (at[2] = 0; at[2] < box.cuboids[2]; ++at[2])
      for (at[1] = 0; at[1] < box.cuboids[1]; ++at[1])
        for (at[0] = 0; at[0] < box.cuboids[0]; ++at[0]) {
          // One tetrahedron per path along the three axes from one end of the diagonal to the other.
          std::array<std::size_t, 3> order{0, 1, 2};
          do {
            auto corner = at;
            cells.push_back(box.vertex(corner));
            for (const std::size_t axis : order) {
              ++corner[axis];
              cells.push_back(box.vertex(corner));
            }
          } while (std::next_permutation(order.begin(), order.end()));
        }
  }
  petsc::Handle<DM> flat;
  check(DMPlexCreateFromCellListPetsc(comm, 3, static_cast<PetscInt>(cells.size() / 4),
                                      static_cast<PetscInt>(vertices.size() / 3), 4, PETSC_FALSE, cells.data(), 3,
                                      vertices.data(), flat.out()));
  auto dm = interpolate(flat.get());
  label_sides(dm.get(), box);
  return dm;
}

}  // namespace gearshift::solid
