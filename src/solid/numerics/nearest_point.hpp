#pragma once

/// @file
/// The nearest one of many points.

#include <gearshift/solid/types.hpp>

#include <cstddef>
#include <vector>

namespace gearshift::solid {

/// A k-d tree (J. Bentley, Multidimensional binary search trees used for associative searching, Comm. ACM 18, 1975).
class NearestPoint {
 public:
  /// @param points at least one
  explicit NearestPoint(std::vector<Vec3> points);

  /// The number of the point that is nearest to X; of several the first one. In the mean log n operations.
  std::size_t operator()(const Vec3& X) const;
  const Vec3& point(std::size_t number) const { return points_[number]; }
  /// The diagonal of the box around all points.
  double size() const { return size_; }

 private:
  struct Found {
    double square;
    std::size_t number;
  };
  /// Orders [begin, end) so that the middle one parts the others along axes_[middle].
  void split(std::size_t begin, std::size_t end);
  void search(const Vec3& X, std::size_t begin, std::size_t end, Found& best) const;

  std::vector<Vec3> points_;
  std::vector<std::size_t> order_;
  std::vector<char> axes_;
  double size_ = 0;
};

}  // namespace gearshift::solid
