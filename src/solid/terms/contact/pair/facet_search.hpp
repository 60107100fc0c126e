#pragma once

/// @file
/// The search for facets that are near each other.

#include "petsc/ranks/exchange.hpp"
#include "solid/numerics/box_tree.hpp"
#include "solid/terms/contact/pair/contact_facets.hpp"

#include <map>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Pairs of facets whose boxes overlap. Each rank knows first its own facets, then those of other ranks that are near
/// them. A rank sends a facet to the ranks whose facets' common box overlaps it; only these boxes,
/// two for each rank, are known everywhere.
class FacetSearch {
 public:
  /// Finds the pairs. Collective.
  FacetSearch(MPI_Comm comm, const std::vector<Extent>& boxes, const std::vector<Sides>& sides);
  /// Returns the known facets that may touch an own facet, in no particular order.
  std::span<const std::size_t> near(std::size_t own) const {
    return {near_.data() + ends_[own], ends_[own + 1] - ends_[own]};
  }
  /// Returns numbers of all known facets, `size` for each. Collective.
  template <class Number>
  std::vector<Number> share(std::vector<Number> own, std::size_t size = 1) const {
    std::map<int, std::vector<Number>> to;
    for (const auto& [rank, facets] : sent_)
      for (const std::size_t f : facets) {
        const auto begin = own.begin() + static_cast<std::ptrdiff_t>(f * size);
        to[rank].insert(to[rank].end(), begin, begin + static_cast<std::ptrdiff_t>(size));
      }
    for (const auto& [rank, numbers] : petsc::exchange(comm_, to))
      own.insert(own.end(), numbers.begin(), numbers.end());
    return own;
  }
  double bytes() const { return static_cast<double>((near_.size() + ends_.size()) * sizeof(std::size_t)); }

 private:
  MPI_Comm comm_;
  std::map<int, std::vector<std::size_t>> sent_;  // own facets, by the rank that receives them
  std::vector<std::size_t> ends_, near_;
};

}  // namespace gearshift::solid
