#include <gearshift/solid/element.hpp>

#include "solid/element/tetrahedron_rule.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <string>

namespace gearshift::solid {
namespace {

int checked_degree(CellKind kind, int degree) {
  if (kind == CellKind::tetrahedron && (degree < 1 || degree > 3))
    throw OptionError("polynomial degree " + std::to_string(degree) +
                      " is not available on tetrahedra; give -degree 1 to 3, or a mesh of hexahedra (degrees 1 to 6)");
  if (degree < 1 || degree > 6)
    throw OptionError("polynomial degree " + std::to_string(degree) + " is not available; give -degree 1 to 6");
  return degree;
}

constexpr std::size_t max_line = 7;

/// One-dimensional shape functions in each direction.
struct Lines {
  std::array<std::array<double, max_line>, 3> value{}, slope{};
  Lines(const Basis& basis, const Vec3& xi) {
    const auto n = static_cast<std::size_t>(basis.n);
    for (std::size_t d = 0; d < 3; ++d) lagrange(basis.nodes, xi[d], {value[d].data(), n}, {slope[d].data(), n});
  }
};

constexpr std::size_t max_monomials = 20;

/// The monomials up to a degree at xi, and their derivatives.
struct Monomials {
  std::array<double, max_monomials> value{};
  std::array<Vec3, max_monomials> slope{};
  std::size_t count = 0;
  Monomials(int degree, const Vec3& xi) {
    std::array<std::array<double, 4>, 3> power{};
    for (std::size_t d = 0; d < 3; ++d) {
      power[d][0] = 1;
      for (std::size_t i = 1; i < 4; ++i) power[d][i] = power[d][i - 1] * xi[d];
    }
    const auto derivative = [&](std::size_t d, int i) {
      return i == 0 ? 0.0 : i * power[d][static_cast<std::size_t>(i - 1)];
    };
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; i + j <= degree; ++j)
        for (int k = 0; i + j + k <= degree; ++k, ++count) {
          const double x = power[0][static_cast<std::size_t>(i)], y = power[1][static_cast<std::size_t>(j)],
                       z = power[2][static_cast<std::size_t>(k)];
          value[count] = x * y * z;
          slope[count] = {derivative(0, i) * y * z, x * derivative(1, j) * z, x * y * derivative(2, k)};
        }
  }
};

constexpr std::array<Vec3, 4> corners{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

/// The vertices of a tetrahedron's face, ascending.
std::array<std::size_t, 3> face_vertices(std::size_t face) {
  const std::size_t opposite = face == 3 ? 0 : face + 1;
  std::array<std::size_t, 3> result{};
  std::size_t count = 0;
  for (std::size_t v = 0; v < 4; ++v)
    if (v != opposite) result[count++] = v;
  return result;
}

}  // namespace

Element::Element(CellKind kind, int degree) : kind_(kind), line_(checked_degree(kind, degree)) {
  kind == CellKind::hexahedron ? make_hexahedron() : make_tetrahedron();
}

void Element::make_hexahedron() {
  const auto n = static_cast<std::size_t>(line_.n);
  for (std::size_t q = 0; q < n * n * n; ++q) {
    const std::array<std::size_t, 3> at{q % n, q / n % n, q / n / n};
    nodes_.push_back({line_.nodes[at[0]], line_.nodes[at[1]], line_.nodes[at[2]]});
    points_.push_back({line_.points[at[0]], line_.points[at[1]], line_.points[at[2]]});
  }
  mass_points_ = points_;
  for (int face = 0; face < 6; ++face)
    for (int b = 0; b < line_.n; ++b)
      for (int a = 0; a < line_.n; ++a) {
        const int end = face % 2 == 0 ? 0 : line_.n - 1, axis = face / 2;
        const int i = axis == 0 ? end : a, j = axis == 1 ? end : (axis == 0 ? a : b), k = axis == 2 ? end : b;
        face_nodes_[static_cast<std::size_t>(face)].push_back(i + line_.n * (j + line_.n * k));
      }
}

void Element::make_tetrahedron() {
  constexpr std::array<std::array<int, 2>, 3> rules{{{1, 4}, {4, 14}, {14, 24}}};
  const auto [of_stress, of_mass] = rules[static_cast<std::size_t>(degree() - 1)];
  auto stress = tetrahedron_rule(of_stress), mass = tetrahedron_rule(of_mass);
  points_ = std::move(stress.points);
  weights_ = std::move(stress.weights);
  mass_points_ = std::move(mass.points);
  mass_weights_ = std::move(mass.weights);
  nodes_.assign(corners.begin(), corners.end());
  for (std::size_t a = 0; a < 4; ++a)
    for (std::size_t b = a + 1; b < 4; ++b)
      for (std::size_t i = 1; i + 1 < line_.nodes.size(); ++i) {
        const double t = (1 + line_.nodes[i]) / 2;
        auto& node = nodes_.emplace_back();
        for (std::size_t d = 0; d < 3; ++d) node[d] = (1 - t) * corners[a][d] + t * corners[b][d];
      }
  for (std::size_t face = 0; face < 4 && degree() == 3; ++face) {
    auto& node = nodes_.emplace_back();
    for (const std::size_t v : face_vertices(face))
      for (std::size_t d = 0; d < 3; ++d) node[d] += corners[v][d] / 3;
  }
  for (int face = 0; face < 4; ++face)
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Vec3& x = nodes_[i];
      const double distance = face < 3 ? x[static_cast<std::size_t>(face)] : 1 - x[0] - x[1] - x[2];
      if (distance < 1e-12) face_nodes_[static_cast<std::size_t>(face)].push_back(static_cast<int>(i));
    }
  const auto size = static_cast<Eigen::Index>(nodes_.size());
  Eigen::MatrixXd vandermonde(size, size);  // [node][monomial]
  for (Eigen::Index i = 0; i < size; ++i) {
    const Monomials monomials(degree(), nodes_[static_cast<std::size_t>(i)]);
    for (Eigen::Index m = 0; m < size; ++m) vandermonde(i, m) = monomials.value[static_cast<std::size_t>(m)];
  }
  const Eigen::MatrixXd inverse = vandermonde.fullPivLu().inverse();
  for (Eigen::Index m = 0; m < size; ++m)
    for (Eigen::Index i = 0; i < size; ++i) coefficients_.push_back(inverse(m, i));
}

double Element::weigh(double x, std::size_t point) const {
  if (kind_ == CellKind::tetrahedron) return x * weights_[point];
  const auto n = static_cast<std::size_t>(line_.n);
  return x * line_.weights[point % n] * line_.weights[point / n % n] * line_.weights[point / n / n];
}

double Element::weigh_mass(double x, std::size_t point) const {
  return kind_ == CellKind::tetrahedron ? x * mass_weights_[point] : weigh(x, point);
}

void Element::values(const Vec3& xi, std::span<double> values) const {
  if (kind_ == CellKind::tetrahedron) {
    const Monomials monomials(degree(), xi);
    std::fill(values.begin(), values.end(), 0.0);
    for (std::size_t m = 0, c = 0; m < monomials.count; ++m)
      for (std::size_t i = 0; i < nodes_.size(); ++i, ++c) values[i] += coefficients_[c] * monomials.value[m];
    return;
  }
  const Lines lines(line_, xi);
  const auto n = static_cast<std::size_t>(line_.n);
  for (std::size_t k = 0, q = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i, ++q) values[q] = lines.value[0][i] * lines.value[1][j] * lines.value[2][k];
}

void Element::slopes(const Vec3& xi, std::span<Vec3> slopes) const {
  if (kind_ == CellKind::tetrahedron) {
    const Monomials monomials(degree(), xi);
    std::fill(slopes.begin(), slopes.end(), Vec3{});
    for (std::size_t m = 0, c = 0; m < monomials.count; ++m)
      for (std::size_t i = 0; i < nodes_.size(); ++i, ++c)
        for (std::size_t d = 0; d < 3; ++d) slopes[i][d] += coefficients_[c] * monomials.slope[m][d];
    return;
  }
  const Lines lines(line_, xi);
  const auto n = static_cast<std::size_t>(line_.n);
  for (std::size_t k = 0, q = 0; k < n; ++k)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < n; ++i, ++q)
        slopes[q] = {lines.slope[0][i] * lines.value[1][j] * lines.value[2][k],
                     lines.value[0][i] * lines.slope[1][j] * lines.value[2][k],
                     lines.value[0][i] * lines.value[1][j] * lines.slope[2][k]};
}

std::array<Vec3, 2> Element::face_tangents(int face) const {
  if (kind_ == CellKind::tetrahedron && face == 3) return {{{-1, 1, 0}, {-1, 0, 1}}};
  const int axis = kind_ == CellKind::hexahedron ? face / 2 : face;
  std::array<Vec3, 2> result{};
  result[0][axis == 0 ? 1 : 0] = 1;
  result[1][axis == 2 ? 1 : 2] = 1;
  return result;
}

std::vector<FacePoint> Element::face_points(int face) const {
  std::vector<FacePoint> result;
  if (kind_ == CellKind::hexahedron) {
    const auto axis = static_cast<std::size_t>(face / 2), first = axis == 0 ? 1UL : 0UL, second = axis == 2 ? 1UL : 2UL;
    for (std::size_t j = 0; j < line_.points.size(); ++j)
      for (std::size_t i = 0; i < line_.points.size(); ++i) {
        auto& point = result.emplace_back();
        point.xi[axis] = face % 2 == 0 ? -1 : 1;
        point.xi[first] = line_.points[i];
        point.xi[second] = line_.points[j];
        point.weights = {line_.weights[i], line_.weights[j]};
      }
    return result;
  }
  // A square folded onto the triangle (Stroud's conical product), exact to degree 2p + 2.
  std::vector<double> x, w;
  gauss_points(degree() + 2, x, w);
  const auto tangents = face_tangents(face);
  const Vec3& start = corners[face_vertices(static_cast<std::size_t>(face))[0]];
  for (std::size_t j = 0; j < x.size(); ++j)
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double t = (1 + x[j]) / 2, s = (1 + x[i]) / 2 * (1 - t);
      auto& point = result.emplace_back();
      for (std::size_t d = 0; d < 3; ++d) point.xi[d] = start[d] + s * tangents[0][d] + t * tangents[1][d];
      point.weights = {w[i] / 2 * (1 - t), w[j] / 2};
    }
  return result;
}

Vec3 Element::centre() const { return kind_ == CellKind::hexahedron ? Vec3{} : Vec3{0.25, 0.25, 0.25}; }

double Element::outside(const Vec3& xi) const {
  if (kind_ == CellKind::hexahedron) return std::max({std::abs(xi[0]), std::abs(xi[1]), std::abs(xi[2])}) - 1;
  return std::max({-xi[0], -xi[1], -xi[2], xi[0] + xi[1] + xi[2] - 1});
}

Vec3 Element::clamped(Vec3 xi) const {
  const bool hexahedron = kind_ == CellKind::hexahedron;
  for (auto& value : xi) value = std::clamp(value, hexahedron ? -1.0 : 0.0, 1.0);
  const double sum = xi[0] + xi[1] + xi[2];
  if (!hexahedron && sum > 1)
    for (auto& value : xi) value /= sum;
  return xi;
}

}  // namespace gearshift::solid
