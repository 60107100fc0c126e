#pragma once

/// @file
/// The tangent of one Space in single precision: what a multigrid level multiplies with.

#include <gearshift/dynamics/linearization.hpp>
#include <gearshift/solid/kernel_options.hpp>

#include "solid/constraints/supports.hpp"
#include "solid/operator/batch_arrays.hpp"
#include "solid/operator/node_blocks.hpp"
#include "solid/operator/single_exchange.hpp"

#include <algorithm>
#include <vector>

namespace gearshift::solid {

/// Which arrays of entries a kernel uses.
enum class Access { reads, writes, both };

/// A = sq K(u) + sa M with float arithmetic on float arrays of the 3 x owned_nodes() owned entries, at twice the lanes
/// of the double kernels. Functions are collective, and run one at a time.
class SingleOperator {
 public:
  SingleOperator(const Space& space, const Supports& supports, const MaterialTable& material,
                 const KernelOptions& options);

  const Space& space() const { return space_; }
  const Supports& supports() const { return supports_; }
  std::size_t size() const { return 3 * static_cast<std::size_t>(space_.owned_nodes()); }

  /// Takes the tangent at u, with internal variables of that rate (InternalState), and the shifts. Points that u inverts make a worse preconditioner, nothing else: whether u
  /// is a state at all was asked in double precision.
  void update(const float* u, Shifts s, PetscReal rate = InternalState{}.rate);
  /// Adds stiffness on single nodes to A, until others are given.
  void set_blocks(NodeBlocks blocks) { blocks_ = std::move(blocks); }
  const NodeBlocks& blocks() const { return blocks_; }
  /// out = A in; `in` is 0 in held entries, and what comes out there means nothing.
  void apply(const float* in, float* out);
  /// out = diag A
  void diagonal(float* out);

  /// Batches, and their edge, for transfers.
  const BatchArrays<float>& arrays() const { return arrays_; }
  const Kernels& kernels() const { return kernels_; }
  /// Runs kernel(batches, range, in, out) on inner batches, and between them on the edge's with copies of `in` and of
  /// `out`, whose values reach the owners. Without `exchange` ghosts read as 0 and are dropped.
  template <Access access, class Kernel>
  void run(const float* in, float* out, bool exchange, Kernel&& kernel) {
    // Not the pointers tell: a rank that has cells but owns no node has arrays at no address.
    constexpr bool reads = access != Access::writes, writes = access != Access::reads;
    const Edges& edges = arrays_.edges();
    const std::size_t ghosts = edges.ghosts();
    if (reads) {
      edges.load_touched(in, copy_in_.data());
      if (exchange)
        exchange_.spread_begin(in);
      else
        std::fill(copy_in_.begin() + static_cast<std::ptrdiff_t>(ghosts), copy_in_.end(), 0.0F);
    }
    if (writes && arrays_.inner_after().end == 0) std::fill(out, out + size(), 0.0F);
    kernel(arrays_.view(), arrays_.inner_before(), in, out);
    if (reads && exchange) exchange_.spread_end(copy_in_.data() + ghosts);
    std::fill(copy_out_.begin(), copy_out_.end(), 0.0F);
    Batches<float> edge = arrays_.view();
    edge.fresh = nullptr;
    kernel(edge, arrays_.edge(), reads ? copy_in_.data() : nullptr, writes ? copy_out_.data() : nullptr);
    if (writes && exchange) exchange_.gather_begin(copy_out_.data() + ghosts);
    kernel(arrays_.view(), arrays_.inner_after(), in, out);
    if (!writes) return;
    edges.add_touched(copy_out_.data(), out);
    if (exchange) exchange_.gather_end(out);
  }

 private:
  const Space& space_;
  const Supports& supports_;
  const Kernels& kernels_;
  BatchArrays<float> arrays_;
  SingleExchange exchange_;
  LargeArray<float> points_;
  std::vector<float> copy_in_, copy_out_;
  Shifts shifts_;
  NodeBlocks blocks_;
};

}  // namespace gearshift::solid
