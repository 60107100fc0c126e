#pragma once

/// @file
/// What kernels read, laid out for a number of lanes.

#include "solid/kernels/table.hpp"
#include "solid/material/material_table.hpp"
#include "solid/operator/edges.hpp"
#include "solid/operator/large_array.hpp"

#include <memory>
#include <vector>

namespace gearshift::solid {

/// The cells of this rank in batches of one law, one number of Maxwell branches and one shape, inner batches first. Inner
/// cells touch no ghosts, and their batches are full; all others are edge cells and use the numbering of Edges, where lanes
/// without a cell stand on nobody's node. T is the precision of what kernels read.
template <class T>
class BatchArrays {
 public:
  /// @param material of each cell of the rank; already checked.
  BatchArrays(const Space& space, const MaterialTable& material, const Kernels& kernels);
  BatchArrays(const BatchArrays&) = delete;
  BatchArrays& operator=(const BatchArrays&) = delete;

  const Batches<T>& view() const { return view_; }
  Range inner_before() const { return {0, inner_ / 2}; }
  Range inner_after() const { return {inner_ / 2, inner_}; }
  Range edge() const { return {inner_, view_.count}; }
  const Edges& edges() const { return *edges_; }
  /// Numbers of all batches' point data.
  std::size_t point_data_size() const { return point_data_size_; }
  int lanes() const { return lanes_; }
  /// What kernels read of laws, with a softer bulk where lambda > most mu.
  LargeArray<T> parameters_with_soft_bulk(const MaterialTable& material, double most) const;
  PetscInt cell(int batch, int lane) const { return cells_[static_cast<std::size_t>(batch * lanes_ + lane)]; }
  int used(int batch) const { return used_[static_cast<std::size_t>(batch)]; }

 private:
  struct Group;
  std::vector<Group> group_cells(const Space& space, const MaterialTable& material);
  void add_batches(const Group& group, std::size_t first, std::size_t last);
  void number_nodes(const Space& space);
  template <class Parameters>
  LargeArray<T> parameters(const MaterialTable& material, Parameters&& of) const;
  void fill_geometry(const Space& space, const MaterialTable& material);
  void fill_branches(const Space& space, const MaterialTable& material);
  void fill_shapes(const Element& element);

  int lanes_, inner_ = 0;
  std::size_t point_data_size_ = 0, parameter_rows_ = 0;
  std::vector<const void*> registered_;
  Batches<T> view_;
  std::unique_ptr<Edges> edges_;
  std::vector<PetscInt> cells_;  // [batch][lane]
  std::vector<int> used_, laws_, fresh_;
  std::vector<char> shapes_;
  std::vector<long> geometry_at_, metric_at_, points_at_;
  std::vector<int> branch_counts_;
  std::vector<long> branches_at_, internal_at_;
  std::vector<double> branch_numbers_;
  std::vector<double> point_weights_, mass_weights_, corner_slopes_, corner_values_;
  std::vector<double> shape_slopes_, shape_values_;  // of tetrahedra
  LargeArray<int> nodes_;
  LargeArray<T> parameters_, geometry_, metric_;
};

extern template class BatchArrays<double>;
extern template class BatchArrays<float>;

}  // namespace gearshift::solid
