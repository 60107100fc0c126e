#pragma once

/// @file
/// The properties of one kind of cell: nodes, shape functions, quadrature and faces. A new kind needs one more of the
/// functions at the end, and a line in Element that calls it.

#include <gearshift/solid/element.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace gearshift::solid {

/// One kind of cell at one degree; the members are described at Element.
class ReferenceCell {
 public:
  struct Face {
    std::vector<int> nodes;
    std::array<Vec3, 2> tangents{};
    std::vector<FacePoint> points;
  };

  explicit ReferenceCell(int degree) : line(degree) {}
  virtual ~ReferenceCell() = default;
  virtual void values(const Vec3& xi, std::span<double> values) const = 0;
  virtual void slopes(const Vec3& xi, std::span<Vec3> slopes) const = 0;
  virtual double outside(const Vec3& xi) const = 0;
  virtual Vec3 clamped(Vec3 xi) const = 0;
  virtual double weigh(double x, std::size_t point) const { return x * weights[point]; }
  virtual double weigh_mass(double x, std::size_t point) const { return x * mass_weights[point]; }

  Basis line;  ///< basis along an edge
  int vertices = 0;
  Vec3 centre{};
  std::vector<Vec3> nodes, points, mass_points;
  std::vector<double> weights, mass_weights;
  std::vector<Face> faces;
};

// Throw OptionError for degrees that are not available.
std::shared_ptr<const ReferenceCell> make_hexahedron(int degree);
std::shared_ptr<const ReferenceCell> make_tetrahedron(int degree);
std::shared_ptr<const ReferenceCell> make_wedge(int degree);

/// Adds the points of a triangular face: a square folded onto the triangle (Stroud's conical product), exact to degree
/// 2p + 2.
void add_triangle_points(int degree, const Vec3& start, ReferenceCell::Face& face);

/// Throws OptionError unless 1 <= degree <= most; `cells` and `advice` complete the message.
void require_degree(int degree, int most, const std::string& cells = {}, const std::string& advice = {});

}  // namespace gearshift::solid
