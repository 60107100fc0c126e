#pragma once

/// @file
/// The body that `solve` and `step` load.

#include <gearshift/io/summary.hpp>
#include <gearshift/petsc/options.hpp>
#include <gearshift/solid/body.hpp>

#include <string>
#include <vector>

namespace gearshift::bench {

/// A beam along x, clamped at one end under its weight, or the mesh of a file. Members are the defaults of the keys.
struct Cantilever {
  PetscInt degree = 2;
  PetscReal dofs = 1e5;   ///< of the beam, about
  PetscReal aspect = 4;   ///< length of the beam over its height
  PetscReal height = 1;   ///< [length]
  PetscReal stretch = 1;  ///< length of a cell over its height
  std::string clamp = "xmin";
  std::vector<PetscReal> load{0, 0, -1};  ///< body force per mass [length/time^2]
  solid::Formulation formulation = solid::Formulation::displacement;
  solid::Material material{.law = solid::Law::linear_elastic, .E = 1, .nu = 0.3, .rho = 1};

  /// Reads -degree, -dofs, -aspect, -height, -stretch, -clamp, -load, -formulation, -material, -E, -nu, -rho. OptionError for values
  /// that cannot be meant.
  void read(petsc::Options& options);
  void validate() const;

  /// The mesh: of -dm_plex_filename or -dm_plex_box_faces where given, else the beam with about `dofs` unknowns.
  solid::Mesh make_mesh(MPI_Comm comm) const;
  /// The body with material, support and load, set up. Collective.
  std::unique_ptr<solid::Body> make_body(solid::Mesh mesh) const;
  /// The middle of the free end.
  solid::Vec3 tip() const { return {aspect * height, height / 2, height / 2}; }
  /// Adds degree, material, nu, stretch, ranks, cells and dofs.
  void describe(io::Summary& line, const solid::Body& body) const;
};

/// Unknowns of a body. Collective.
PetscInt unknowns(const solid::Body& body);

/// Prints the line on the first rank. Collective.
void print(MPI_Comm comm, const io::Summary& line);

}  // namespace gearshift::bench
