#pragma once

/// @file
/// The rigid-body motions of aggregates of nodes.

#include "solid/constraints/constraints.hpp"
#include "solid/multigrid/coarse/node_aggregates.hpp"
#include "solid/multigrid/coarse/rigid_basis.hpp"

#include <span>
#include <vector>

namespace gearshift::solid {

/// The owned nodes of a space in aggregates, each with an orthonormal basis Q_a of its rigid-body motions, zero in
/// constrained entries; they are the columns of the prolongation P, (P y)_a = Q_a y_a.
class AggregateBases {
 public:
  /// @param apart see aggregate_nodes(). Collective.
  AggregateBases(const Space& space, const Constraints& constraints, const StiffInclusions& parts, bool apart);

  /// The owned nodes of each aggregate of this rank, and the global numbers of the aggregates.
  const NodeAggregates& nodes() const { return nodes_; }
  const AggregateNumbers& numbers() const { return numbers_; }

  /// Computes the bases for these positions of the owned nodes. Collective.
  void update(std::span<const Vec3> positions);
  /// Computes the dependent entries of the bases, as cells need them, or sets them to zero.
  void complete(bool complete);
  /// Returns the basis of a local node, [component][motion].
  const float* of(std::size_t node) const { return bases_.data() + size * place_[node]; }
  /// Returns true for a motion of this rank's aggregate that vanishes because of supports or too few nodes.
  bool dropped(std::size_t aggregate, std::size_t motion) const { return dropped_[rigid_motions * aggregate + motion]; }
  /// Returns for each aggregate of this rank P' times the rigid-body motions of the whole body at these positions.
  std::vector<RigidMotions> motions(std::span<const Vec3> positions) const;

  /// Computes coarse = P' (b - product).
  template <class T>
  void restrict_residual(const T* b, const T* product, Vec coarse) const;
  /// Computes fine += factor P coarse.
  template <class T>
  void prolong(Vec coarse, double factor, T* fine) const;

 private:
  static constexpr std::size_t modes = rigid_motions, size = 3 * modes;
  float* basis(std::size_t node) { return bases_.data() + size * place_[node]; }
  /// Sends the bases to the ranks where their nodes are ghosts.
  void spread();

  const Space& space_;
  const Constraints& constraints_;
  NodeAggregates nodes_;
  AggregateNumbers numbers_;
  std::vector<std::size_t> place_;  // of each local node's basis: aggregate by aggregate, then ghosts
  std::vector<float> bases_;        // [place][3][6]
  std::vector<char> dropped_;       // [aggregate][6]
};

}  // namespace gearshift::solid
