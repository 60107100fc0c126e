#pragma once

/// @file
/// Constrained entries of nodes that follow from the nodes' other entries.

#include <gearshift/solid/types.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace gearshift::solid {

/// u_d = sum_c slopes_c u_c over the components c of one node, the slopes of dependent ones being 0.
struct DependentEntry {
  std::size_t entry;  ///< d: 3 x local node + component
  Vec3 slopes;

  std::size_t first() const { return entry - entry % 3; }
};

/// The linear map u = C w that writes dependent entries, and its transpose, node by node: nothing is communicated.
class DependentEntries {
 public:
  /// Clears it. @param owned the number of owned entries; those of ghosts are in all() only
  void begin(std::size_t owned) {
    owned_ = owned;
    count_ = 0;
    all_.clear();
  }
  /// Entries are given in ascending order.
  void add(const DependentEntry& dependent) {
    if (dependent.entry < owned_) ++count_;
    all_.push_back(dependent);
  }

  bool none() const { return count_ == 0; }
  /// Those of owned nodes and of ghosts, ascending.
  const std::vector<DependentEntry>& all() const { return all_; }
  /// That of an entry, nullptr: it has none.
  const DependentEntry* find(std::size_t entry) const;

  /// u_d = slopes . u, on an array of the owned entries
  template <class T>
  void complete(T* u) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const DependentEntry& d = all_[i];
      const T* w = u + d.first();
      u[d.entry] =
          static_cast<T>(d.slopes[0]) * w[0] + static_cast<T>(d.slopes[1]) * w[1] + static_cast<T>(d.slopes[2]) * w[2];
    }
  }
  /// r_c += slopes_c r_d; r_d stays
  template <class T>
  void fold(T* r) const {
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t c = 0; c < 3; ++c)
        r[all_[i].first() + c] += static_cast<T>(all_[i].slopes[c]) * r[all_[i].entry];
  }
  /// The diagonal of C' diag(r) C: r_c += slopes_c^2 r_d
  template <class T>
  void fold_diagonal(T* r) const {
    for (std::size_t i = 0; i < count_; ++i)
      for (std::size_t c = 0; c < 3; ++c)
        r[all_[i].first() + c] += static_cast<T>(all_[i].slopes[c] * all_[i].slopes[c]) * r[all_[i].entry];
  }
  /// C' A C in the rows and columns of a node's other entries. @param A row-major. @param place of the node's first row
  static void fold_matrix(const DependentEntry& d, double* A, std::size_t rows, std::size_t place);

 private:
  std::size_t owned_ = 0, count_ = 0;
  std::vector<DependentEntry> all_;
};

/// The entries of one node that follow where it cannot move along `directions`: those with the largest parts in them,
/// by elimination. `known` has the bits of components that are given otherwise, and a direction that they hold already
/// gives none. Slopes that are all 0 say that the entry is 0.
std::vector<DependentEntry> dependent_entries(std::size_t node, unsigned known, std::vector<Vec3> directions);

}  // namespace gearshift::solid
