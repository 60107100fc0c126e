#pragma once

/// @file
/// A named face of a body with its quadrature points, and blocks on it.

#include "solid/element/vectors.hpp"
#include "solid/operator/matrices/node_blocks.hpp"
#include "solid/operator/term/nodal.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace gearshift::solid {

/// This rank's facets of a named face and their quadrature points. The tangents t_0, t_1 of the deformed surface x = X
/// + u at a point are images of the tangents of the reference cell's face. They are ordered so that t_0 x t_1 points
/// out of the body; t_0 x t_1 times the weight is the vector area of the point.
class Surface {
 public:
  using Tangents = std::array<Vec3, 2>;

  struct Point {
    Vec3 X;
    Tangents along;  ///< tangents of the undeformed surface
    double weight;

    Vec3 vector_area() const { return weight * cross(along[0], along[1]); }
    double size() const { return norm(vector_area()); }
  };

  /// One facet.
  class Facet {
   public:
    PetscInt cell() const { return cell_; }
    bool is_triangle() const { return shape_->triangle; }
    std::size_t points() const { return shape_->weights.size(); }
    /// Returns the number of a point within the whole surface.
    std::size_t number(std::size_t q) const { return first_ + q; }
    const Point& point(std::size_t q) const { return points_[first_ + q]; }
    std::size_t nodes() const { return nodes_.size(); }
    PetscInt node(std::size_t i) const { return nodes_[i]; }
    double shape(std::size_t q, std::size_t i) const { return shape_->values[q * nodes_.size() + i]; }

    /// Returns the derivatives of a node's shape function along the reference tangents.
    const std::array<double, 2>& slopes(std::size_t q, std::size_t i) const {
      return shape_->slopes[q * nodes_.size() + i];
    }

    /// Return the value of a nodal vector at a point, and its derivatives along the reference tangents.
    Vec3 value(std::size_t q, const NodalValues& u) const;
    Tangents derivatives(std::size_t q, const NodalValues& u) const;
    /// Return the deformed position x and its derivatives.
    Vec3 place(std::size_t q, const NodalValues& u) const { return point(q).X + value(q, u); }
    Tangents tangents(std::size_t q, const NodalValues& u) const;
    /// Distributes the force at a point to the nodes.
    void add(std::size_t q, const Vec3& force, NodalSum& sum) const;

   private:
    friend class Surface;
    struct Shape {
      bool triangle = false;
      std::vector<int> nodes;                     // of the face, in the element's numbering
      std::vector<double> weights;                // of each point
      std::vector<double> values;                 // [point][node]
      std::vector<std::array<double, 2>> slopes;  // [point][node]
      std::array<Vec3, 2> tangents{};             // in the reference cell
      std::vector<Vec3> at;                       // [point]
    };
    PetscInt cell_ = 0;
    const Shape* shape_ = nullptr;
    const Point* points_ = nullptr;
    std::size_t first_ = 0;
    std::vector<PetscInt> nodes_;
  };

  /// Throws MeshError for an unknown name. Not collective.
  Surface(const Space& space, std::string_view name);
  Surface& operator=(Surface&&) = delete;

  /// Throw MeshError on all ranks if some facet lies between two cells, where the outward normal is ambiguous.
  /// Collective.
  void require_sides(const char* what) const { require_sides(space_, name_, what); }
  static void require_sides(const Space& space, const std::string& name, const char* what);

  /// Returns the sum of the ranks' values. Collective.
  PetscReal sum_over_ranks(PetscReal value) const;

  const Space& space() const { return space_; }
  const std::string& name() const { return name_; }
  const std::vector<Facet>& facets() const { return facets_; }
  std::size_t points() const { return points_.size(); }
  double bytes() const { return bytes_at(space_.degree()); }
  /// Returns the bytes of this surface for a space of another degree.
  double bytes_at(int degree) const;
  /// Returns the approximate number of this rank's nodes on the surface for a space of another degree.
  double nodes_at(int degree) const;

 private:
  static Facet::Shape shape_of(const Element& element, int face);

  const Space& space_;
  std::string name_;
  std::vector<std::vector<Facet::Shape>> shapes_;  // [kind of cells][face]
  std::vector<Point> points_;
  std::vector<Facet> facets_;
};

inline NodeBlocks::Block scaled(double factor, NodeBlocks::Block block) {
  for (double& entry : block) entry *= factor;
  return block;
}

/// Adds the blocks of a facet's points, multiplied by their areas, to its nodes by the diagonals of its mass matrix,
/// scaled so that the whole facet keeps its area. (E. Hinton, T. Rock, O.C. Zienkiewicz, Earthquake Eng. Struct. Dyn.
/// 4, 1976.)
template <class BlockOfPoint>
void lump_at_nodes(const Surface::Facet& facet, BlockOfPoint&& block_of, NodeBlocks& blocks) {
  double whole = 0, diagonals = 0;
  for (std::size_t q = 0; q < facet.points(); ++q) {
    const double size = facet.point(q).size();
    whole += size;
    for (std::size_t i = 0; i < facet.nodes(); ++i) diagonals += facet.shape(q, i) * facet.shape(q, i) * size;
  }
  for (std::size_t q = 0; q < facet.points(); ++q) {
    const NodeBlocks::Block own = block_of(q);
    for (std::size_t i = 0; i < facet.nodes(); ++i)
      blocks.add(facet.node(i), scaled(whole / diagonals * facet.shape(q, i) * facet.shape(q, i), own));
  }
}

}  // namespace gearshift::solid
