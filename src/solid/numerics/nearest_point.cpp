#include "solid/numerics/nearest_point.hpp"

#include "solid/numerics/points.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace gearshift::solid {
namespace {

// Relative difference of squared distances up to which points count as equally near.
constexpr double equal_distances = 2e-9;

}  // namespace

NearestPoint::NearestPoint(std::vector<Vec3> points)
    : points_(std::move(points)), order_(points_.size()), axes_(points_.size()) {
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  split(0, order_.size());
}

void NearestPoint::split(std::size_t begin, std::size_t end) {
  if (begin == end) return;
  Extent box;
  for (std::size_t i = begin; i < end; ++i) box.add(points_[order_[i]]);
  const std::size_t widest = box.longest();
  if (end - begin == order_.size()) size_ = std::sqrt(squared_distance(box.low, box.high));
  const std::size_t middle = begin + (end - begin) / 2;
  const auto at = [this](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(begin), at(middle), at(end), [&](std::size_t a, std::size_t b) {
    return std::pair(points_[a][widest], a) < std::pair(points_[b][widest], b);
  });
  axes_[middle] = static_cast<char>(widest);
  split(begin, middle);
  split(middle + 1, end);
}

void NearestPoint::search(const Vec3& X, std::size_t begin, std::size_t end, double& square,
                          std::size_t* lowest) const {
  if (begin == end) return;
  const std::size_t middle = begin + (end - begin) / 2, number = order_[middle];
  const auto axis = static_cast<std::size_t>(axes_[middle]);
  const double own = squared_distance(X, points_[number]), beyond = X[axis] - points_[number][axis];
  if (!lowest)
    square = std::min(square, own);
  else if (own <= square)
    *lowest = std::min(*lowest, number);
  const auto below = [&] { search(X, begin, middle, square, lowest); };
  const auto above = [&] { search(X, middle + 1, end, square, lowest); };
  beyond < 0 ? below() : above();
  if (beyond * beyond <= square) beyond < 0 ? above() : below();
}

std::size_t NearestPoint::operator()(const Vec3& X) const {
  double square = std::numeric_limits<double>::infinity();
  std::size_t lowest = points_.size();
  search(X, 0, order_.size(), square, nullptr);
  square *= 1 + equal_distances;
  search(X, 0, order_.size(), square, &lowest);
  return lowest;
}

}  // namespace gearshift::solid
