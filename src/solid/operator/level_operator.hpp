#pragma once

/// @file
/// The tangent of one Space as a multigrid level multiplies with it.

#include <gearshift/dynamics/linearization.hpp>
#include <gearshift/solid/kernel_options.hpp>

#include "solid/constraints/constraints.hpp"
#include "solid/operator/cell_loop.hpp"
#include "solid/operator/node_blocks.hpp"
#include "solid/operator/point_data.hpp"

#include <utility>
#include <vector>

namespace gearshift::solid {

/// A = C' (sq K(u) + sa M) C + B, with B stiffness on single nodes and C the Constraints, on arrays of the owned
/// entries. Vectors and arithmetic have the precision T; floats have twice the lanes of doubles. Functions are
/// collective, and run one at a time.
template <class T>
class LevelOperator {
 public:
  LevelOperator(const Space& space, const Constraints& constraints, const MaterialTable& material,
                const KernelOptions& options);

  const Space& space() const { return space_; }
  const Constraints& constraints() const { return constraints_; }
  std::size_t size() const { return loop_.size(); }

  /// Takes the tangent at u, with internal variables of that rate (InternalState) and, in the order of QuadratureStore,
  /// base (null: zero), and the shifts. Points that u inverts make a worse preconditioner, nothing else: whether u is a
  /// state at all is asked of the body itself.
  void update(const T* u, Shifts s, PetscReal rate = InternalState{}.rate, const double* base = nullptr);
  /// Gives A other blocks, of the same shifts.
  void set_blocks(NodeBlocks blocks) { blocks_ = std::move(blocks); }
  const NodeBlocks& blocks() const { return blocks_; }
  /// out = A in; what comes out in constrained entries means nothing.
  void apply(const T* in, T* out);
  /// out = diag A, less what the components of a node with dependent entries do to each other
  void diagonal(T* out);

  /// The cells, for transfers.
  CellLoop<T>& loop() { return loop_; }

 private:
  const Space& space_;
  const Constraints& constraints_;
  CellLoop<T> loop_;
  PointData<T> points_;
  Shifts shifts_;
  NodeBlocks blocks_;
  std::vector<T> expanded_;
};

extern template class LevelOperator<double>;
extern template class LevelOperator<float>;

}  // namespace gearshift::solid
