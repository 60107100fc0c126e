#pragma once

/// @file
/// The tangent of one Space in the form in which a multigrid level multiplies by it.

#include <gearshift/dynamics/linearization.hpp>
#include <gearshift/solid/kernel_options.hpp>

#include "solid/constraints/constraints.hpp"
#include "solid/operator/cell_loop.hpp"
#include "solid/operator/matrices/node_couplings.hpp"
#include "solid/operator/point_data.hpp"

#include <utility>
#include <vector>

namespace gearshift::solid {

/// A = C' (sq K(u) + sa M + E) C + B, with B the stiffness on single nodes, E that between nodes which no cell joins, and
/// C the Constraints, on arrays of the owned entries. Vectors and arithmetic have the precision T; kernels for floats have twice the lanes of those for doubles.
/// Functions are collective, and must not run concurrently.
template <class T>
class LevelOperator {
 public:
  LevelOperator(const Space& space, const Constraints& constraints, const MaterialTable& material,
                const KernelOptions& options);

  const Space& space() const { return space_; }
  const Constraints& constraints() const { return constraints_; }
  std::size_t size() const { return loop_.size(); }

  /// Sets the tangent at u with the shifts, internal variables of that rate (InternalState) and, in the order of
  /// QuadratureStore, base (null: zero). Points inverted by u only make the preconditioner worse: whether u is
  /// admissible is decided by the body itself.
  void update(const T* u, Shifts s, PetscReal rate = InternalState{}.rate, const double* base = nullptr);
  /// Replaces the blocks B; they must be for the same shifts.
  void set_blocks(NodeBlocks blocks) { blocks_ = std::move(blocks); }
  const NodeBlocks& blocks() const { return blocks_; }
  /// Replaces E, a sum.
  void set_couplings(std::vector<NodeCouplings> couplings) { couplings_ = std::move(couplings); }
  const std::vector<NodeCouplings>& couplings() const { return couplings_; }
  /// Computes out = A in; the values in constrained entries of out are meaningless.
  void apply(const T* in, T* out);
  /// Computes out = diag A, without the coupling between the components of a node with dependent entries.
  void diagonal(T* out);

  /// Returns the loop over the cells, for prolongation and restriction.
  CellLoop<T>& loop() { return loop_; }

 private:
  const Space& space_;
  const Constraints& constraints_;
  CellLoop<T> loop_;
  PointData<T> points_;
  Shifts shifts_;
  NodeBlocks blocks_;
  std::vector<NodeCouplings> couplings_;
  std::vector<T> expanded_;
};

extern template class LevelOperator<double>;
extern template class LevelOperator<float>;

}  // namespace gearshift::solid
