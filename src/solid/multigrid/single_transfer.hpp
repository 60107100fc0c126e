#pragma once

/// @file
/// Transfers between two degrees of one mesh in single precision, cell by cell.

#include "solid/operator/level_operator.hpp"

#include <vector>

namespace gearshift::solid {

/// The nodal interpolation P from a lower degree and its transpose, leaving out constrained entries on both sides.
/// Nothing is assembled: cells interpolate direction by direction (tetrahedra by one matrix), and nodes shared by k
/// cells of the rank take 1/k from each. Coarse arrays hold owned nodes, then ghosts, then one dummy node:
/// coarse_size() numbers, of which callers read and write the owned ones. Functions are collective.
class SingleTransfer {
 public:
  SingleTransfer(LevelOperator<float>& fine, const Space& coarse, const Supports& held);

  std::size_t coarse_size() const { return 3 * (static_cast<std::size_t>(coarse_.local_nodes()) + 1); }
  /// fine += P coarse
  void prolong(float* coarse, float* fine);
  /// coarse = P' (b - product)
  void restrict_residual(const float* b, const float* product, float* coarse);
  /// coarse = the fine field's values at the coarse nodes, constrained ones included.
  void evaluate(const float* fine, float* coarse);

 private:
  void fill_matrices(const Element& coarse, const Element& fine);
  void hold(float* coarse) const {
    for (const PetscInt entry : held_.entries()) coarse[entry] = 0;
  }

  LevelOperator<float>& fine_;
  const Space& coarse_;
  const Supports& held_;
  Halo<float> halo_;
  // [fine n][coarse n] of one direction, or of a tetrahedron's nodes; the latter transposed
  std::vector<double> interpolation_, evaluation_;
  LargeArray<int> coarse_nodes_;                  // [batch][coarse nodes][lane]
  std::vector<float> fine_share_, coarse_share_;  // of each entry; 0 in held ones of the fine degree
  std::vector<float> work_;
};

}  // namespace gearshift::solid
