/// Wedges: tensor products of polynomials on the unit triangle and on a line.

#include "solid/element/reference_cell.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {
namespace {

constexpr std::size_t max_triangle = 6, max_height = 3;
constexpr std::array<std::array<double, 2>, 3> triangle_corners{{{0, 0}, {1, 0}, {0, 1}}};
constexpr std::array<std::array<std::size_t, 2>, 3> edges{{{0, 1}, {0, 2}, {1, 2}}};

/// Shape functions of degree 1 or 2 on the triangle, by its barycentric coordinates: vertices, then edges 01 02 12.
struct Triangle {
  std::array<double, max_triangle> value{};
  std::array<std::array<double, 2>, max_triangle> slope{};
  Triangle(int degree, const Vec3& xi) {
    const std::array<double, 3> L{1 - xi[0] - xi[1], xi[0], xi[1]};
    constexpr std::array<std::array<double, 2>, 3> dL{{{-1, -1}, {1, 0}, {0, 1}}};
    for (std::size_t v = 0; v < 3; ++v) {
      value[v] = degree == 1 ? L[v] : L[v] * (2 * L[v] - 1);
      for (std::size_t d = 0; d < 2; ++d) slope[v][d] = degree == 1 ? dL[v][d] : (4 * L[v] - 1) * dL[v][d];
    }
    if (degree == 1) return;
    for (std::size_t e = 0; e < 3; ++e) {
      const auto [a, b] = edges[e];
      value[3 + e] = 4 * L[a] * L[b];
      for (std::size_t d = 0; d < 2; ++d) slope[3 + e][d] = 4 * (L[a] * dL[b][d] + L[b] * dL[a][d]);
    }
  }
};

struct TrianglePoint {
  double x, y, weight;
};

/// Returns points inside the triangle with positive weights (sum 1/2): 3, exact to degree 2 (Hammer, Marlowe, Stroud,
/// Math. Comp. 10, 1956), or 6, exact to degree 4 (Strang, Fix, An Analysis of the Finite Element Method, 1973, table
/// 4.1; the digits by the closed forms of Cowper, Int. J. Numer. Meth. Eng. 7, 1973).
std::vector<TrianglePoint> triangle_rule(int degree) {
  std::vector<TrianglePoint> rule;
  const auto add = [&rule](double weight, double a) {
    rule.push_back({a, a, weight});
    rule.push_back({1 - 2 * a, a, weight});
    rule.push_back({a, 1 - 2 * a, weight});
  };
  if (degree == 1) {
    add(1.0 / 6, 1.0 / 6);
  } else {
    add(0.11169079483900573285, 0.44594849091596488632);
    add(0.054975871827660933819, 0.091576213509770743460);
  }
  return rule;
}

class Wedge : public ReferenceCell {
 public:
  explicit Wedge(int degree) : ReferenceCell(degree) {
    vertices = 6;
    centre = {1.0 / 3, 1.0 / 3, 0};
    for (const double z : line.nodes) {
      for (const auto& [x, y] : triangle_corners) nodes.push_back({x, y, z});
      for (std::size_t e = 0; e < 3 && line.degree == 2; ++e) {
        const auto &a = triangle_corners[edges[e][0]], &b = triangle_corners[edges[e][1]];
        nodes.push_back({(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, z});
      }
    }
    triangle_nodes_ = nodes.size() / line.nodes.size();
    const auto rule = triangle_rule(line.degree);
    for (std::size_t k = 0; k < line.points.size(); ++k)
      for (const auto& [x, y, weight] : rule) {
        points.push_back({x, y, line.points[k]});
        weights.push_back(weight * line.weights[k]);
      }
    mass_points = points;
    mass_weights = weights;
    for (int face = 0; face < 5; ++face) add_face(face);
  }

  void values(const Vec3& xi, std::span<double> values) const override {
    const Triangle triangle(line.degree, xi);
    std::array<double, max_height> along{};
    const auto n = static_cast<std::size_t>(line.n);
    lagrange(line.nodes, xi[2], {along.data(), n});
    for (std::size_t k = 0, i = 0; k < n; ++k)
      for (std::size_t t = 0; t < triangle_nodes_; ++t, ++i) values[i] = triangle.value[t] * along[k];
  }

  void slopes(const Vec3& xi, std::span<Vec3> slopes) const override {
    const Triangle triangle(line.degree, xi);
    std::array<double, max_height> along{}, slope{};
    const auto n = static_cast<std::size_t>(line.n);
    lagrange(line.nodes, xi[2], {along.data(), n}, {slope.data(), n});
    for (std::size_t k = 0, i = 0; k < n; ++k)
      for (std::size_t t = 0; t < triangle_nodes_; ++t, ++i)
        slopes[i] = {triangle.slope[t][0] * along[k], triangle.slope[t][1] * along[k], triangle.value[t] * slope[k]};
  }

  double outside(const Vec3& xi) const override {
    return std::max({-xi[0], -xi[1], xi[0] + xi[1] - 1, std::abs(xi[2]) - 1});
  }
  Vec3 clamped(Vec3 xi) const override {
    for (const std::size_t d : {0U, 1U}) xi[d] = std::clamp(xi[d], 0.0, 1.0);
    xi[2] = std::clamp(xi[2], -1.0, 1.0);
    const double sum = xi[0] + xi[1];
    if (sum > 1)
      for (const std::size_t d : {0U, 1U}) xi[d] /= sum;
    return xi;
  }

 private:
  void add_face(int face) {
    Face& own = faces.emplace_back();
    const auto distance = [face](const Vec3& x) {
      return face < 2 ? x[static_cast<std::size_t>(face)]
                      : (face == 2 ? 1 - x[0] - x[1] : 1 - (face == 3 ? -x[2] : x[2]));
    };
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (distance(nodes[i]) < 1e-12) own.nodes.push_back(static_cast<int>(i));
    if (face > 2) {
      own.tangents = {{{1, 0, 0}, {0, 1, 0}}};
      add_triangle_points(line.degree, {0, 0, face == 3 ? -1.0 : 1.0}, own);
      return;
    }
    own.tangents[0] = face == 2 ? Vec3{-1, 1, 0} : (face == 1 ? Vec3{1, 0, 0} : Vec3{0, 1, 0});
    own.tangents[1] = {0, 0, 1};
    for (std::size_t k = 0; k < line.points.size(); ++k)
      for (std::size_t i = 0; i < line.points.size(); ++i) {
        const double s = (1 + line.points[i]) / 2;
        auto& point = own.points.emplace_back();
        point.xi = {face == 2 ? 1 - s : (face == 1 ? s : 0), face == 1 ? 0 : s, line.points[k]};
        point.weights = {line.weights[i] / 2, line.weights[k]};
      }
  }

  std::size_t triangle_nodes_ = 0;
};

}  // namespace

std::shared_ptr<const ReferenceCell> make_wedge(int degree) {
  require_degree(degree, 2, "wedges", ", or a mesh of hexahedra (degrees 1 to 6)");
  return std::make_shared<Wedge>(degree);
}

}  // namespace gearshift::solid
