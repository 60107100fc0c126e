#pragma once

/// @file
/// The nodes of all facets of a contact that a rank knows.

#include "solid/operator/exchange/node_subset.hpp"
#include "solid/terms/contact/pair/facet_search.hpp"

#include <memory>
#include <span>
#include <vector>

namespace gearshift::solid {

/// The facets of a FacetSearch on the space of `own`, which must outlive this object.
class FacetNodes {
 public:
  FacetNodes() = default;
  /// Collective.
  FacetNodes(const ContactFacets& own, const FacetSearch& search);

  std::size_t count() const { return shapes_.size(); }
  const FacetShape& shape(std::size_t facet) const { return *shapes_[facet]; }
  /// Returns positions in subset().
  std::span<const std::size_t> nodes(std::size_t facet) const {
    return {nodes_.data() + begins_[facet], begins_[facet + 1] - begins_[facet]};
  }
  const std::shared_ptr<const NodeSubset>& subset() const { return subset_; }
  /// Returns true if two facets have a node in common.
  bool joined(std::size_t a, std::size_t b) const;

 private:
  std::vector<const FacetShape*> shapes_;
  std::vector<std::size_t> begins_, nodes_;
  std::shared_ptr<const NodeSubset> subset_;
};

}  // namespace gearshift::solid
