#pragma once

/// @file
/// Functions shared by boxes whose cuboids are divided into cells of another kind.

#include <gearshift/petsc/error.hpp>
#include <gearshift/solid/types.hpp>

#include <petscdmplex.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// Returns the text of an option, empty if it is not set.
std::string option_text(const std::string& key);
/// Returns true if `-<prefix>dm_plex_shape` is a box (the default).
bool asks_for_box(std::string_view prefix);

/// Throws MeshError if a mesh of this number of cells has more points than PetscInt can number; `keys` are the keys
/// that request it.
void require_numbers_for(double cells, const std::string& keys);

struct CuboidBox {
  std::array<PetscInt, 3> cuboids{1, 1, 1};
  Vec3 lower{0, 0, 0}, upper{1, 1, 1};

  /// Return the number of a vertex of the grid, and the coordinates of all vertices.
  PetscInt vertex(const std::array<PetscInt, 3>& at) const {
    return at[0] + (cuboids[0] + 1) * (at[1] + (cuboids[1] + 1) * at[2]);
  }
  std::vector<PetscReal> vertices() const;
};

/// Returns the box of -dm_plex_box_faces, -dm_plex_box_lower and -dm_plex_box_upper. Throws MeshError for a box of
/// `cells` that is empty.
CuboidBox read_box(std::string_view prefix, const char* cells);
/// Returns a box that this library divides into cells; throws MeshError also for a periodic one.
CuboidBox read_cuboids(std::string_view prefix, const char* cells);

/// Sets the labels that PETSc's own boxes have.
void label_sides(DM dm, const CuboidBox& box);

}  // namespace gearshift::solid
