#pragma once

/// @file
/// The facets of the faces in contact.

#include <gearshift/solid/contact.hpp>
#include <gearshift/solid/space.hpp>

#include "solid/terms/contact/pair/closest_point.hpp"

#include <memory>
#include <vector>

namespace gearshift::solid {

/// The sides of a contact to which a facet belongs.
using Sides = unsigned char;
constexpr Sides first_side = 1, second_side = 2;
/// Returns true if two facets may touch.
inline bool may_touch(Sides a, Sides b) {
  return ((a & first_side) != 0 && (b & second_side) != 0) || ((a & second_side) != 0 && (b & first_side) != 0);
}

/// This rank's facets of a contact between faces, with nodes of one degree; the same facets in the same order on spaces
/// of other degrees.
class ContactFacets {
 public:
  struct Facet {
    PetscInt cell = 0;
    Sides sides = 0;
    const FacetShape* shape = nullptr;
    std::vector<PetscInt> nodes;  // of the space, in the order of the shape
  };

  /// Not collective.
  ContactFacets(const Space& space, const Contact& contact);

  const Space& space() const { return space_; }
  std::size_t count() const { return facets_.size(); }
  const Facet& operator[](std::size_t i) const { return facets_[i]; }
  PetscInt global(std::size_t facet, std::size_t i) const {
    return space_.global_node_numbers()[static_cast<std::size_t>(facets_[facet].nodes[i])];
  }
  const Vec3& X(std::size_t facet, std::size_t i) const {
    return space_.coordinates()[static_cast<std::size_t>(facets_[facet].nodes[i])];
  }
  const FacetShape& shape(bool triangle) const { return *shapes_[triangle ? 1 : 0]; }
  /// Returns the largest number of nodes of a facet on any rank.
  std::size_t most_nodes() const;
  /// Returns the borders of the undeformed facets. Collective.
  std::vector<Borders> borders() const;

 private:
  const Space& space_;
  std::array<std::shared_ptr<const FacetShape>, 2> shapes_;  // of quadrilaterals and triangles, if cells have any
  std::vector<Facet> facets_;
};

}  // namespace gearshift::solid
