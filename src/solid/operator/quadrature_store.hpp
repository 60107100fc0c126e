#pragma once

/// @file
/// The positions of the internal variables of quadrature points in a Vec.

#include <gearshift/petsc/handle.hpp>

#include "solid/material/material_table.hpp"

#include <cstdint>
#include <vector>

namespace gearshift::solid {

/// Numbers of a rank's quadrature points: [cell in the rank's order][point][internal_tensors()][6], independent of the
/// number of lanes of the kernels.
class QuadratureStore {
 public:
  /// The number of entries of a symmetric tensor.
  static constexpr PetscInt entries = 6;

  QuadratureStore(const Space& space, const MaterialTable& material);

  /// Return the index of a cell's first number, and how many numbers it has.
  PetscInt begin(PetscInt cell) const { return begin_[static_cast<std::size_t>(cell)]; }
  PetscInt count(PetscInt cell) const { return begin(cell + 1) - begin(cell); }
  /// Returns true if some cells depend on the path of the strain (is_plastic()), so that a tangent needs their internal
  /// variables, also on the multigrid levels.
  bool follows_path() const { return follows_path_; }
  bool follows_path(PetscInt cell) const { return plastic_[static_cast<std::size_t>(cell)] != 0; }
  /// Computes the numbers of these points from those of another store on the same cells: copies them if a cell has the
  /// same number of points, otherwise uses the mean over the cell.
  void take_means(const QuadratureStore& other, const double* from, std::vector<double>& to) const;
  /// Returns how many numbers this rank has.
  std::int64_t size() const { return size_; }
  /// Returns a Vec of these sizes; null if the size is 0 on all ranks. Throws OptionError if PetscInt cannot count
  /// them. Collective.
  petsc::Handle<Vec> make_vector(MPI_Comm comm) const;

 private:
  std::vector<PetscInt> begin_;  // one for each cell, and the end
  std::vector<int> tensors_;     // of each cell's points
  std::vector<char> plastic_;    // [cell]
  std::int64_t size_ = 0;
  bool follows_path_ = false;
};

/// Internal variables of a rank's points in the state of a tangent (InternalState).
struct PointHistory {
  PetscReal rate = 0;
  const QuadratureStore* store = nullptr;  ///< null: the tangent does not need internal variables
  const double* base = nullptr;            ///< factor base, in the order of the store
};

}  // namespace gearshift::solid
