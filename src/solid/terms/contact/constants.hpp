#pragma once

/// @file
/// Constants of contacts. Where no other source is given, values were chosen with tests/solid/pairs.cpp, spheres.cpp
/// and contact_runs.cpp.

namespace gearshift::solid::contact {

/// A body that rests without pressure touches: gaps up to this part of h count as 0, so that the tangent at the start
/// of a static solution has the contact's stiffness.
inline constexpr double at_rest = 1e-9;
/// A nearly incompressible surface gives way sideways: more of lambda, in units of mu, adds nothing to its stiffness.
inline constexpr double most_lambda = 10;
/// Friction in statics slides fully if |A| reaches this times mu p: the curve f(s) = (3 s - s^3)/2 then begins with the
/// stiffness k.
inline constexpr double most_stick = 1.5;

// Distances from a closed surface on a grid
inline constexpr int intervals = 64, fewest_intervals = 8;  ///< along the longest and the shortest side at least
inline constexpr double far_from_surface = 4;               ///< grid steps from its box: exact distances beyond them

// Faces of the mesh
inline constexpr double most_alike = -0.2;  ///< facets touch if the cosine between their normals is below this
/// At an edge or corner the gap makes an angle with the facet's normal whose cosine is at least this: from places
/// beside the facet another one is nearer, or the surface ends. Cover::is_beside() excludes most of these.
inline constexpr double steep = 0.7;
inline constexpr double sharp = 0.7;       ///< cosine of the angle between the normals at a ridge
inline constexpr double sight = 0.75;      ///< gaps are known up to this times the sizes of both facets
inline constexpr double deepest = 0.5;     ///< part of a cell's depth up to which gaps of touching facets are known
inline constexpr double overhang = 0.125;  ///< part of its width that a facet reaches beyond a rim
/// Distances of a search, as parts of a facet's size: the box of a facet is larger by `skin`; nodes may move by `slack`
/// from the common motion before the next search.
inline constexpr double skin = 1, slack = 0.25;

}  // namespace gearshift::solid::contact
