#pragma once

/// @file
/// Matrices over nodes of degree 1, as algebraic multigrid wants them.

#include "solid/supports.hpp"

#include <petscksp.h>

#include <string>
#include <vector>

namespace gearshift::solid {

/// An empty AIJ matrix (block size 3) with room for the couplings of a space of degree 1. Collective.
petsc::Handle<Mat> create_corner_matrix(const Space& corners);

/// Gives the matrix the rigid-body modes of the nodes' positions (plus `displacement` if not null), zero in constrained
/// entries, as its near-null space. Collective.
void set_rigid_modes(const Space& corners, const Supports& supports, Vec displacement, Mat matrix);

/// Orthonormalises vectors, leaves out what depends on the others, and makes them the matrix's near-null space.
/// Collective.
void set_orthonormal_modes(Mat matrix, std::vector<petsc::Handle<Vec>> modes);

/// Gives an option a value unless the user has given one: for defaults that PETSc takes from its options only.
void prefer_option(const char* prefix, const std::string& name, const char* value);

/// PCGAMG with defaults that suit elasticity; options come later and win.
void prefer_gamg(PC pc);

}  // namespace gearshift::solid
