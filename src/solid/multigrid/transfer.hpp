#pragma once

/// @file
/// Transfers between two degrees of one mesh, cell by cell.

#include "solid/multigrid/level_space.hpp"
#include "solid/operator/cell_loop.hpp"
#include "solid/operator/choose_kernels.hpp"

#include <vector>

namespace gearshift::solid {

/// The nodal interpolation P from a lower degree and its transpose, leaving out constrained entries on both sides.
/// Nothing is assembled: cells interpolate direction by direction (tetrahedra by one matrix), and nodes shared by k
/// cells of the rank take 1/k from each. Coarse arrays hold owned nodes, then ghosts, then one dummy node:
/// coarse_size() numbers, of which callers read and write the owned ones. Functions are collective.
template <class T>
class Transfer {
 public:
  /// @param cells of the higher degree
  Transfer(CellLoop<T>& cells, const LevelSpace& fine, const LevelSpace& coarse);

  std::size_t coarse_size() const { return 3 * (static_cast<std::size_t>(coarse_.local_nodes()) + 1); }
  /// fine += P coarse
  void prolong(T* coarse, T* fine);
  /// coarse = P' fine
  void restrict_fine(const T* fine, T* coarse);
  /// coarse = P' (b - product)
  void restrict_residual(const T* b, const T* product, T* coarse);
  /// coarse = the fine field's values at the coarse nodes, constrained ones included.
  void evaluate(const T* fine, T* coarse);

 private:
  void fill_matrices(const Element& coarse, const Element& fine);
  const TransferKernels<T>& kernels() const { return in_precision<T>(cells_.kernels()).transfer; }
  /// coarse = P' of work_, which is already shared out.
  void restrict_work(T* coarse);
  void hold(T* coarse) const {
    for (const PetscInt entry : held_.entries()) coarse[entry] = 0;
  }

  CellLoop<T>& cells_;
  const Space& coarse_;
  const Supports& held_;
  Halo<T> halo_;
  // [fine n][coarse n] of one direction, or of a tetrahedron's nodes; the latter transposed
  std::vector<double> interpolation_, evaluation_;
  LargeArray<int> coarse_nodes_;              // [batch][coarse nodes][lane]
  std::vector<T> fine_share_, coarse_share_;  // of each entry; 0 in held ones of the fine degree
  std::vector<T> work_;
};

extern template class Transfer<double>;
extern template class Transfer<float>;

}  // namespace gearshift::solid
