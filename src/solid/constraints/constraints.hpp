#pragma once

/// @file
/// The linear map from the free entries of a displacement to all of them.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/space.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace gearshift::solid {

/// u_d = sum_c slopes_c u_c over the components c of one node, the slopes of constrained ones being 0.
struct DependentEntry {
  std::size_t entry;  ///< d: 3 x local node + component
  Vec3 slopes;

  std::size_t first() const { return entry - entry % 3; }
};

/// u = C w: an entry is free (u = w), depends on free ones of its node, or is held (0). A tangent A of all entries
/// becomes C' A C, forces r become C' r. This is all that products, levels, aggregates and modes know of Supports;
/// motions that supports prescribe are added by who sets states. C is constant between two set_up(), and acts node by
/// node: nothing is communicated. Entries are 3 x local node + component, arrays those of the owned ones; held and
/// dependent entries together are called constrained.
class Constraints {
 public:
  /// @param constrained of each local entry, ghosts too. @param dependent ascending. Collective.
  void set_up(const Space& space, std::vector<char> constrained, std::vector<DependentEntry> dependent);

  bool held(std::size_t entry) const { return constrained_[entry] != 0; }
  /// The owned constrained entries, ascending.
  const std::vector<PetscInt>& entries() const { return entries_; }
  /// Whether some rank has dependent entries.
  bool depend() const { return dependent_is_.get() != nullptr; }
  /// Those of owned nodes and of ghosts, ascending.
  const std::vector<DependentEntry>& dependent() const { return dependent_; }
  /// That of an entry, nullptr: it has none.
  const DependentEntry* find(std::size_t entry) const;
  /// The owned ones as global indices: constrained, and dependent among them (nullptr: no rank has any).
  IS constrained_is() const { return constrained_is_.get(); }
  IS dependent_is() const { return dependent_is_.get(); }

  /// u = C w of the free entries of u
  template <class T>
  void apply(T* u) const {
    clear(u);
    complete(u);
  }
  /// r = C' r, 0 in constrained entries
  template <class T>
  void apply_transposed(T* r) const {
    fold(r);
    clear(r);
  }
  /// C of the free entries of an array: the array itself where nothing changes, else a copy in `work`.
  template <class T>
  const T* expand(const T* in, std::size_t size, std::vector<T>& work) const {
    if (expanded(in)) return in;
    work.assign(in, in + size);
    apply(work.data());
    return work.data();
  }
  /// Whether C changes nothing, as with what Krylov methods multiply where no entry depends on others.
  template <class T>
  bool expanded(const T* u) const {
    return !depend() && std::all_of(entries_.begin(), entries_.end(), [u](PetscInt entry) { return u[entry] == 0; });
  }

  // Its parts.
  /// 0 in constrained entries
  template <class T>
  void clear(T* u) const {
    for (const PetscInt entry : entries_) u[entry] = 0;
  }
  /// to = from in constrained entries
  template <class T>
  void copy(const T* from, T* to) const {
    for (const PetscInt entry : entries_) to[entry] = from[entry];
  }
  /// u_d = slopes . u
  template <class T>
  void complete(T* u) const {
    for (std::size_t i = 0; i < owned_dependent_; ++i) {
      const DependentEntry& d = dependent_[i];
      const T* w = u + d.first();
      u[d.entry] =
          static_cast<T>(d.slopes[0]) * w[0] + static_cast<T>(d.slopes[1]) * w[1] + static_cast<T>(d.slopes[2]) * w[2];
    }
  }
  /// r_c += slopes_c r_d; r_d stays
  template <class T>
  void fold(T* r) const {
    for (std::size_t i = 0; i < owned_dependent_; ++i) {
      const DependentEntry& d = dependent_[i];
      for (std::size_t c = 0; c < 3; ++c) r[d.first() + c] += static_cast<T>(d.slopes[c]) * r[d.entry];
    }
  }
  /// The diagonal of C' diag(r) C: r_c += slopes_c^2 r_d
  template <class T>
  void fold_diagonal(T* r) const {
    for (std::size_t i = 0; i < owned_dependent_; ++i) {
      const DependentEntry& d = dependent_[i];
      for (std::size_t c = 0; c < 3; ++c) r[d.first() + c] += static_cast<T>(d.slopes[c] * d.slopes[c]) * r[d.entry];
    }
  }

  /// A = C' A C of the matrix of some nodes, row-major, with 0 in constrained rows and columns.
  void reduce(std::span<const PetscInt> nodes, double* A) const;

 private:
  std::vector<char> constrained_;
  std::vector<PetscInt> entries_;
  std::vector<DependentEntry> dependent_;
  std::size_t owned_dependent_ = 0;  // the first ones
  petsc::Handle<IS> constrained_is_, dependent_is_;
};

/// The entries of one node that follow where it cannot move along `directions`: those with the largest parts in them,
/// by elimination. `known` has the bits of components that are given otherwise, and a direction that they hold already
/// gives none. Slopes that are all 0 say that the entry is 0.
std::vector<DependentEntry> dependent_entries(std::size_t node, unsigned known, std::vector<Vec3> directions);

}  // namespace gearshift::solid
