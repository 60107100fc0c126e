#pragma once

/// @file
/// Orthonormal bases of rigid-body motions.

#include <gearshift/solid/types.hpp>

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace gearshift::solid {

constexpr std::size_t rigid_motions = 6;
constexpr auto six = static_cast<PetscInt>(rigid_motions);  // in PETSc's integer type

/// The distance between consecutive blocks of six in padded vectors, which kernels read in whole vector registers.
constexpr std::size_t padded_block = 8;
constexpr std::size_t padded_place(std::size_t i) { return padded_block * (i / rigid_motions) + i % rigid_motions; }
/// Copy blocks of six to a padded vector, and back.
template <class T>
void pad(std::span<const PetscScalar> blocks, T* padded) {
  for (std::size_t i = 0; i < blocks.size(); ++i) padded[padded_place(i)] = static_cast<T>(blocks[i]);
}
template <class T, class Blocks>
void unpad(const std::vector<T>& padded, Blocks& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i) blocks[i] = static_cast<PetscScalar>(padded[padded_place(i)]);
}

/// The six columns of an aggregate's rigid-body motions, one entry per unknown.
using RigidColumns = std::array<std::vector<double>, rigid_motions>;

/// The rigid-body motions of the whole body in the unknowns of an aggregate: [unknown][motion].
using RigidMotions = std::array<double, rigid_motions * rigid_motions>;

/// Orthonormalises columns by Gram-Schmidt, applied twice. Columns whose remainder is below 1e-6 of `sizes` (squares of
/// norms) are set to 0 and are true in the result.
std::array<bool, rigid_motions> orthonormalise(RigidColumns& columns, const std::array<double, rigid_motions>& sizes);

/// Orthonormalises columns, with the squares of their norms as sizes.
std::array<bool, rigid_motions> orthonormalise(RigidColumns& columns);

}  // namespace gearshift::solid
