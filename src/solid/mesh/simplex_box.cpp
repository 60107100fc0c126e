#include "solid/mesh/simplex_box.hpp"

#include <gearshift/solid/types.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace gearshift::solid {

using petsc::check;

namespace {

std::string text_of(const std::string& key) {
  std::array<char, 256> text{};
  check(PetscOptionsGetString(nullptr, nullptr, key.c_str(), text.data(), text.size(), nullptr));
  return text.data();
}

std::array<PetscReal, 3> three(const std::string& key, std::array<PetscReal, 3> value) {
  PetscInt count = 3;
  PetscBool set = PETSC_FALSE;
  check(PetscOptionsGetRealArray(nullptr, nullptr, key.c_str(), value.data(), &count, &set));
  return value;
}

/// PETSc's numbers of a box's sides, in the order -z +z -y +y +x -x; 0: inside.
PetscInt side_of(const Vec3& centre, const Vec3& lower, const Vec3& upper) {
  static constexpr std::array<std::array<PetscInt, 2>, 3> numbers{{{6, 5}, {3, 4}, {1, 2}}};
  for (std::size_t c = 0; c < 3; ++c) {
    const PetscReal near = 1e-9 * (upper[c] - lower[c]);
    if (centre[c] < lower[c] + near) return numbers[c][0];
    if (centre[c] > upper[c] - near) return numbers[c][1];
  }
  return 0;
}

void label_sides(DM dm, const Vec3& lower, const Vec3& upper) {
  PetscInt first = 0, last = 0, first_vertex = 0, last_vertex = 0;
  check(DMCreateLabel(dm, "Face Sets"));
  check(DMCreateLabel(dm, "marker"));
  check(DMPlexGetHeightStratum(dm, 1, &first, &last));
  check(DMPlexGetDepthStratum(dm, 0, &first_vertex, &last_vertex));
  PetscSection section = nullptr;
  Vec values = nullptr;
  check(DMGetCoordinateSection(dm, &section));
  check(DMGetCoordinatesLocal(dm, &values));
  for (PetscInt face = first; face < last; ++face) {
    PetscInt size = 0;
    PetscScalar* nodes = nullptr;
    check(DMPlexVecGetClosure(dm, section, values, face, &size, &nodes));
    Vec3 centre{};
    for (PetscInt i = 0; i < size; ++i) centre[static_cast<std::size_t>(i % 3)] += 3 * nodes[i] / size;
    check(DMPlexVecRestoreClosure(dm, section, values, face, &size, &nodes));
    const PetscInt side = side_of(centre, lower, upper);
    if (side == 0) continue;
    check(DMSetLabelValue(dm, "Face Sets", face, side));
    check(DMSetLabelValue(dm, "marker", face, 1));
  }
}

}  // namespace

bool asks_for_simplex_box(std::string_view prefix) {
  const std::string dash = "-" + std::string(prefix);
  PetscBool simplex = PETSC_FALSE;
  check(PetscOptionsGetBool(nullptr, nullptr, (dash + "dm_plex_simplex").c_str(), &simplex, nullptr));
  const std::string shape = text_of(dash + "dm_plex_shape");
  return simplex && (shape.empty() || shape == "box");
}

petsc::Handle<DM> create_simplex_box(MPI_Comm comm, std::string_view prefix) {
  const std::string dash = "-" + std::string(prefix);
  if (text_of(dash + "dm_plex_box_bd").find("periodic") != std::string::npos)
    throw MeshError("option " + dash + "dm_plex_box_bd: a periodic box; only bodies with a boundary are supported");
  std::array<PetscInt, 3> cuboids{1, 1, 1};
  PetscInt count = 3;
  PetscBool set = PETSC_FALSE;
  check(PetscOptionsGetIntArray(nullptr, nullptr, (dash + "dm_plex_box_faces").c_str(), cuboids.data(), &count, &set));
  const Vec3 lower = three(dash + "dm_plex_box_lower", {0, 0, 0}), upper = three(dash + "dm_plex_box_upper", {1, 1, 1});
  for (std::size_t c = 0; c < 3; ++c)
    if (cuboids[c] < 1 || !(upper[c] > lower[c]))
      throw MeshError("the box of tetrahedra is empty; check " + dash + "dm_plex_box_faces, _lower and _upper");

  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  std::vector<PetscInt> cells;
  std::vector<PetscReal> vertices;
  const auto vertex = [&](const std::array<PetscInt, 3>& at) {
    return at[0] + (cuboids[0] + 1) * (at[1] + (cuboids[1] + 1) * at[2]);
  };
  if (rank == 0) {
    std::array<PetscInt, 3> at{};
    for (at[2] = 0; at[2] <= cuboids[2]; ++at[2])
      for (at[1] = 0; at[1] <= cuboids[1]; ++at[1])
        for (at[0] = 0; at[0] <= cuboids[0]; ++at[0]) {
          for (std::size_t c = 0; c < 3; ++c)
            vertices.push_back(lower[c] + (upper[c] - lower[c]) * static_cast<PetscReal>(at[c]) /
                                              static_cast<PetscReal>(cuboids[c]));
          if (at[0] == cuboids[0] || at[1] == cuboids[1] || at[2] == cuboids[2]) continue;
          // One tetrahedron per path along the three axes from one end of the diagonal to the other.
          std::array<std::size_t, 3> order{0, 1, 2};
          do {
            auto corner = at;
            cells.push_back(vertex(corner));
            for (const std::size_t axis : order) {
              ++corner[axis];
              cells.push_back(vertex(corner));
            }
          } while (std::next_permutation(order.begin(), order.end()));
        }
  }
  petsc::Handle<DM> dm;
  check(DMPlexCreateFromCellListPetsc(comm, 3, static_cast<PetscInt>(cells.size() / 4),
                                      static_cast<PetscInt>(vertices.size() / 3), 4, PETSC_TRUE, cells.data(), 3,
                                      vertices.data(), dm.out()));
  label_sides(dm.get(), lower, upper);
  return dm;
}

}  // namespace gearshift::solid
