/// Obstacles from STL files.

#include <gearshift/solid/contact.hpp>

#include "solid/element/vectors.hpp"
#include "solid/numerics/points.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <numeric>
#include <sstream>
#include <unordered_map>

namespace gearshift::solid {

namespace {

constexpr int intervals = 64;  // of the grid, along the longest side

using Corners = std::array<Vec3, 3>;

/// Returns the triangles of an STL file.
std::vector<Corners> read_stl(std::string_view bytes) {
  std::vector<Corners> triangles;
  std::uint32_t count = 0;
  constexpr std::size_t head = 84, record = 50;
  if (bytes.size() >= head) std::memcpy(&count, bytes.data() + 80, sizeof count);
  if (bytes.size() >= head && bytes.size() == head + record * count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      std::array<float, 9> corners{};
      std::memcpy(corners.data(), bytes.data() + head + record * i + 12, sizeof corners);
      Corners& triangle = triangles.emplace_back();
      for (std::size_t c = 0; c < 9; ++c) triangle[c / 3][c % 3] = corners[c];
    }
    return triangles;
  }
  std::istringstream words{std::string(bytes)};
  std::size_t corner = 0;
  for (std::string word; words >> word;) {
    if (word != "vertex") continue;
    if (corner % 3 == 0) triangles.emplace_back();
    Vec3& x = triangles.back()[corner++ % 3];
    if (!(words >> x[0] >> x[1] >> x[2])) throw OptionError("the STL file is damaged: a vertex needs three numbers");
  }
  if (triangles.empty() || corner % 3 != 0)
    throw OptionError("this is no STL file with triangles, neither text nor binary");
  return triangles;
}

/// A closed surface of triangles, with its signed distance. The sign follows from the angle-weighted normals of faces,
/// edges and vertices (J. Baerentzen, H. Aanaes, IEEE Trans. Vis. Comput. Graph. 11, 2005).
class ClosedSurface {
 public:
  explicit ClosedSurface(const std::vector<Corners>& given) {
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
      if (norm(normal) > 0)
        triangle.normal = (1 / norm(normal)) * normal;
      else
        triangles_.pop_back();  // it has no area
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
            "two "
            "triangles that run along it in opposite directions");
    double volume = 0;
    for (const Triangle& t : triangles_)
      volume += dot(point(t.vertices[0]), cross(point(t.vertices[1]), point(t.vertices[2])));
    if (!(volume > 0)) throw OptionError("the normals of the surface point inwards; reverse them");
    order_.resize(triangles_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    build(0, order_.size());
  }

  const Extent& extent() const { return extent_; }

  double distance(const Vec3& x) const {
    Nearest nearest;
    search(0, x, nearest);
    return nearest.sign * std::sqrt(nearest.squared);
  }

 private:
  struct Triangle {
    std::array<int, 3> vertices{};
    Vec3 normal{};
  };
  struct Edge {
    Vec3 normal{};
    int balance = 0, triangles = 0;
  };
  /// A box around triangles: of a leaf, or of the next box and box `second`.
  struct Box {
    Extent extent;
    std::size_t first, last, second = 0;
  };
  struct Nearest {
    double squared = std::numeric_limits<double>::infinity();
    double sign = 1;
  };

  const Vec3& point(int vertex) const { return points_[static_cast<std::size_t>(vertex)]; }

  std::size_t build(std::size_t first, std::size_t last) {
    constexpr std::size_t leaf = 4;
    const std::size_t own = boxes_.size();
    boxes_.push_back({{}, first, last});
    Extent box;
    for (std::size_t i = first; i < last; ++i)
      for (const int vertex : triangles_[order_[i]].vertices) box.add(point(vertex));
    boxes_[own].extent = box;
    if (last - first <= leaf) return own;
    const std::size_t axis = box.longest(), middle = (first + last) / 2;
    const auto centre = [&](std::size_t i) {
      double sum = 0;
      for (const int vertex : triangles_[i].vertices) sum += point(vertex)[axis];
      return sum;
    };
    std::nth_element(order_.begin() + static_cast<std::ptrdiff_t>(first),
                     order_.begin() + static_cast<std::ptrdiff_t>(middle),
                     order_.begin() + static_cast<std::ptrdiff_t>(last),
                     [&](std::size_t a, std::size_t b) { return std::pair(centre(a), a) < std::pair(centre(b), b); });
    build(first, middle);
    const std::size_t second = build(middle, last);
    boxes_[own].second = second;
    return own;
  }

  static double squared_distance_to(const Extent& box, const Vec3& x) {
    double sum = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double beyond = std::max({box.low[c] - x[c], x[c] - box.high[c], 0.0});
      sum += beyond * beyond;
    }
    return sum;
  }

  void search(std::size_t number, const Vec3& x, Nearest& nearest) const {
    const Box& box = boxes_[number];
    if (squared_distance_to(box.extent, x) > nearest.squared) return;
    if (box.second == 0) {
      for (std::size_t i = box.first; i < box.last; ++i) try_triangle(triangles_[order_[i]], x, nearest);
      return;
    }
    std::size_t near = number + 1, far = box.second;
    if (squared_distance_to(boxes_[far].extent, x) < squared_distance_to(boxes_[near].extent, x)) std::swap(near, far);
    search(near, x, nearest);
    search(far, x, nearest);
  }

  /// The nearest point of a triangle lies inside it, on an edge, or at a vertex.
  void try_triangle(const Triangle& triangle, const Vec3& x, Nearest& nearest) const {
    const auto take = [&](const Vec3& at, const Vec3& normal) {
      const Vec3 r = x - at;
      if (dot(r, r) < nearest.squared) nearest = {dot(r, r), dot(r, normal) < 0 ? -1.0 : 1.0};
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

  std::vector<Vec3> points_, at_vertices_;
  std::vector<Triangle> triangles_;
  std::map<std::pair<int, int>, Edge> edges_;
  std::vector<std::size_t> order_;
  std::vector<Box> boxes_;
  Extent extent_;
};

/// The cubic spline through the distances at the points of an unbounded grid. They are computed where they are needed
/// first. Its coefficients are (-f[i-1] + 8 f[i] - f[i+1]) / 6 along each axis, which is exact for cubic polynomials
/// (I. Schoenberg's quasi-interpolation).
class GridDistance {
 public:
  explicit GridDistance(ClosedSurface surface) : surface_(std::move(surface)) {
    const Extent& box = surface_.extent();
    step_ = box.edge(box.longest()) / intervals;
  }

  Distance at(const Vec3& x) {
    std::array<std::array<double, 4>, 3> N{}, N1{}, N2{};  // the four splines along each axis, and derivatives
    Index first{};
    for (std::size_t c = 0; c < 3; ++c) {
      const double s = (x[c] - surface_.extent().low[c]) / step_, whole = std::floor(s), u = s - whole, r = 1 - u;
      first[c] = static_cast<std::int64_t>(whole) - 1;
      N[c] = {r * r * r / 6, 2.0 / 3 - u * u + u * u * u / 2, 2.0 / 3 - r * r + r * r * r / 2, u * u * u / 6};
      N1[c] = {-r * r / 2, -2 * u + 1.5 * u * u, 2 * r - 1.5 * r * r, u * u / 2};
      N2[c] = {r, 3 * u - 2, 3 * r - 2, u};
    }
    Distance result;
    auto& H = result.curvature;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        for (std::size_t k = 0; k < 4; ++k) {
          const double f =
              coefficient({first[0] + static_cast<std::int64_t>(i), first[1] + static_cast<std::int64_t>(j),
                           first[2] + static_cast<std::int64_t>(k)});
          result.d += f * N[0][i] * N[1][j] * N[2][k];
          result.normal[0] += f * N1[0][i] * N[1][j] * N[2][k];
          result.normal[1] += f * N[0][i] * N1[1][j] * N[2][k];
          result.normal[2] += f * N[0][i] * N[1][j] * N1[2][k];
          H[0] += f * N2[0][i] * N[1][j] * N[2][k];
          H[1] += f * N1[0][i] * N1[1][j] * N[2][k];
          H[2] += f * N1[0][i] * N[1][j] * N1[2][k];
          H[3] += f * N[0][i] * N2[1][j] * N[2][k];
          H[4] += f * N[0][i] * N1[1][j] * N1[2][k];
          H[5] += f * N[0][i] * N[1][j] * N2[2][k];
        }
    for (double& slope : result.normal) slope /= step_;
    for (double& entry : H) entry /= step_ * step_;
    return result;
  }

 private:
  using Index = std::array<std::int64_t, 3>;
  struct Hash {
    std::size_t operator()(const Index& i) const {
      return static_cast<std::size_t>(i[0] * 73856093 ^ i[1] * 19349663 ^ i[2] * 83492791);
    }
  };
  using Values = std::unordered_map<Index, double, Hash>;

  double value(const Index& i) {
    const auto [found, added] = values_.emplace(i, 0);
    if (added) {
      Vec3 x;
      for (std::size_t c = 0; c < 3; ++c) x[c] = surface_.extent().low[c] + step_ * static_cast<double>(i[c]);
      found->second = surface_.distance(x);
    }
    return found->second;
  }

  double coefficient(const Index& i) {
    constexpr std::array<double, 3> weights{-1.0 / 6, 8.0 / 6, -1.0 / 6};
    if (const auto found = coefficients_.find(i); found != coefficients_.end()) return found->second;
    double sum = 0;
    for (std::size_t a = 0; a < 3; ++a)
      for (std::size_t b = 0; b < 3; ++b)
        for (std::size_t c = 0; c < 3; ++c)
          sum += weights[a] * weights[b] * weights[c] *
                 value({i[0] + static_cast<std::int64_t>(a) - 1, i[1] + static_cast<std::int64_t>(b) - 1,
                        i[2] + static_cast<std::int64_t>(c) - 1});
    return coefficients_[i] = sum;
  }

  ClosedSurface surface_;
  double step_;
  Values values_, coefficients_;
};

}  // namespace

Obstacle closed_surface(std::string_view stl) {
  const auto grid = std::make_shared<GridDistance>(ClosedSurface(read_stl(stl)));
  return [grid](PetscReal, const Vec3& x) { return grid->at(x); };
}

}  // namespace gearshift::solid
