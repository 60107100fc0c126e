#pragma once

/// @file
/// The point of a facet that is closest to a given point.

#include "solid/terms/contact/pair/facet_shape.hpp"

#include <optional>

namespace gearshift::solid {

/// A point S(xi) of a facet at which |x - S| is stationary in the directions `along`: both within a facet, one on an
/// edge, none at a corner.
struct ClosestPoint {
  FacetPlace place{};
  int directions = 2;
  bool ridge = false;  ///< on a ridge or a corner next to one: x is outside of the body
  std::array<FacetPlace, 2> along{{{1, 0}, {0, 1}}};
  FacetJet<Vec3> surface{};  ///< S with its derivatives
  Vec3 apart{};              ///< x - S
  double squared = 0;        ///< |x - S|^2
};

/// Sides of a facet, one bit for each: rims belong to no other facet, ridges to two facets with a sharp convex angle.
using SideBits = unsigned char;
struct Borders {
  SideBits rims = 0, ridges = 0;
};

/// Returns the part of a point's contact that counts, 1 within the facet and 0 at the overhang's end, with its
/// derivatives: 1 - 3 b^2 + 2 b^3 with the part b of the overhang.
FacetJet<double> part_beyond_rims(const FacetShape& shape, SideBits rims, const FacetPlace& place);

/// Returns the closest point, by Newton's method within the facet from its centre, then along its edges, then at its
/// corners. Facets continue a little beyond their rims, whose edges have no closest points. nullopt: the closest point
/// lies beyond a rim.
std::optional<ClosestPoint> closest_point(const FacetShape& shape, const Vec3* modes, Borders borders, const Vec3& x);

}  // namespace gearshift::solid
