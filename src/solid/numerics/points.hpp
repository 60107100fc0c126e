#pragma once

/// @file
/// Distances and boxes of points.

#include <gearshift/solid/types.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>

namespace gearshift::solid {

inline double squared_distance(const Vec3& a, const Vec3& b) {
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

/// The smallest box around points, with edges along the axes.
struct Extent {
  Vec3 low = filled(std::numeric_limits<double>::max()), high = filled(std::numeric_limits<double>::lowest());

  void add(const Vec3& x) {
    for (std::size_t c = 0; c < 3; ++c) {
      low[c] = std::min(low[c], x[c]);
      high[c] = std::max(high[c], x[c]);
    }
  }
  double edge(std::size_t c) const { return high[c] - low[c]; }
  /// Returns the axis of the longest edge; an edge that is longer by less than this factor does not count as longer
  /// than those before it.
  std::size_t longest(double factor = 1) const {
    std::size_t axis = 0;
    for (std::size_t c = 1; c < 3; ++c)
      if (edge(c) > factor * edge(axis)) axis = c;
    return axis;
  }

 private:
  static Vec3 filled(double number) { return {number, number, number}; }
};

}  // namespace gearshift::solid
