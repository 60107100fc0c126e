#pragma once

/// @file
/// Lagrange elements on reference cells: nodes, shape functions, quadrature, faces.

#include <gearshift/solid/basis.hpp>
#include <gearshift/solid/types.hpp>

#include <span>
#include <vector>

namespace gearshift::solid {

enum class CellKind { hexahedron, tetrahedron };

/// A quadrature point on a face; its weight is the product of both weights.
struct FacePoint {
  Vec3 xi{};
  std::array<double, 2> weights{};
};

/// Degree p on the reference cell.
///
/// | | hexahedron | tetrahedron |
/// |---|---|---|
/// | cell | [-1, 1]^3 | xi_0, xi_1, xi_2 >= 0, xi_0 + xi_1 + xi_2 <= 1; vertex 0 in the origin, vertex d + 1 on axis d |
/// | degree | 1..6 | 1..3 |
/// | nodes | Gauss-Lobatto in each direction, i + (p+1) (j + (p+1) k) with i along xi_0 | vertices; p - 1 Gauss-Lobatto points of each edge 01 02 03 12 13 23, from its lower vertex; at degree 3 the centroids of the faces |
/// | stress points | p + 1 Gauss points per direction, ordered like the nodes | 1, 4, 14 for degree 1, 2, 3, exact to degree 1, 2, 5: exact for linear laws on straight cells |
/// | mass points | the same | 4, 14, 24, exact to degree 2, 5, 6: exact mass of straight cells |
/// | face f | 0, 1: xi_0 = -1, +1; 2, 3: xi_1 = -1, +1; 4, 5: xi_2 = -1, +1 | 0, 1, 2: xi_f = 0; 3: xi_0 + xi_1 + xi_2 = 1 |
///
/// Quadrature exact to degree 2p - 2 keeps the order of convergence, on curved cells too (Ciarlet, Raviart, in: The
/// Mathematical Foundations of the Finite Element Method, 1972); the patch test is exact on straight tetrahedra.
class GEARSHIFT_EXPORT Element {
 public:
  /// OptionError for degrees that are not available.
  Element(CellKind kind, int degree);

  CellKind kind() const { return kind_; }
  int degree() const { return line_.degree; }
  /// The basis along an edge, whose tensor products are the basis of hexahedra.
  const Basis& line() const { return line_; }
  /// Reference positions of the nodes.
  const std::vector<Vec3>& nodes() const { return nodes_; }
  /// Quadrature points of the stress, all inside the cell, and x times the weight of one; weights are positive and sum
  /// up to the reference cell's volume.
  const std::vector<Vec3>& points() const { return points_; }
  double weigh(double x, std::size_t point) const;
  /// The same for volume integrals: mass and body forces.
  const std::vector<Vec3>& mass_points() const { return mass_points_; }
  double weigh_mass(double x, std::size_t point) const;

  /// Shape functions and their derivatives at xi, nodes().size() of them.
  void values(const Vec3& xi, std::span<double> values) const;
  void slopes(const Vec3& xi, std::span<Vec3> slopes) const;

  int faces() const { return kind_ == CellKind::hexahedron ? 6 : 4; }
  int vertices() const { return kind_ == CellKind::hexahedron ? 8 : 4; }
  /// Numbers of the nodes on a face; hexahedra: the lower tangential direction fastest.
  const std::vector<int>& face_nodes(int face) const { return face_nodes_[static_cast<std::size_t>(face)]; }
  /// Quadrature points of a face: the area is the sum of weights times |J t_0 x J t_1| with the face's tangents.
  std::vector<FacePoint> face_points(int face) const;
  std::array<Vec3, 2> face_tangents(int face) const;

  /// The centre, and how far xi is outside the cell: negative inside.
  Vec3 centre() const;
  double outside(const Vec3& xi) const;
  /// A point that round-off has put outside, moved back onto the cell.
  Vec3 clamped(Vec3 xi) const;

 private:
  void make_hexahedron();
  void make_tetrahedron();

  CellKind kind_;
  Basis line_;
  std::vector<Vec3> nodes_, points_, mass_points_;
  std::vector<double> weights_, mass_weights_;  // of tetrahedra
  std::vector<double> coefficients_;            // [monomial][node] of the tetrahedron's shape functions
  std::array<std::vector<int>, 6> face_nodes_;
};

}  // namespace gearshift::solid
