#pragma once

/// @file
/// The body for the modes `solve` and `step`.

#include <gearshift/io/summary.hpp>
#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/body.hpp>

#include <string>
#include <vector>

namespace gearshift::bench {

/// A beam along x, clamped at one end and loaded by its weight, or the mesh of a file. The members hold the defaults of
/// the options.
struct Cantilever {
  PetscInt degree = 2;
  PetscReal dofs = 1e5;   ///< approximate number of unknowns of the beam
  PetscReal aspect = 4;   ///< length of the beam over its height
  PetscReal height = 1;   ///< [length]
  PetscReal stretch = 1;  ///< length of a cell over its height
  std::string clamp = "xmin";
  std::vector<PetscReal> load{0, 0, -1};  ///< body force per mass [length/time^2]
  solid::Formulation formulation = solid::Formulation::displacement;
  solid::Material material{.law = solid::Law::linear_elastic, .E = 1, .nu = 0.3, .rho = 1};

  /// Reads -degree, -dofs, -aspect, -height, -stretch, -clamp, -load, -formulation, -material, -E, -nu, -rho. Throws
  /// OptionError for invalid values.
  void read(petsc::Options& options);
  void validate() const;

  /// Creates the mesh given by -dm_plex_filename or -dm_plex_box_faces, or else the beam with about `dofs` unknowns.
  /// Collective.
  solid::Mesh make_mesh(MPI_Comm comm) const;
  /// Creates the body with material, support and load, and sets it up. Collective.
  std::unique_ptr<solid::Body> make_body(solid::Mesh mesh) const;
  /// Returns the middle of the free end.
  solid::Vec3 tip() const { return {aspect * height, height / 2, height / 2}; }
  /// Adds degree, material, nu, stretch, ranks, cells and dofs.
  void describe(io::Summary& line, const solid::Body& body) const;
};

/// Prints the line on the first rank. Collective.
void print(MPI_Comm comm, const io::Summary& line);

}  // namespace gearshift::bench
