/// Hexahedra: tensor products of the basis along a line.

#include "solid/element/reference_cell.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {
namespace {

constexpr std::size_t max_line = 7;

/// One-dimensional shape functions in each direction.
struct Lines {
  std::array<std::array<double, max_line>, 3> value{}, slope{};
  Lines(const Basis& basis, const Vec3& xi) {
    const auto n = static_cast<std::size_t>(basis.n);
    for (std::size_t d = 0; d < 3; ++d) lagrange(basis.nodes, xi[d], {value[d].data(), n}, {slope[d].data(), n});
  }
};

class Hexahedron : public ReferenceCell {
 public:
  explicit Hexahedron(int degree) : ReferenceCell(degree) {
    vertices = 8;
    const auto n = static_cast<std::size_t>(line.n);
    for (std::size_t q = 0; q < n * n * n; ++q) {
      const std::array<std::size_t, 3> at{q % n, q / n % n, q / n / n};
      nodes.push_back({line.nodes[at[0]], line.nodes[at[1]], line.nodes[at[2]]});
      points.push_back({line.points[at[0]], line.points[at[1]], line.points[at[2]]});
    }
    mass_points = points;
    for (int face = 0; face < 6; ++face) add_face(face);
  }

  void values(const Vec3& xi, std::span<double> values) const override {
    const Lines lines(line, xi);
    const auto n = static_cast<std::size_t>(line.n);
    for (std::size_t k = 0, q = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i, ++q) values[q] = lines.value[0][i] * lines.value[1][j] * lines.value[2][k];
  }

  void slopes(const Vec3& xi, std::span<Vec3> slopes) const override {
    const Lines lines(line, xi);
    const auto n = static_cast<std::size_t>(line.n);
    for (std::size_t k = 0, q = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t i = 0; i < n; ++i, ++q)
          slopes[q] = {lines.slope[0][i] * lines.value[1][j] * lines.value[2][k],
                       lines.value[0][i] * lines.slope[1][j] * lines.value[2][k],
                       lines.value[0][i] * lines.value[1][j] * lines.slope[2][k]};
  }

  double outside(const Vec3& xi) const override {
    return std::max({std::abs(xi[0]), std::abs(xi[1]), std::abs(xi[2])}) - 1;
  }
  Vec3 clamped(Vec3 xi) const override {
    for (auto& value : xi) value = std::clamp(value, -1.0, 1.0);
    return xi;
  }
  double weigh(double x, std::size_t point) const override {
    const auto n = static_cast<std::size_t>(line.n);
    return x * line.weights[point % n] * line.weights[point / n % n] * line.weights[point / n / n];
  }
  double weigh_mass(double x, std::size_t point) const override { return weigh(x, point); }

 private:
  void add_face(int face) {
    Face& own = faces.emplace_back();
    const auto axis = static_cast<std::size_t>(face / 2), first = axis == 0 ? 1UL : 0UL, second = axis == 2 ? 1UL : 2UL;
    const int end = face % 2 == 0 ? 0 : line.n - 1;
    for (int b = 0; b < line.n; ++b)
      for (int a = 0; a < line.n; ++a) {
        const int i = axis == 0 ? end : a, j = axis == 1 ? end : (axis == 0 ? a : b), k = axis == 2 ? end : b;
        own.nodes.push_back(i + line.n * (j + line.n * k));
      }
    own.tangents[0][first] = 1;
    own.tangents[1][second] = 1;
    for (std::size_t j = 0; j < line.points.size(); ++j)
      for (std::size_t i = 0; i < line.points.size(); ++i) {
        auto& point = own.points.emplace_back();
        point.xi[axis] = face % 2 == 0 ? -1 : 1;
        point.xi[first] = line.points[i];
        point.xi[second] = line.points[j];
        point.weights = {line.weights[i], line.weights[j]};
      }
  }
};

}  // namespace

std::shared_ptr<const ReferenceCell> make_hexahedron(int degree) {
  require_degree(degree, 6);
  return std::make_shared<Hexahedron>(degree);
}

}  // namespace gearshift::solid
