#pragma once

/// @file
/// The linear map from the free degrees of freedom to all of them.

#include <gearshift/petsc/handle.hpp>
#include <gearshift/solid/space.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace gearshift::solid {

/// u_d = sum_c slopes_c u_c over the components c of one node. The slopes of dependent entries are 0. The slopes of
/// held entries are not: a held entry may have a prescribed motion, which the dependent entry follows; in C it is 0.
struct DependentEntry {
  std::size_t entry;  ///< d: 3 x local node + component
  Vec3 slopes;

  std::size_t first() const { return entry - entry % 3; }
};

/// The map u = C w from the free entries w of a displacement to all its entries: an entry is free (u = w), dependent (a
/// linear combination of other entries of its node), or held (0). Dependent and held entries are called constrained. A
/// tangent A becomes C' A C, a residual r becomes C' r. The tangent, multigrid levels and aggregates use only this
/// class; Supports builds it and adds prescribed motions. C is constant between two calls of set_up(), and acts node by
/// node, without communication. Entries are numbered 3 x local node + component; arrays hold the owned entries.
class Constraints {
 public:
  /// Sets the constrained entries among all local entries, ghosts included, and the dependent ones among these, in
  /// ascending order. Collective.
  void set_up(const Space& space, std::vector<char> constrained, std::vector<DependentEntry> dependent);

  bool held(std::size_t entry) const { return constrained_[entry] != 0; }
  /// Returns the owned constrained entries in ascending order.
  const std::vector<PetscInt>& entries() const { return entries_; }
  /// Returns true if some rank has dependent entries.
  bool depend() const { return dependent_is_.get() != nullptr; }
  /// Returns the dependent entries of owned nodes and ghosts in ascending order.
  const std::vector<DependentEntry>& dependent() const { return dependent_; }
  /// Returns the dependence of an entry, or nullptr if it is not a dependent one.
  const DependentEntry* find(std::size_t entry) const;
  /// Return the owned constrained and dependent entries as global indices; the latter are nullptr if no rank has any.
  IS constrained_is() const { return constrained_is_.get(); }
  IS dependent_is() const { return dependent_is_.get(); }

  /// Computes u = C w from the free entries of u.
  template <class T>
  void apply(T* u) const {
    clear(u);
    complete(u);
  }
  /// Computes r = C' r, with 0 in constrained entries.
  template <class T>
  void apply_transposed(T* r) const {
    fold(r);
    clear(r);
  }
  /// Returns C of the free entries of an array: the array itself if it is unchanged by C, otherwise a copy in `work`.
  template <class T>
  const T* expand(const T* in, std::size_t size, std::vector<T>& work) const {
    if (expanded(in)) return in;
    work.assign(in, in + size);
    apply(work.data());
    return work.data();
  }
  /// Returns true if C leaves the array unchanged, as it does the vectors of Krylov methods without dependent entries.
  template <class T>
  bool expanded(const T* u) const {
    return !depend() && std::all_of(entries_.begin(), entries_.end(), [u](PetscInt entry) { return u[entry] == 0; });
  }

  /// Sets constrained entries to 0.
  template <class T>
  void clear(T* u) const {
    for (const PetscInt entry : entries_) u[entry] = 0;
  }
  /// Copies constrained entries.
  template <class T>
  void copy(const T* from, T* to) const {
    for (const PetscInt entry : entries_) to[entry] = from[entry];
  }
  /// Computes dependent entries: u_d = slopes . u.
  template <class T>
  void complete(T* u) const {
    for (std::size_t i = 0; i < owned_dependent_; ++i) {
      const DependentEntry& d = dependent_[i];
      const T* w = u + d.first();
      u[d.entry] =
          static_cast<T>(d.slopes[0]) * w[0] + static_cast<T>(d.slopes[1]) * w[1] + static_cast<T>(d.slopes[2]) * w[2];
    }
  }
  /// Adds the forces of dependent entries to the other entries of their nodes: r_c += slopes_c r_d; r_d is unchanged.
  template <class T>
  void fold(T* r) const {
    for (std::size_t i = 0; i < owned_dependent_; ++i) {
      const DependentEntry& d = dependent_[i];
      for (std::size_t c = 0; c < 3; ++c) r[d.first() + c] += static_cast<T>(d.slopes[c]) * r[d.entry];
    }
  }
  /// Adds the diagonal of C' diag(r) C: r_c += slopes_c^2 r_d.
  template <class T>
  void fold_diagonal(T* r) const {
    for (std::size_t i = 0; i < owned_dependent_; ++i) {
      const DependentEntry& d = dependent_[i];
      for (std::size_t c = 0; c < 3; ++c) r[d.first() + c] += static_cast<T>(d.slopes[c] * d.slopes[c]) * r[d.entry];
    }
  }

  /// Computes A = C' A C for the row-major matrix of some nodes, with 0 in constrained rows and columns.
  void reduce(std::span<const PetscInt> nodes, double* A) const;

 private:
  std::vector<char> constrained_;
  std::vector<PetscInt> entries_;
  std::vector<DependentEntry> dependent_;
  std::size_t owned_dependent_ = 0;  // the first of them are owned
  petsc::Handle<IS> constrained_is_, dependent_is_;
};

/// Returns the entries of one node that become dependent because it cannot move along `directions`: the components with
/// the largest parts, found by elimination with pivoting. `known` has a bit for each component that another support
/// gives; a direction that these hold already adds none. Slopes that are all 0 mean that the entry is held.
std::vector<DependentEntry> dependent_entries(std::size_t node, unsigned known, std::vector<Vec3> directions);

}  // namespace gearshift::solid
