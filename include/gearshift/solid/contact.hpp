#pragma once

/// @file
/// Rigid obstacles, and contact of a body's faces with them, with other faces and with themselves.

#include <gearshift/solid/expression.hpp>
#include <gearshift/solid/types.hpp>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// The distance of a point x from the surface of an obstacle, with its derivatives.
struct Distance {
  PetscReal d = 0;                       ///< distance, negative inside the obstacle [length]
  Vec3 normal{};                         ///< grad d, of length 1, out of the obstacle
  std::array<PetscReal, 6> curvature{};  ///< grad grad d: 00 01 02 11 12 22 [1/length]
  PetscReal rate = 0;  ///< time derivative of d at a fixed point, if the obstacle changes its shape [length/time]
};

/// An obstacle: its signed distance at time t and point x. The rules of Field apply. Where d < 0, d and its gradient
/// should be continuous to the depth to which the body penetrates.
using Obstacle = std::function<Distance(PetscReal t, const Vec3& x)>;

/// Returns the half-space below the plane through a point. `normal`, of any length, points out of the half-space,
/// towards the body.
GEARSHIFT_EXPORT Obstacle plane(const Vec3& point, const Vec3& normal);
/// Returns a ball.
GEARSHIFT_EXPORT Obstacle sphere(const Vec3& centre, PetscReal radius);
/// Returns an infinitely long cylinder around the axis through a point.
GEARSHIFT_EXPORT Obstacle cylinder(const Vec3& point, const Vec3& axis, PetscReal radius);
/// Returns a box with sharp edges whose sides are parallel to x, y, z. The distance is measured to the nearest point of
/// the surface, also inside the box, so that the normal jumps in the planes that bisect the angles at edges.
GEARSHIFT_EXPORT Obstacle box(const Vec3& centre, const Vec3& size);
/// Returns the obstacle in which the formula is negative. The value of the formula is used as the distance, so its
/// gradient should have length 1 at the surface.
GEARSHIFT_EXPORT Obstacle obstacle(const Expression& distance);
/// Returns the inside of a closed surface of triangles, whose normals point outwards. The distance is a C^2 spline on a
/// grid of 64 intervals along the longest side of the surface or, if these are shorter, 8 along the shortest; it rounds
/// edges and smaller details. Throws OptionError if the contents are not those of an STL file, or if the surface is not
/// closed. @param stl the contents of an STL file, text or binary
GEARSHIFT_EXPORT Obstacle closed_surface(std::string_view stl);
/// Returns the space outside the obstacle as an obstacle, for bodies inside it.
GEARSHIFT_EXPORT Obstacle inside_of(Obstacle obstacle);

/// Contact of some faces with one obstacle, with other faces of the mesh, or with themselves.
///
/// **An obstacle** acts by a penalty on the gap g = d(t, X + u) - g_0:
///
///     energy    Pi = int k/2 min(g, 0)^2 dA,     k = c M / h,   M = min(lambda, 10 mu) + 2 mu
///     force     R -= int max(p - beta Z g', 0) n . phi dA - int mu p f(|w|/w_0) w/|w| . phi dA,   p = -k g if g < 0
///
/// over the undeformed faces, with n = grad d; h is the depth of the cell under the face divided by the degree, k is
/// smoothed over neighbouring cells, and Z = sqrt(rho M) is the impedance. g_0 is 0 or, if overlaps are removed,
/// min(d, 0) of the undeformed body and the unmoved obstacle. With the stiffness c = 0.3 penetrations are as large as
/// the discretisation error of the cells under the face, and the step size follows the motion of the body. Stiffer
/// contacts chatter in a motion unless the viscosity beta damps them. In statics there is no chatter: give c = 10. In
/// the friction term w is the tangential velocity relative to the obstacle, and f(s) = (3 s - s^3)/2 up to s = 1, then
/// 1: below the slip speed w_0 the body creeps. (For time integration in impact problems see D. Doyen, A. Ern, S.
/// Piperno, SIAM J. Sci. Comput. 33, 2011.)
///
/// Statics, which has no velocities, has no viscosity, and its friction depends on the displacements in a load step, as
/// plastic flow does (J.C. Simo, T.A. Laursen, Comput. Struct. 42, 1992): the tangential traction on the body is
///
///     mu p f(s) A/|A|,   s = |A| / (3/2 mu p),   A = (1 - n n') (A_0 - k (y - y_0)),
///
/// where y_0 is the position of the point at the beginning of the load step in the frame of the obstacle, and A_0 is
/// the vector A at that time, shortened to s = 1 if it is longer. Of the displacement y - y_0 of a point that was open
/// with the gap g_s, only the part -g / (g_s - g) counts. The solution depends on the size of the load steps. A
/// checkpoint does not contain y_0 and A_0: after a restart a static solution with friction throws Error until the next
/// accepted step of a motion.
///
/// **Faces** of one or several bodies act on each other in the same way. Each quadrature point x of either side has the
/// gap g = n . (x - x_c) - g_0 from the closest point x_c of the other side, whose normal n must be opposite to that at
/// x within about 80 degrees. The energy is half of the sum over both sides, with the stiffness of two springs in
/// series:
///
///     Pi = 1/2 int_both k/2 min(g, 0)^2 dA,     1/k = 1/k_a + 1/k_b
///
/// Forces are the exact gradient, so that they are in equilibrium, and momentum and angular momentum are conserved.
/// Viscosity uses the impedance Z_a Z_b / (Z_a + Z_b); w is the velocity of sliding on the facet of x_c. In statics y -
/// y_0 is replaced by the way of the point over the other side since the beginning of the load step, measured on that
/// side as it was then, and A turns with the facet. Gaps are known up to about the size of a facet. Facets that have
/// nodes in common do not touch. In self-contact, places of one body that lie behind each other in the undeformed body,
/// as the two sides of a wall, touch only if they are farther apart there than twice |g|. A facet at the rim of a face
/// continues by an eighth of its width with decreasing stiffness, so that points slide over the rim without a jump.
/// Points deeper than half a cell are not in contact.
struct Contact {
  std::string name;
  std::vector<std::string> faces;
  Obstacle obstacle = {};
  /// Instead of an obstacle: other faces of the mesh that `faces` may touch, or true if `faces` may touch each other.
  std::vector<std::string> with = {};
  bool with_itself = false;
  /// Rigid-body motion of the obstacle: its displacement [length], and its rotation vector about `centre` [rad];
  /// functions of t only. The load factor multiplies both.
  std::optional<VectorExpression> motion = {}, rotation = {};
  Vec3 centre{};
  PetscReal stiffness = 0.3;                ///< c [-]
  std::optional<PetscReal> viscosity = {};  ///< beta [-]; 0 for c <= 1 without friction, otherwise 1
  PetscReal friction = 0;                   ///< mu [-]
  /// w_0 [length/time]; if not given, `creep` times the speed of the motion: `speed` or, if that is 0, the speed that
  /// the loads can give to the body over a distance equal to its size. A restart keeps it.
  std::optional<PetscReal> slip_speed = {};
  PetscReal speed = 0;  ///< estimated speed of the motion, for the default of slip_speed [length/time]; 0: unknown
  static constexpr PetscReal creep = 1e-2;
  /// Treatment of an overlap of the undeformed body with the unmoved obstacle or the other faces.
  enum class Overlap { keep, remove } overlap = Overlap::keep;
};

/// Extreme values of a contact, over all accepted states so far or at one state.
struct ContactReport {
  std::string name;
  PetscReal pressure = 0;     ///< greatest normal force per area at a quadrature point [force/length^2]; the area
                              ///< is the deformed one unless the law has small strains
  PetscReal penetration = 0;  ///< greatest -g [length]
  PetscReal depth = 0;        ///< greatest -g / h [-]
  PetscReal area = 0;         ///< undeformed area where g < 0 at the last state [length^2]
  PetscReal gap = 0;          ///< smallest g at the last state [length]; infinity: no faces are near each other
  bool with_obstacle = true;  ///< false: between faces of the mesh
};

}  // namespace gearshift::solid
