#include "solid/terms/contact/obstacle/closed_surface.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

ClosedSurface::ClosedSurface(const std::vector<Corners>& given) {
  std::map<Vec3, int> numbers;
  for (const Corners& corners : given) {
    Triangle& triangle = triangles_.emplace_back();
    for (std::size_t c = 0; c < 3; ++c) {
      const auto [found, added] = numbers.emplace(corners[c], static_cast<int>(numbers.size()));
      triangle.vertices[c] = found->second;
      if (added) points_.push_back(corners[c]);
      extent_.add(corners[c]);
    }
    const Vec3 normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
    const auto [a, b, d] = triangle.vertices;
    if (norm(normal) > 0)
      triangle.normal = (1 / norm(normal)) * normal;
    else if (a == b || b == d || d == a)
      triangles_.pop_back();  // it has neither an area nor edges
  }
  at_vertices_.resize(points_.size());
  for (const Triangle& triangle : triangles_)
    for (std::size_t c = 0; c < 3; ++c) {
      const int a = triangle.vertices[c], b = triangle.vertices[(c + 1) % 3], d = triangle.vertices[(c + 2) % 3];
      const Vec3 e = point(b) - point(a), f = point(d) - point(a);
      const double angle = std::atan2(norm(cross(e, f)), dot(e, f));
      Vec3& sum = at_vertices_[static_cast<std::size_t>(a)];
      sum = sum + angle * triangle.normal;
      Edge& edge = edges_[std::minmax(a, b)];
      edge.normal = edge.normal + triangle.normal;
      edge.balance += a < b ? 1 : -1;
      ++edge.triangles;
    }
  for (const auto& [ends, edge] : edges_)
    if (edge.triangles != 2 || edge.balance != 0)
      throw OptionError(
          "the surface is not closed, or its triangles do not have the same orientation: each edge must belong to "
          "two triangles that run along it in opposite directions");
  double volume = 0;
  for (const Triangle& t : triangles_)
    volume += dot(point(t.vertices[0]), cross(point(t.vertices[1]), point(t.vertices[2])));
  if (!(volume > 0)) throw OptionError("the normals of the surface point inwards; reverse them");
  std::vector<Extent> boxes(triangles_.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (const int vertex : triangles_[i].vertices) boxes[i].add(point(vertex));
  boxes_ = BoxTree(std::move(boxes));
}

Distance ClosedSurface::exact(const Vec3& x) const {
  Nearest nearest;
  if (std::isfinite(dot(x, x))) search(x, nearest);
  if (!std::isfinite(nearest.squared)) return {.d = std::numeric_limits<double>::quiet_NaN()};
  const double d = nearest.sign * std::sqrt(nearest.squared);
  return {.d = d, .normal = (1 / d) * (x - nearest.place)};
}

void ClosedSurface::search(const Vec3& x, Nearest& nearest) const {
  boxes_.visit_near(
      x, [&] { return nearest.squared; },
      [&](std::size_t triangle) { try_triangle(triangles_[triangle], x, nearest); });
}

/// The nearest point of a triangle lies inside it, on an edge, or at a vertex.
void ClosedSurface::try_triangle(const Triangle& triangle, const Vec3& x, Nearest& nearest) const {
  const auto take = [&](const Vec3& at, const Vec3& normal) {
    const Vec3 r = x - at;
    if (dot(r, r) < nearest.squared) nearest = {dot(r, r), dot(r, normal) < 0 ? -1.0 : 1.0, at};
  };
  bool inside = true;
  for (std::size_t c = 0; c < 3; ++c) {
    const int a = triangle.vertices[c], b = triangle.vertices[(c + 1) % 3];
    const Vec3 along = point(b) - point(a), r = x - point(a);
    if (dot(cross(along, r), triangle.normal) >= 0) continue;
    inside = false;
    const double s = dot(r, along) / dot(along, along);
    if (s <= 0)
      take(point(a), at_vertices_[static_cast<std::size_t>(a)]);
    else if (s >= 1)
      take(point(b), at_vertices_[static_cast<std::size_t>(b)]);
    else
      take(point(a) + s * along, edges_.at(std::minmax(a, b)).normal);
  }
  if (!inside) return;
  const double height = dot(x - point(triangle.vertices[0]), triangle.normal);
  take(x - height * triangle.normal, triangle.normal);
}

}  // namespace gearshift::solid
