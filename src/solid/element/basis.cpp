#include <gearshift/solid/basis.hpp>

#include <cmath>
#include <numbers>

namespace gearshift::solid {
namespace {

struct Legendre {
  double value, derivative;
};

Legendre legendre(int degree, double x) {
  double before = 1, value = x, before_slope = 0, slope = 1;
  if (degree == 0) return {1, 0};
  for (int k = 2; k <= degree; ++k) {
    const double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
    const double next_slope = before_slope + (2 * k - 1) * value;
    before = value;
    value = next;
    before_slope = slope;
    slope = next_slope;
  }
  return {value, slope};
}

}  // namespace

void gauss_points(int n, std::vector<double>& points, std::vector<double>& weights) {
  points.assign(static_cast<std::size_t>(n), 0.0);
  weights.assign(static_cast<std::size_t>(n), 0.0);
  for (int i = 0; i < n; ++i) {
    double x = -std::cos(std::numbers::pi * (i + 0.75) / (n + 0.5));
    for (int iteration = 0; iteration < 50; ++iteration) {
      const auto p = legendre(n, x);
      const double step = p.value / p.derivative;
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    if (2 * i + 1 == n) x = 0;
    const double slope = legendre(n, x).derivative;
    points[static_cast<std::size_t>(i)] = x;
    weights[static_cast<std::size_t>(i)] = 2 / ((1 - x * x) * slope * slope);
  }
}

std::vector<double> lobatto_points(int n) {
  std::vector<double> points(static_cast<std::size_t>(n));
  const int p = n - 1;
  points.front() = -1;
  points.back() = 1;
  for (int i = 1; i < p; ++i) {
    // Roots of P_p'; P_p'' = (2 x P_p' - p (p + 1) P_p) / (1 - x^2).
    double x = -std::cos(std::numbers::pi * i / p);
    for (int iteration = 0; iteration < 50; ++iteration) {
      const auto q = legendre(p, x);
      const double step = q.derivative * (1 - x * x) / (2 * x * q.derivative - p * (p + 1) * q.value);
      x -= step;
      if (std::abs(step) < 1e-16) break;
    }
    points[static_cast<std::size_t>(i)] = 2 * i == p ? 0 : x;
  }
  return points;
}

void lagrange(std::span<const double> nodes, double x, std::span<double> values, std::span<double> derivatives) {
  const std::size_t n = nodes.size();
  for (std::size_t j = 0; j < n; ++j) {
    double value = 1, slope = 0;
    for (std::size_t k = 0; k < n; ++k) {
      if (k == j) continue;
      const double scale = 1 / (nodes[j] - nodes[k]);
      slope = slope * (x - nodes[k]) * scale + value * scale;
      value *= (x - nodes[k]) * scale;
    }
    values[j] = value;
    if (!derivatives.empty()) derivatives[j] = slope;
  }
}

Basis::Basis(int polynomial_degree)
    : degree(polynomial_degree), n(polynomial_degree + 1), nodes(lobatto_points(polynomial_degree + 1)) {
  gauss_points(n, points, weights);
  const auto size = static_cast<std::size_t>(n);
  interpolate.resize(size * size);
  derive.resize(size * size);
  collocate.resize(size * size);
  std::vector<double> unused(size);
  for (std::size_t i = 0; i < size; ++i) {
    lagrange(nodes, points[i], {interpolate.data() + i * size, size}, {derive.data() + i * size, size});
    lagrange(points, points[i], unused, {collocate.data() + i * size, size});
  }
  // (2 i + 1)/2 times the integral of P_i l_j; the integrand has degree 2 p, so that the rule is exact.
  modes.assign(size * size, 0);
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t q = 0; q < size; ++q) {
      const double scale = (static_cast<double>(i) + 0.5) * weights[q] * legendre(static_cast<int>(i), points[q]).value;
      for (std::size_t j = 0; j < size; ++j) modes[i * size + j] += scale * interpolate[q * size + j];
    }
}

}  // namespace gearshift::solid
