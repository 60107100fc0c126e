#pragma once

/// @file
/// Internal forces, inertia and their tangents of one Space: the batches behind the kernels.

#include <gearshift/solid/material.hpp>
#include <gearshift/solid/space.hpp>

#include "solid/kernels/table.hpp"

#include <memory>
#include <string>
#include <vector>

namespace gearshift::solid {

/// The cells of this rank, ordered into batches of one law each, with geometry and parameters per quadrature point.
/// Vectors are local arrays of 3 x space.local_nodes() entries, results are added. Nothing here is collective.
class Operator {
 public:
  /// @param material of each cell of the rank; already checked.
  Operator(const Space& space, const std::vector<Material>& material);

  const Space& space() const { return space_; }
  std::size_t point_data_size() const;

  /// Each returns an empty text, or "element N inverted: ..." of the worst point, which the caller throws as
  /// InvalidState after its last collective call.
  std::string residual(const PetscReal* u, const PetscReal* a, PetscReal* out) const;
  std::string linearize(const PetscReal* u, PetscReal* points) const;

  void apply(const PetscReal* points, PetscReal sq, PetscReal sa, const PetscReal* in, PetscReal* out) const;
  void derivative(const PetscReal* u, const PetscReal* direction, const PetscReal* in, PetscReal* out) const;
  void diagonal(const PetscReal* points, PetscReal sq, PetscReal sa, PetscReal* out) const;
  /// {stored, kinetic} energy of this rank's cells; u or v may be null.
  std::array<PetscReal, 2> energy(const PetscReal* u, const PetscReal* v) const;

  /// Calls add(cell, 24 x 24 matrix, row-major, row 3 corner + component) with the trilinear restriction of
  /// sq K + sa M of every cell.
  template <class Add>
  void corner_matrices(const PetscReal* points, PetscReal sq, PetscReal sa, Add&& add) const {
    const auto lanes = static_cast<std::size_t>(kernels_.lanes);
    std::vector<double> batch(24 * 24 * lanes), matrix(24 * 24);
    for (int b = 0; b < batches_.count; ++b) {
      kernels_.corner_matrix(batches_, points, sq, sa, b, batch.data());
      for (std::size_t l = 0; l < static_cast<std::size_t>(used_[static_cast<std::size_t>(b)]); ++l) {
        for (std::size_t e = 0; e < matrix.size(); ++e) matrix[e] = batch[e * lanes + l];
        add(cells_[static_cast<std::size_t>(b) * lanes + l], matrix.data());
      }
    }
  }

 private:
  std::string describe(const Inversion& found) const;
  const Space& space_;
  const Kernels& kernels_;
  Batches batches_;
  std::vector<int> nodes_, used_, laws_;
  std::vector<PetscInt> cells_;  // [batch][lane]
  std::vector<double> parameters_, geometry_, corner_slopes_, corner_values_;
};

}  // namespace gearshift::solid
