#pragma once

/// @file
/// Where the internal variables of quadrature points stand in a Vec.

#include <gearshift/petsc/handle.hpp>

#include "solid/material/material_table.hpp"

#include <cstdint>
#include <vector>

namespace gearshift::solid {

/// Numbers of a rank's quadrature points: [cell in the rank's order][point][branch][6], whatever the lanes of the
/// kernels are; cells whose material has no branches have none.
class QuadratureStore {
 public:
  /// Entries 00 01 02 11 12 22 of a symmetric tensor.
  static constexpr PetscInt entries = 6;

  QuadratureStore(const Space& space, const MaterialTable& material);

  /// Where a cell's numbers begin, and how many it has.
  PetscInt begin(PetscInt cell) const { return begin_[static_cast<std::size_t>(cell)]; }
  PetscInt count(PetscInt cell) const { return begin(cell + 1) - begin(cell); }
  /// All numbers of this rank.
  std::int64_t size() const { return size_; }
  /// A Vec of these sizes; null if no rank has any. OptionError where PetscInt cannot count them. Collective.
  petsc::Handle<Vec> make_vector(MPI_Comm comm) const;

 private:
  std::vector<PetscInt> begin_;  // and the end
  std::int64_t size_ = 0;
};

}  // namespace gearshift::solid
