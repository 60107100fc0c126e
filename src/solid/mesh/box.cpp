#include "solid/mesh/box.hpp"

#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/types.hpp>

#include "petsc/options/check_option.hpp"
#include "petsc/options/key_names.hpp"
#include "petsc/options/option_numbers.hpp"
#include "solid/mesh/plex_from_cells.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

namespace gearshift::solid {

using petsc::check;

std::string option_text(const std::string& key) {
  std::array<char, 256> text{};
  check(PetscOptionsGetString(nullptr, nullptr, key.c_str(), text.data(), text.size(), nullptr));
  return text.data();
}

std::optional<CellKind> cells_of_box(std::string_view prefix) {
  const std::string dash = "-" + std::string(prefix), simplex_key = dash + "dm_plex_simplex";
  PetscBool simplex = PETSC_FALSE;
  petsc::check_option(PetscOptionsGetBool(nullptr, nullptr, simplex_key.c_str(), &simplex, nullptr), simplex_key,
                      "true or false");
  const bool wedges = petsc::lower(option_text(dash + "dm_plex_cell")) == DMPolytopeTypes[DM_POLYTOPE_TRI_PRISM];
  const std::string shape = petsc::lower(option_text(dash + "dm_plex_shape"));
  if (!shape.empty() && shape != "box") return std::nullopt;
  if (simplex && wedges)
    throw MeshError(simplex_key + " and " + dash +
                    "dm_plex_cell request both tetrahedra and wedges; give only one of them");
  return simplex ? CellKind::tetrahedron : wedges ? CellKind::wedge : CellKind::hexahedron;
}

void require_numbers_for(double cells, const std::string& keys) {
  constexpr double points_per_cell = 8;  // in a box of hexahedra: cells, faces, edges, vertices
  if (points_per_cell * cells < static_cast<double>(PETSC_MAX_INT)) return;
  std::ostringstream text;
  text << "option " << keys << ": " << cells
       << " cells are too many for this PETSc, which also numbers their vertices, edges and faces; give fewer";
  throw MeshError(text.str());
}

namespace {

std::array<PetscReal, 3> three(const std::string& key, std::array<PetscReal, 3> value) {
  const auto given = petsc::number_list("", key.c_str());
  if (!given) return value;
  if (given->size() != 3 || !std::all_of(given->begin(), given->end(), [](PetscReal x) { return std::isfinite(x); }))
    throw OptionError("option " + key + ": give three numbers separated by commas, one for each axis");
  return {(*given)[0], (*given)[1], (*given)[2]};
}

/// Reads the number of cells along each axis.
std::array<PetscInt, 3> read_cells(const std::string& key, std::array<PetscInt, 3> value) {
  const auto given = three(key, {1, 1, 1});
  if (!petsc::has_option("", key.c_str())) return value;
  for (std::size_t c = 0; c < 3; ++c) {
    if (given[c] == std::floor(given[c])) require_numbers_for(given[c], key);
    if (given[c] != std::floor(given[c]) || given[c] < -1e9)
      throw OptionError("option " + key + ": give three whole numbers of cells separated by commas");
    value[c] = static_cast<PetscInt>(given[c]);
  }
  return value;
}

/// Returns PETSc's number of a box's side, in the order -z +z -y +y +x -x; 0: inside.
PetscInt side_of(const Vec3& centre, const Vec3& lower, const Vec3& upper) {
  static constexpr std::array<std::array<PetscInt, 2>, 3> numbers{{{6, 5}, {3, 4}, {1, 2}}};
  for (std::size_t c = 0; c < 3; ++c) {
    const PetscReal near = 1e-9 * (upper[c] - lower[c]);
    if (centre[c] < lower[c] + near) return numbers[c][0];
    if (centre[c] > upper[c] - near) return numbers[c][1];
  }
  return 0;
}

struct Box {
  std::array<PetscInt, 3> cuboids{1, 1, 1};
  Vec3 lower{0, 0, 0}, upper{1, 1, 1};

  /// Returns the number of a vertex of the grid.
  PetscInt vertex(const std::array<PetscInt, 3>& at) const {
    return at[0] + (cuboids[0] + 1) * (at[1] + (cuboids[1] + 1) * at[2]);
  }
  std::vector<PetscReal> positions() const;
};

/// Calls visit({i, j, k}) for all numbers below these counts, i first.
template <class Visit>
void for_each_place(const std::array<PetscInt, 3>& counts, Visit&& visit) {
  std::array<PetscInt, 3> at{};
  for (at[2] = 0; at[2] < counts[2]; ++at[2])
    for (at[1] = 0; at[1] < counts[1]; ++at[1])
      for (at[0] = 0; at[0] < counts[0]; ++at[0]) visit(at);
}

std::vector<PetscReal> Box::positions() const {
  std::vector<PetscReal> result;
  for_each_place({cuboids[0] + 1, cuboids[1] + 1, cuboids[2] + 1}, [&](const std::array<PetscInt, 3>& at) {
    for (std::size_t c = 0; c < 3; ++c)
      result.push_back(lower[c] +
                       (upper[c] - lower[c]) * static_cast<PetscReal>(at[c]) / static_cast<PetscReal>(cuboids[c]));
  });
  return result;
}

Box read_box(std::string_view prefix, CellKind kind) {
  const std::string dash = "-" + std::string(prefix);
  const char* cells = kind == CellKind::tetrahedron ? "tetrahedra" : kind == CellKind::wedge ? "wedges" : "hexahedra";
  Box box;
  const std::string faces = dash + "dm_plex_box_faces", lower = dash + "dm_plex_box_lower",
                    upper = dash + "dm_plex_box_upper";
  box.cuboids = read_cells(faces, box.cuboids);
  box.lower = three(lower, box.lower);
  box.upper = three(upper, box.upper);
  for (std::size_t c = 0; c < 3; ++c) {
    const std::string empty = "the box of " + std::string(cells) + " is empty along " + "xyz"[c] + ": ";
    if (box.cuboids[c] < 1)
      throw MeshError(empty + faces + " asks for " + std::to_string(box.cuboids[c]) + " cells there; give 1 or more");
    if (!(box.upper[c] > box.lower[c]))
      throw MeshError(empty + upper + " must be greater than " + lower + " (default 0,0,0)");
  }
  require_numbers_for(
      static_cast<double>(box.cuboids[0]) * static_cast<double>(box.cuboids[1]) * static_cast<double>(box.cuboids[2]),
      faces);
  return box;
}

/// Appends one tetrahedron for each path along the three axes from one end of a cuboid's diagonal to the other.
void add_tetrahedra(const Box& box, const std::array<PetscInt, 3>& at, CellList& cells) {
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    auto corner = at;
    cells.types.push_back(DM_POLYTOPE_TETRAHEDRON);
    cells.corners.push_back(box.vertex(corner));
    for (const std::size_t axis : order) {
      ++corner[axis];
      cells.corners.push_back(box.vertex(corner));
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

/// Appends two wedges: the lower triangle, then the upper one, counterclockwise seen from above.
void add_wedges(const Box& box, const std::array<PetscInt, 3>& at, CellList& cells) {
  constexpr std::array<std::array<PetscInt, 2>, 3> triangles[] = {{{{0, 0}, {1, 0}, {1, 1}}},
                                                                  {{{0, 0}, {1, 1}, {0, 1}}}};
  for (const auto& triangle : triangles) {
    cells.types.push_back(DM_POLYTOPE_TRI_PRISM);
    for (const PetscInt above : {0, 1})
      for (const auto& [x, y] : triangle) cells.corners.push_back(box.vertex({at[0] + x, at[1] + y, at[2] + above}));
    check(DMPlexInvertCell(DM_POLYTOPE_TRI_PRISM, &*(cells.corners.end() - 6)));
  }
}

/// Sets the labels that PETSc's own boxes have.
void label_sides(DM dm, const Box& box) {
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
    for (PetscInt i = 0; i < size; ++i)
      centre[static_cast<std::size_t>(i % 3)] += 3 * nodes[i] / static_cast<PetscReal>(size);
    check(DMPlexVecRestoreClosure(dm, section, values, face, &size, &nodes));
    const PetscInt side = side_of(centre, box.lower, box.upper);
    if (side == 0) continue;
    check(DMSetLabelValue(dm, "Face Sets", face, side));
    check(DMSetLabelValue(dm, "marker", face, 1));
  }
}

}  // namespace

void check_box(std::string_view prefix, CellKind kind) { (void)read_box(prefix, kind); }

petsc::Handle<DM> create_box(MPI_Comm comm, std::string_view prefix, CellKind kind) {
  const std::string key = "-" + std::string(prefix) + "dm_plex_box_bd";
  if (option_text(key).find("periodic") != std::string::npos)
    throw MeshError("option " + key + ": a periodic box; only bodies with a boundary are supported");
  const Box box = read_box(prefix, kind);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  CellList cells;
  if (rank == 0) {
    cells.positions = box.positions();
    for_each_place(box.cuboids, [&](const std::array<PetscInt, 3>& at) {
      kind == CellKind::wedge ? add_wedges(box, at, cells) : add_tetrahedra(box, at, cells);
    });
  }
  auto dm = create_plex(comm, cells);
  label_sides(dm.get(), box);
  return dm;
}

}  // namespace gearshift::solid
