#pragma once

/// @file
/// The arrays that kernels read, laid out for a number of lanes.

#include "solid/kernels/table.hpp"
#include "solid/material/material_table.hpp"
#include "solid/material/registered_laws.hpp"
#include "solid/operator/edges.hpp"
#include "solid/operator/large_array.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// The cells of this rank in batches. All cells of a batch have one kind, one law, one number of Maxwell branches and
/// one shape. Inner batches come first: inner cells touch no ghosts, and their batches are full. All other cells are
/// edge cells and use the numbering of Edges; their lanes without a cell point to the node that belongs to no rank. T
/// is the precision of the arrays.
template <class T>
class BatchArrays {
 public:
  /// @param material the material of each cell of the rank; already checked.
  BatchArrays(const Space& space, const MaterialTable& material, const Kernels& kernels);
  BatchArrays& operator=(BatchArrays&&) = delete;

  /// Returns the number of all batches.
  int count() const { return static_cast<int>(used_.size()); }
  /// Calls kernel(batches, range) with the batches of a range, once for each run of one kind of cell.
  template <class Kernel>
  void each(Range range, Kernel&& kernel) const {
    for (const auto& [kind, at] : runs_) {
      const Range part{std::max(range.begin, at.begin), std::min(range.end, at.end)};
      if (part.begin < part.end) kernel(kinds_[kind].view, part);
    }
  }
  /// Returns the arrays that kernels read for the kind of cell of a batch.
  const Batches<T>& view(int batch) const {
    std::size_t run = 0;
    while (batch >= runs_[run].second.end) ++run;
    return kinds_[runs_[run].first].view;
  }
  Range inner_before() const { return {0, inner_ / 2}; }
  Range inner_after() const { return {inner_ / 2, inner_}; }
  Range edge() const { return {inner_, count()}; }
  const Edges& edges() const { return *edges_; }
  /// Returns how many numbers the point data of all batches have.
  std::size_t point_data_size() const { return points_.size; }
  int lanes() const { return lanes_; }
  /// Returns the law parameters that kernels read, with the bulk modulus reduced where lambda > most mu.
  LargeArray<T> parameters_with_soft_bulk(const Space& space, const MaterialTable& material, double most,
                                          double rate) const;
  /// Returns true if the tangent stores moduli at the points of a batch.
  bool keeps_modulus(int batch) const {
    const auto b = static_cast<std::size_t>(batch);
    return gearshift::solid::keeps_modulus(static_cast<Law>(laws_[b]),
                                           !branches_.counts.empty() && branches_.counts[b] > 0);
  }
  PetscInt cell(int batch, int lane) const { return cells_[static_cast<std::size_t>(batch * lanes_ + lane)]; }
  int used(int batch) const { return used_[static_cast<std::size_t>(batch)]; }

 private:
  struct Group;
  /// The data of one kind of cell.
  struct Kind {
    Batches<T> view;
    std::vector<double> point_weights, mass_weights, corner_slopes, corner_values;
    std::vector<double> shape_slopes, shape_values;  // for all kinds except hexahedra
  };
  std::vector<Group> group_cells(const Space& space, const MaterialTable& material);
  void add_batches(const Group& group, std::size_t first, std::size_t last);
  void number_nodes(const Space& space);
  template <class Parameters>
  LargeArray<T> parameters(const Space& space, const MaterialTable& material, Parameters&& of) const;
  void fill_geometry(const Space& space, const MaterialTable& material);
  void fill_branches(const Space& space, const MaterialTable& material);
  static void fill_shapes(const Element& element, Kind& kind);
  void fill_views(const Space& space);

  /// The nodes of the cells, as Batches describes them.
  struct Nodes {
    LargeArray<int> entries;
    std::vector<long> at;
    std::vector<int> zero_until;
  };
  struct Geometry {
    LargeArray<T> numbers, metric;
    std::vector<long> at, metric_at;
  };
  struct Branches {
    std::vector<int> counts;
    std::vector<long> at, internal_at;
    std::vector<double> numbers;
  };
  struct LawParameters {
    LargeArray<T> numbers;
    std::size_t rows = 4;  // the density, and three numbers or more
  };
  struct PointNumbers {
    std::vector<long> at;
    std::size_t size = 0;  // of all batches
  };

  int lanes_, inner_ = 0;
  std::vector<const void*> registered_;
  std::vector<Kind> kinds_;                          // in the order of the space's blocks
  std::vector<std::pair<std::size_t, Range>> runs_;  // ranges of consecutive batches of one kind
  std::unique_ptr<Edges> edges_;
  std::vector<PetscInt> cells_;  // [batch][lane]
  std::vector<int> used_, laws_;
  std::vector<char> shapes_;
  Nodes nodes_;
  Geometry geometry_;
  Branches branches_;
  LawParameters parameters_;
  PointNumbers points_;
};

extern template class BatchArrays<double>;
extern template class BatchArrays<float>;

}  // namespace gearshift::solid
