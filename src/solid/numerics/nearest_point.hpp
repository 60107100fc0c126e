#pragma once

/// @file
/// Nearest-neighbour search.

#include <gearshift/solid/types.hpp>

#include <cstddef>
#include <vector>

namespace gearshift::solid {

/// A k-d tree for nearest-neighbour queries (J. Bentley, Multidimensional binary search trees used for associative
/// searching, Comm. ACM 18, 1975).
class NearestPoint {
 public:
  /// Builds the tree in O(n log^2 n) operations. @param points one or more
  explicit NearestPoint(std::vector<Vec3> points);

  /// Returns the index of the point nearest to X. If several are equally near, up to a relative difference of 1e-9 of
  /// the distances, it is the lowest index, so that the result does not depend on rounding.
  std::size_t operator()(const Vec3& X) const;
  const Vec3& point(std::size_t number) const { return points_[number]; }
  /// Returns the diagonal of the bounding box of all points.
  double size() const { return size_; }

 private:
  /// Orders [begin, end) so that the middle point separates the others along axes_[middle].
  void split(std::size_t begin, std::size_t end);
  /// Reduces `square` to the smallest squared distance if `lowest` is null; otherwise reduces `lowest` to the first
  /// index within `square`.
  void search(const Vec3& X, std::size_t begin, std::size_t end, double& square, std::size_t* lowest) const;

  std::vector<Vec3> points_;
  std::vector<std::size_t> order_;
  std::vector<char> axes_;
  double size_ = 0;
};

}  // namespace gearshift::solid
