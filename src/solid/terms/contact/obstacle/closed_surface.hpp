#pragma once

/// @file
/// A closed surface of triangles.

#include <gearshift/solid/contact.hpp>

#include "solid/element/vectors.hpp"
#include "solid/numerics/box_tree.hpp"

#include <array>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace gearshift::solid {

/// A closed surface of triangles, with its signed distance. The sign follows from the angle-weighted normals of faces,
/// edges and vertices (J. Baerentzen, H. Aanaes, IEEE Trans. Vis. Comput. Graph. 11, 2005).
class ClosedSurface {
 public:
  using Corners = std::array<Vec3, 3>;
  /// Throws OptionError unless the surface is closed and its normals point outwards.
  explicit ClosedSurface(const std::vector<Corners>& triangles);

  const Extent& extent() const { return extent_; }

  double distance(const Vec3& x) const {
    Nearest nearest;
    search(x, nearest);
    return nearest.sign * std::sqrt(nearest.squared);
  }

  /// Returns the distance and its gradient at a place off the surface; NaN if the place is not finite.
  Distance exact(const Vec3& x) const;

 private:
  struct Triangle {
    std::array<int, 3> vertices{};
    Vec3 normal{};
  };
  struct Edge {
    Vec3 normal{};
    int balance = 0, triangles = 0;
  };
  struct Nearest {
    double squared = std::numeric_limits<double>::infinity();
    double sign = 1;
    Vec3 place{};
  };

  const Vec3& point(int vertex) const { return points_[static_cast<std::size_t>(vertex)]; }

  void search(const Vec3& x, Nearest& nearest) const;
  void try_triangle(const Triangle& triangle, const Vec3& x, Nearest& nearest) const;

  std::vector<Vec3> points_, at_vertices_;
  std::vector<Triangle> triangles_;
  std::map<std::pair<int, int>, Edge> edges_;
  BoxTree boxes_;
  Extent extent_;
};

}  // namespace gearshift::solid
