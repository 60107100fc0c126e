#pragma once

/// @file
/// Prolongation and restriction between two degrees on one mesh, cell by cell.

#include "solid/multigrid/level_space.hpp"
#include "solid/operator/cell_loop.hpp"
#include "solid/operator/choose_kernels.hpp"

#include <vector>

namespace gearshift::solid {

/// The nodal interpolation P from a lower degree and its transpose, without constrained entries on both sides. Nothing
/// is assembled: hexahedra are interpolated direction by direction, other cells by one matrix, and nodes shared by k
/// cells of the rank get 1/k of the value of each. Coarse arrays hold owned nodes, then ghosts, then one dummy node:
/// coarse_size() numbers. Callers read and write only the owned ones. Functions are collective.
template <class T>
class Prolongation {
 public:
  /// @param cells the cells of the higher degree
  Prolongation(CellLoop<T>& cells, const LevelSpace& fine, const LevelSpace& coarse);

  std::size_t coarse_size() const { return 3 * (static_cast<std::size_t>(coarse_.local_nodes()) + 1); }
  /// Computes fine += P coarse.
  void prolong(T* coarse, T* fine);
  /// Computes coarse = P' fine.
  void restrict_fine(const T* fine, T* coarse);
  /// Computes coarse = P' (b - product).
  void restrict_residual(const T* b, const T* product, T* coarse);
  /// Sets coarse to the fine field's values at the coarse nodes, including constrained ones.
  void evaluate(const T* fine, T* coarse);

 private:
  /// [fine n][coarse n] for one direction of hexahedra, or for all nodes of other cells; `evaluation` is transposed.
  struct Matrices {
    Matrices(const Element& coarse, const Element& fine);
    std::vector<double> interpolation, evaluation;
  };
  /// Returns the matrices of the cells of some batches.
  const Matrices& matrices(Range range) const;
  const TransferKernels<T>& kernels() const { return in_precision<T>(cells_.kernels()).transfer; }
  /// Computes coarse = P' work_, where work_ has already been multiplied by the shares.
  void restrict_work(T* coarse);

  CellLoop<T>& cells_;
  const Space& coarse_;
  const Constraints& constraints_;
  Halo<T> halo_;
  std::vector<Matrices> matrices_;  // of each kind of cell
  LargeArray<int> coarse_nodes_;    // at coarse_at_[batch]: [coarse nodes][lane]
  std::vector<long> coarse_at_;
  std::vector<T> fine_share_, coarse_share_;  // of each entry; 0 in constrained ones of the fine degree
  std::vector<T> work_;
};

extern template class Prolongation<double>;
extern template class Prolongation<float>;

}  // namespace gearshift::solid
