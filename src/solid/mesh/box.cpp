#include "solid/mesh/box.hpp"

#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/types.hpp>

#include "petsc/options/check_option.hpp"
#include "petsc/options/key_names.hpp"
#include "petsc/options/option_numbers.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/mesh/box_parts.hpp"
#include "solid/mesh/cones.hpp"
#include "solid/mesh/plex_from_cells.hpp"
#include "solid/mesh/point_sharing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
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

void require_numbers_for(MPI_Comm comm, double own_cells, double all_cells, const std::string& keys) {
  constexpr double points_per_cell = 8, largest = PETSC_MAX_INT;  // cells, faces, edges, vertices of hexahedra
  std::ostringstream text;
  if (all_cells >= largest || points_per_cell * own_cells >= largest)
    text << "option " << keys << ": " << all_cells
         << " cells are too many for this PETSc, which also numbers the vertices, edges and faces of each rank; give "
         << (all_cells < largest ? "fewer, or more ranks" : "fewer");
  petsc::throw_if_any<MeshError>(comm, text.str());
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
BoxPart::Place read_cells(const std::string& key, BoxPart::Place value) {
  const auto given = three(key, {1, 1, 1});
  if (!petsc::has_option("", key.c_str())) return value;
  for (std::size_t c = 0; c < 3; ++c) {
    if (given[c] != std::floor(given[c]))
      throw OptionError("option " + key + ": give three whole numbers of cells separated by commas");
    // A smaller limit for indices of 64 bits: their largest one is no double, and products with ranks may overflow.
    if (constexpr auto most = std::min<std::int64_t>(PETSC_MAX_INT - 1, 1'000'000'000'000);
        std::abs(given[c]) > static_cast<PetscReal>(most))
      throw OptionError("option " + key + ": too many cells along " + "xyz"[c] +
                        " for the indices of this PETSc; give " + std::to_string(most) + " or fewer");
    value[c] = static_cast<PetscInt>(given[c]);
  }
  return value;
}

struct Box {
  BoxPart::Place cuboids{1, 1, 1};
  Vec3 lower{0, 0, 0}, upper{1, 1, 1};
  CellKind kind;

  PetscInt cells_per_cuboid() const { return kind == CellKind::tetrahedron ? 6 : kind == CellKind::wedge ? 2 : 1; }
  /// Returns the number of cells of this many cuboids along each axis.
  double cells(const BoxPart::Place& counts) const {
    double product = cells_per_cuboid();
    for (const PetscInt count : counts) product *= static_cast<double>(count);
    return product;
  }
  /// Returns the number of the first cell in a cuboid.
  PetscInt first_cell(const BoxPart::Place& at) const {
    return cells_per_cuboid() * (at[0] + cuboids[0] * (at[1] + cuboids[1] * at[2]));
  }
  /// Returns PETSc's number of the side that contains vertices from `low` to `high`; 0: inside.
  PetscInt side_of(const BoxPart::Place& low, const BoxPart::Place& high) const {
    static constexpr std::array<std::array<PetscInt, 2>, 3> numbers{{{6, 5}, {3, 4}, {1, 2}}};
    for (std::size_t c = 0; c < 3; ++c) {
      if (high[c] == 0) return numbers[c][0];
      if (low[c] == cuboids[c]) return numbers[c][1];
    }
    return 0;
  }
  /// Returns a coordinate of a vertex, rounded as earlier versions did: checkpoints contain hashes of coordinates.
  PetscReal position(std::size_t c, PetscInt at) const {
    const PetscReal size = upper[c] - lower[c];
    const auto place = static_cast<PetscReal>(at), count = static_cast<PetscReal>(cuboids[c]);
    return lower[c] + (kind == CellKind::hexahedron ? size / count * place : size * place / count);
  }
};

Box read_box(std::string_view prefix, CellKind kind) {
  const std::string dash = "-" + std::string(prefix);
  const char* cells = kind == CellKind::tetrahedron ? "tetrahedra" : kind == CellKind::wedge ? "wedges" : "hexahedra";
  Box box{.kind = kind};
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
  return box;
}

/// Returns the corners of each cell of a cuboid in PETSc's order: the number of each vertex less that of the cuboid's
/// lowest vertex; `along`: the differences between neighbours along each axis.
std::vector<std::vector<PetscInt>> cells_of_cuboid(CellKind kind, const BoxPart::Place& along) {
  const PetscInt x = along[0], y = along[1], z = along[2];
  if (kind == CellKind::hexahedron) return {{0, y, x + y, x, z, x + z, x + y + z, y + z}};
  std::vector<std::vector<PetscInt>> cells;
  if (kind == CellKind::wedge) {
    cells = {{0, x, x + y, z, x + z, x + y + z}, {0, x + y, y, z, x + y + z, y + z}};
    for (auto& cell : cells) check(DMPlexInvertCell(DM_POLYTOPE_TRI_PRISM, cell.data()));
    return cells;
  }
  // One tetrahedron for each path along the three axes from one end of the diagonal to the other.
  std::array<std::size_t, 3> order{0, 1, 2};
  do {
    auto& cell = cells.emplace_back(1, 0);
    for (const std::size_t axis : order) cell.push_back(cell.back() + along[axis]);
  } while (std::next_permutation(order.begin(), order.end()));
  return cells;
}

/// Calls visit(at) for first[c] <= at[c] < last[c], x first.
template <class Visit>
void for_each_place(const BoxPart::Place& first, const BoxPart::Place& last, Visit&& visit) {
  BoxPart::Place at{};
  for (at[2] = first[2]; at[2] < last[2]; ++at[2])
    for (at[1] = first[1]; at[1] < last[1]; ++at[1])
      for (at[0] = first[0]; at[0] < last[0]; ++at[0]) visit(at);
}

std::size_t product(const BoxPart::Place& counts) {
  return static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
         static_cast<std::size_t>(counts[2]);
}

CellList cells_of_part(const Box& box, const BoxPart& part, std::vector<PetscInt>& numbers) {
  CellList cells;
  cells.shared = true;
  if (part.empty()) return cells;
  const DMPolytopeType type = box.kind == CellKind::hexahedron    ? DM_POLYTOPE_HEXAHEDRON
                              : box.kind == CellKind::tetrahedron ? DM_POLYTOPE_TETRAHEDRON
                                                                  : DM_POLYTOPE_TRI_PRISM;
  const auto sizes = part.vertices();
  const auto in_cuboid = cells_of_cuboid(box.kind, {1, sizes[0], sizes[0] * sizes[1]});
  const std::size_t count = in_cuboid.size() * product(part.cuboids());
  numbers.reserve(count);
  cells.types.reserve(count);
  cells.corners.reserve(count * in_cuboid[0].size());
  cells.positions.reserve(3 * product(sizes));
  for_each_place(part.first, part.last, [&](const BoxPart::Place& at) {
    const PetscInt lowest =
        at[0] - part.first[0] + sizes[0] * (at[1] - part.first[1] + sizes[1] * (at[2] - part.first[2]));
    for (const auto& corners : in_cuboid) {
      cells.types.push_back(type);
      for (const PetscInt corner : corners) cells.corners.push_back(lowest + corner);
      numbers.push_back(box.first_cell(at) + static_cast<PetscInt>(&corners - in_cuboid.data()));
    }
  });
  for_each_place(part.first, {part.last[0] + 1, part.last[1] + 1, part.last[2] + 1}, [&](const BoxPart::Place& at) {
    for (std::size_t c = 0; c < 3; ++c) cells.positions.push_back(box.position(c, at[c]));
  });
  return cells;
}

/// Sets the labels that PETSc's own boxes have.
void label_sides(DM dm, const Box& box, const BoxPart& part) {
  PetscInt first = 0, last = 0;
  check(DMCreateLabel(dm, "Face Sets"));
  check(DMCreateLabel(dm, "marker"));
  check(DMPlexGetHeightStratum(dm, 1, &first, &last));
  const Cones cones(dm);
  const auto sides = part.vertices();
  for (PetscInt face = first; face < last; ++face) {
    BoxPart::Place low = part.last, high = part.first;
    for (const PetscInt vertex : cones.vertices(face)) {
      const PetscInt n = vertex - cones.first(0);
      const BoxPart::Place at{n % sides[0], n / sides[0] % sides[1], n / sides[0] / sides[1]};
      for (std::size_t c = 0; c < 3 && vertex >= 0; ++c) {
        low[c] = std::min(low[c], part.first[c] + at[c]);
        high[c] = std::max(high[c], part.first[c] + at[c]);
      }
    }
    const PetscInt side = box.side_of(low, high);
    if (side == 0) continue;
    check(DMSetLabelValue(dm, "Face Sets", face, side));
    check(DMSetLabelValue(dm, "marker", face, 1));
  }
}

/// Gives the parts of a box their point SF.
void share_parts(DM dm, const BoxPart& whole, const BoxPart& part) {
  const MPI_Comm comm = petsc::comm_of(dm);
  const auto sides = whole.vertices(), own = part.vertices();
  std::vector<std::int64_t> numbers;
  CommonVertices common;
  const auto beyond = [](const BoxPart::Place& last) { return BoxPart::Place{last[0] + 1, last[1] + 1, last[2] + 1}; };
  if (!part.empty())
    for_each_place(part.first, beyond(part.last), [&](const BoxPart::Place& at) {
      numbers.push_back(at[0] + sides[0] * (at[1] + std::int64_t{sides[1]} * at[2]));
    });
  for (const auto& [rank, other] : parts_near(whole, petsc::ranks_of(comm), part)) {
    if (rank == petsc::rank_of(comm)) continue;
    BoxPart both;
    for (std::size_t c = 0; c < 3; ++c) {
      both.first[c] = std::max(part.first[c], other.first[c]);
      both.last[c] = std::min(part.last[c], other.last[c]);
    }
    for_each_place(both.first, beyond(both.last), [&, &list = common[rank]](const BoxPart::Place& at) {
      list.push_back(at[0] - part.first[0] + own[0] * (at[1] - part.first[1] + own[1] * (at[2] - part.first[2])));
    });
  }
  share_points(dm, numbers, common);
}

}  // namespace

petsc::Handle<DM> create_box(MPI_Comm comm, std::string_view prefix, CellKind kind, bool divided,
                             std::vector<PetscInt>& numbers) {
  const std::string dash = "-" + std::string(prefix), key = dash + "dm_plex_box_bd";
  std::istringstream boundaries(petsc::lower(option_text(key)));
  for (std::string word; std::getline(boundaries, word, ',');)
    if (word != "none" && word != "ghosted")
      throw MeshError("option " + key + ": '" + word + "'; only bodies with a boundary are supported, so leave it out");
  const Box box = read_box(prefix, kind);
  const int rank = petsc::rank_of(comm);
  const BoxPart whole{{}, box.cuboids};
  const BoxPart part = divided ? part_of(whole, petsc::ranks_of(comm), rank) : rank == 0 ? whole : BoxPart{};
  require_numbers_for(comm, part.empty() ? 0 : box.cells(part.vertices()), box.cells(box.cuboids),
                      dash + "dm_plex_box_faces");
  numbers.clear();
  CellList cells;
  petsc::on_each_rank<MeshError>(comm, [&] { cells = cells_of_part(box, part, numbers); });
  auto dm = create_plex(comm, std::move(cells));
  petsc::on_each_rank<MeshError>(comm, [&] { label_sides(dm.get(), box, part); });
  if (divided) share_parts(dm.get(), whole, part);
  return dm;
}

}  // namespace gearshift::solid
