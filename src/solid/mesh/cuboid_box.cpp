#include "solid/mesh/cuboid_box.hpp"

#include <gearshift/petsc/options.hpp>

#include "petsc/options/key_names.hpp"
#include "petsc/options/option_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace gearshift::solid {

using petsc::check;

std::string option_text(const std::string& key) {
  std::array<char, 256> text{};
  check(PetscOptionsGetString(nullptr, nullptr, key.c_str(), text.data(), text.size(), nullptr));
  return text.data();
}

bool asks_for_box(std::string_view prefix) {
  const std::string shape = petsc::lower(option_text("-" + std::string(prefix) + "dm_plex_shape"));
  return shape.empty() || shape == "box";
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

}  // namespace

std::vector<PetscReal> CuboidBox::vertices() const {
  std::vector<PetscReal> result;
  std::array<PetscInt, 3> at{};
  for (at[2] = 0; at[2] <= cuboids[2]; ++at[2])
    for (at[1] = 0; at[1] <= cuboids[1]; ++at[1])
      for (at[0] = 0; at[0] <= cuboids[0]; ++at[0])
        for (std::size_t c = 0; c < 3; ++c)
          result.push_back(lower[c] +
                           (upper[c] - lower[c]) * static_cast<PetscReal>(at[c]) / static_cast<PetscReal>(cuboids[c]));
  return result;
}

CuboidBox read_box(std::string_view prefix, const char* cells) {
  const std::string dash = "-" + std::string(prefix);
  CuboidBox box;
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

CuboidBox read_cuboids(std::string_view prefix, const char* cells) {
  const std::string dash = "-" + std::string(prefix);
  if (option_text(dash + "dm_plex_box_bd").find("periodic") != std::string::npos)
    throw MeshError("option " + dash + "dm_plex_box_bd: a periodic box; only bodies with a boundary are supported");
  return read_box(prefix, cells);
}

void label_sides(DM dm, const CuboidBox& box) {
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

}  // namespace gearshift::solid
