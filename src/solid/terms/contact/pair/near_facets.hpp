#pragma once

/// @file
/// The points of faces that are near other faces.

#include <gearshift/solid/contact.hpp>

#include "solid/terms/contact/constants.hpp"
#include "solid/terms/contact/pair/facet_nodes.hpp"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// A point of this rank's facets and the place of the other side that is nearest to it.
struct Near {
  std::size_t own, point;
  std::size_t facet;  ///< of the other side, among the known ones
  ClosestPoint at;
  double gap;        ///< above the overlap that is removed
  Vec3 normal;       ///< of the facet, or at an edge of the gap
  double alignment;  ///< of the gap with the facet's normal, |cos|
};

/// The facets of a contact between faces at the places of the last state, and the points that are near the other side.
/// A rank knows first its own facets, then those that are near them. The result does not depend on the time of the last
/// search: the closest point of a facet is computed from its centre, and among several facets the nearest one counts.
/// Places are measured from a point at the faces, so that they do not round with the position of the body.
class NearFacets {
 public:
  using Values = std::vector<Vec3>;  // of the nodes of the known facets
  struct Properties {
    double depth = 0;      ///< h: of the cell behind the facet, divided by the degree [length]
    double impedance = 0;  ///< beta Z [force time/length^3]
    double size = 0;       ///< diameter of a ball around the nodes
    Sides sides = 0;
    Borders borders = {};
    PetscInt body = 0;  ///< see body_of_nodes(); with contact of faces with themselves
  };

  /// @param own         must outlive this object
  /// @param properties  of the own facets; depths and impedances are given. Collective.
  NearFacets(const ContactFacets& own, const Contact& contact, std::vector<Properties> properties);

  /// Moves the facets to the displacements, and searches again if nodes have moved relative to each other by more than
  /// the search allows. Returns false, on all ranks, if some place is not finite. Collective.
  bool place(Vec q);
  /// Measures gaps from the present ones where these are negative.
  void remove_overlaps();

  const std::shared_ptr<const FacetSearch>& search() const { return known_.search; }
  const FacetNodes& nodes() const { return known_.nodes; }
  const Properties& operator[](std::size_t facet) const { return properties_[facet]; }
  /// Returns the largest size of a facet on any rank.
  double largest() const { return largest_; }
  const Values& X() const { return known_.X; }
  const Values& places() const { return places_; }
  /// Returns a number that changes when places change.
  std::size_t state() const { return state_; }
  /// Return values at the known nodes, and their places for displacements. Collective.
  Values values(Vec of) const;
  Values places_for(Vec q) const;

  /// Returns the own points that are near the other side; they are kept for the next call at the same state.
  const std::vector<Near>& near_points();
  /// Finds them. @param touching true: places from which a point is apart need not be found
  std::vector<Near> find(bool touching) const;
  /// Returns the height up to which points of a facet are in contact.
  double touching_height(std::size_t facet) const { return contact::at_rest * properties_[facet].depth; }
  double removed_overlap(std::size_t facet, std::size_t point) const {
    return overlaps_.empty() ? 0 : overlaps_[facet][point];
  }
  /// Returns the speed at which nodes of the faces move relative to their mean, and a lower bound of the distance of
  /// the two sides. Collective.
  std::pair<double, double> speed_and_distance(const Values& v) const;
  double bytes() const { return known_.search->bytes() + 3 * known_.nodes.subset()->bytes(); }

 private:
  /// A box around a facet, along its tangents and its normal at the centre.
  struct Cover {
    Vec3 centre{};
    std::array<Vec3, 3> axes{};
    Extent extent{};
    Vec3 seen(const Vec3& x) const {
      const Vec3 r = x - centre;
      return {dot(axes[0], r), dot(axes[1], r), dot(axes[2], r)};
    }
    /// Returns a box around a facet.
    Extent seen_box(std::span<const std::size_t> nodes, const Values& places, bool larger) const;
    /// Returns true if a place lies farther beside the facet than above or below it.
    bool is_beside(const Vec3& seen) const;
  };
  struct OwnPoint {
    std::size_t facet, point;
    Vec3 x{}, normal{}, X{};
  };
  using NearestFirst = std::vector<std::pair<double, std::size_t>>;  // lower bounds of squared distances, and facets

  /// Finds the facets that are near each other. @param places those of the own facets' nodes. Collective.
  void find_facets(const std::vector<Values>& places);
  Cover cover(std::size_t facet) const;
  /// Returns the facets that points of an own facet may be near.
  std::vector<std::size_t> partners(std::size_t facet, bool touching) const;
  /// @param order work space
  std::optional<Near> nearest(const OwnPoint& own, const std::vector<std::size_t>& partners, bool touching,
                              NearestFirst& order) const;
  bool nearer(const Near& a, const Near& b) const;
  /// Returns true if a point lies behind a place of the same body before it is deformed, as in a thin wall.
  bool is_behind(const OwnPoint& own, const Near& near) const;
  /// Returns the distance to which a facet sees another one, and that to which it penetrates: both sides of a plate of
  /// one cell are no contact.
  double sight_of(std::size_t facet, std::size_t other, bool touching) const;

  const ContactFacets& facets_;
  bool with_itself_;
  std::vector<Properties> properties_;         // of the known facets
  std::vector<std::vector<double>> overlaps_;  // g_0 [facet][point], if overlaps are removed
  double largest_ = 0;
  Vec3 origin_{};
  /// The result of the last search.
  struct Known {
    std::shared_ptr<const FacetSearch> search;
    FacetNodes nodes;
    std::vector<std::vector<std::size_t>> candidates;  // for each own facet
    Values X, places;
  } known_;
  // At the last state:
  std::size_t state_ = 0;
  Values places_;
  std::vector<Vec3> modes_;  // [facet][mode]
  std::vector<Cover> covers_;
  std::optional<std::vector<Near>> near_points_;
};

/// Return the value at a place with these functions of the nodes, the value with its derivatives, and S_s x S_t for
/// their positions.
inline Vec3 value_of(std::span<const FacetJet<double>> functions, std::span<const std::size_t> nodes,
                     const NearFacets::Values& values) {
  Vec3 sum{};
  for (std::size_t i = 0; i < nodes.size(); ++i) sum = sum + functions[i].value * values[nodes[i]];
  return sum;
}
inline FacetJet<Vec3> jet_of(std::span<const FacetJet<double>> functions, std::span<const std::size_t> nodes,
                             const NearFacets::Values& values) {
  FacetJet<Vec3> sum;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Vec3& value = values[nodes[i]];
    sum.value = sum.value + functions[i].value * value;
    for (std::size_t a = 0; a < 2; ++a) sum.slopes[a] = sum.slopes[a] + functions[i].slopes[a] * value;
    for (std::size_t a = 0; a < 3; ++a) sum.bends[a] = sum.bends[a] + functions[i].bends[a] * value;
  }
  return sum;
}
inline Vec3 area_vector(std::span<const FacetJet<double>> functions, std::span<const std::size_t> nodes,
                        const NearFacets::Values& places) {
  Vec3 along{}, across{};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    along = along + functions[i].slopes[0] * places[nodes[i]];
    across = across + functions[i].slopes[1] * places[nodes[i]];
  }
  return cross(along, across);
}

}  // namespace gearshift::solid
