#pragma once

/// @file
/// What boxes have in common whose cuboids are cut into cells of another kind.

#include <gearshift/petsc/error.hpp>
#include <gearshift/solid/types.hpp>

#include <petscdmplex.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// The text of an option, empty if it is not set.
std::string option_text(const std::string& key);
/// Whether `-<prefix>dm_plex_shape` is a box, as it is by default.
bool asks_for_box(std::string_view prefix);

/// Throws MeshError if a mesh of so many cells, which these keys ask for, has more points than PetscInt can number.
void require_numbers_for(double cells, const std::string& keys);

struct CuboidBox {
  std::array<PetscInt, 3> cuboids{1, 1, 1};
  Vec3 lower{0, 0, 0}, upper{1, 1, 1};

  /// The number of a vertex of the grid, and the coordinates of all.
  PetscInt vertex(const std::array<PetscInt, 3>& at) const {
    return at[0] + (cuboids[0] + 1) * (at[1] + (cuboids[1] + 1) * at[2]);
  }
  std::vector<PetscReal> vertices() const;
};

/// The box of -dm_plex_box_faces, -dm_plex_box_lower and -dm_plex_box_upper. MeshError for a box of `cells` that is empty.
CuboidBox read_box(std::string_view prefix, const char* cells);
/// The same of one that this library makes: MeshError for a periodic one, too.
CuboidBox read_cuboids(std::string_view prefix, const char* cells);

/// The labels of PETSc's own boxes.
void label_sides(DM dm, const CuboidBox& box);

}  // namespace gearshift::solid
