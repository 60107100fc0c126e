#pragma once

/// @file
/// Where the internal variables of quadrature points stand in a Vec.

#include <gearshift/petsc/handle.hpp>

#include "solid/material/material_table.hpp"

#include <cstdint>
#include <vector>

namespace gearshift::solid {

/// Numbers of a rank's quadrature points: [cell in the rank's order][point][internal_tensors()][6], whatever the
/// lanes of the kernels are.
class QuadratureStore {
 public:
  /// Numbers of a symmetric tensor.
  static constexpr PetscInt entries = 6;

  QuadratureStore(const Space& space, const MaterialTable& material);

  /// Where a cell's numbers begin, and how many it has.
  PetscInt begin(PetscInt cell) const { return begin_[static_cast<std::size_t>(cell)]; }
  PetscInt count(PetscInt cell) const { return begin(cell + 1) - begin(cell); }
  /// Whether some follow the path of the strain (is_plastic()), so that a tangent needs them, on the levels of
  /// multigrid
  /// too.
  bool follows_path() const { return follows_path_; }
  bool follows_path(PetscInt cell) const { return plastic_[static_cast<std::size_t>(cell)] != 0; }
  /// Numbers of these points from those of another store on the same cells: the same where a cell has as many points,
  /// else the mean over the cell.
  void take_means(const QuadratureStore& other, const double* from, std::vector<double>& to) const;
  /// All numbers of this rank.
  std::int64_t size() const { return size_; }
  /// A Vec of these sizes; null if no rank has any. OptionError where PetscInt cannot count them. Collective.
  petsc::Handle<Vec> make_vector(MPI_Comm comm) const;

 private:
  std::vector<PetscInt> begin_;  // and the end
  std::vector<int> tensors_;     // of each cell's points
  std::vector<char> plastic_;    // [cell]
  std::int64_t size_ = 0;
  bool follows_path_ = false;
};

/// Internal variables of a rank's points where a tangent is taken (InternalState).
struct PointHistory {
  PetscReal rate = 0;
  const QuadratureStore* store = nullptr;  ///< null: there are none that a tangent needs
  const double* base = nullptr;            ///< factor base, in the order of the store
};

}  // namespace gearshift::solid
