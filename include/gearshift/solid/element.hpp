#pragma once

/// @file
/// Lagrange elements on reference cells: nodes, shape functions, quadrature, faces.

#include <gearshift/solid/basis.hpp>
#include <gearshift/solid/cell_kind.hpp>
#include <gearshift/solid/types.hpp>

#include <memory>
#include <span>
#include <vector>

namespace gearshift::solid {

class ReferenceCell;

/// A quadrature point on a face; its weight is the product of both weights.
struct FacePoint {
  Vec3 xi{};
  std::array<double, 2> weights{};
};

/// A Lagrange element of degree p on the reference cell.
///
/// | | hexahedron | tetrahedron | wedge |
/// |---|---|---|---|
/// | cell | [-1, 1]^3 | xi_0, xi_1, xi_2 >= 0, xi_0 + xi_1 + xi_2 <= 1; vertex 0 in the origin, vertex d + 1 on axis d | the triangle xi_0, xi_1 >= 0, xi_0 + xi_1 <= 1 times -1 <= xi_2 <= 1 |
/// | degree | 1..6 | 1..3 | 1, 2 |
/// | nodes | Gauss-Lobatto in each direction, i + (p+1) (j + (p+1) k) with i along xi_0 | vertices; p - 1 Gauss-Lobatto points of each edge 01 02 03 12 13 23, from its lower vertex; at degree 3 the centroids of the faces | those of the triangle, which are its vertices and at degree 2 the middles of its edges 01 02 12, times those along xi_2: t + (p+1)(p+2)/2 k |
/// | stress points | p + 1 Gauss points per direction, ordered like the nodes | 1, 4, 14 for degree 1, 2, 3, exact to degree 1, 2, 5: exact for linear laws on straight cells | 3, 6 of the triangle for degree 1, 2, exact to degree 2p, times p + 1 Gauss points: exact for linear laws on straight cells with parallel ends |
/// | mass points | the same | 4, 14, 24, exact to degree 2, 5, 6: exact mass of straight cells | the same as for the stress |
/// | face f | 0, 1: xi_0 = -1, +1; 2, 3: xi_1 = -1, +1; 4, 5: xi_2 = -1, +1 | 0, 1, 2: xi_f = 0; 3: xi_0 + xi_1 + xi_2 = 1 | quadrilaterals 0, 1: xi_f = 0; 2: xi_0 + xi_1 = 1; triangles 3, 4: xi_2 = -1, +1 |
///
/// Quadrature exact to degree 2p - 2 keeps the order of convergence, also on curved cells (Ciarlet, Raviart, in: The
/// Mathematical Foundations of the Finite Element Method, 1972). The patch test is exact on straight tetrahedra, and on
/// hexahedra and wedges whose geometry has the element's degree or a lower one.
class GEARSHIFT_EXPORT Element {
 public:
  /// Throws OptionError for degrees that are not available.
  Element(CellKind kind, int degree);

  CellKind kind() const { return kind_; }
  int degree() const { return degree_; }
  /// Returns the basis along an edge, whose tensor products are the basis of hexahedra.
  const Basis& line() const;
  /// Returns the reference positions of the nodes.
  const std::vector<Vec3>& nodes() const;
  /// Return the quadrature points of the stress, all inside the cell, and x times the weight of one; weights are
  /// positive and their sum is the volume of the reference cell.
  const std::vector<Vec3>& points() const;
  double weigh(double x, std::size_t point) const;
  /// Return the quadrature points for the volume integrals of mass and body forces, and x times the weight of one.
  const std::vector<Vec3>& mass_points() const;
  double weigh_mass(double x, std::size_t point) const;

  /// Compute the nodes().size() shape functions and their derivatives at xi.
  void values(const Vec3& xi, std::span<double> values) const;
  void slopes(const Vec3& xi, std::span<Vec3> slopes) const;

  int faces() const;
  int vertices() const;
  /// Returns the numbers of the nodes on a face; hexahedra: the lower tangential direction fastest.
  const std::vector<int>& face_nodes(int face) const;
  /// Returns the quadrature points of a face: the area is the sum of weights times |J t_0 x J t_1| with the face's
  /// tangents.
  const std::vector<FacePoint>& face_points(int face) const;
  std::array<Vec3, 2> face_tangents(int face) const;

  /// Return the centre, and the distance by which xi lies outside the cell: negative inside.
  Vec3 centre() const;
  double outside(const Vec3& xi) const;
  /// Returns the point moved back onto the cell, if round-off has put it outside.
  Vec3 clamped(Vec3 xi) const;

 private:
  CellKind kind_;
  int degree_;
  std::shared_ptr<const ReferenceCell> cell_;
};

}  // namespace gearshift::solid
