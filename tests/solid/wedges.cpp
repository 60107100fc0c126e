/// Wedges: quadrature, shape functions, faces.

#include "solid/helpers.hpp"

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

double factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
double power(double x, int n) { return n == 0 ? 1 : std::pow(x, n); }
double monomial(const Vec3& x, int i, int j, int k) { return power(x[0], i) * power(x[1], j) * power(x[2], k); }

/// The largest error of the rule in integrals of monomials of one degree on the triangle and one along the line.
double quadrature_error(const Element& element, int triangle, int line) {
  double worst = 0;
  for (int i = 0; i <= triangle; ++i) {
    const int j = triangle - i;
    double sum = 0;
    for (std::size_t q = 0; q < element.points().size(); ++q)
      sum += element.weigh(monomial(element.points()[q], i, j, line), q);
    const double along = line % 2 == 1 ? 0 : 2.0 / (line + 1);
    worst = std::max(worst, std::abs(sum - along * factorial(i) * factorial(j) / factorial(triangle + 2)));
  }
  return worst;
}

}  // namespace

TEST(Wedges, QuadratureIsExactOnMonomials) {
  for (const int degree : {1, 2}) {
    const Element element(CellKind::wedge, degree);
    EXPECT_EQ(element.points().size(), element.nodes().size());
    EXPECT_EQ(element.mass_points(), element.points());
    for (std::size_t q = 0; q < element.points().size(); ++q) {
      EXPECT_GT(element.weigh(1, q), 0);
      EXPECT_EQ(element.weigh(1, q), element.weigh_mass(1, q));
      EXPECT_LT(element.outside(element.points()[q]), -0.05);
    }
    for (int triangle = 0; triangle <= 2 * degree; ++triangle)
      for (int line = 0; line <= 2 * degree + 1; ++line)
        EXPECT_LT(quadrature_error(element, triangle, line), 1e-15) << triangle << ' ' << line;
    EXPECT_GT(quadrature_error(element, 2 * degree + 1, 0), 1e-5);
    EXPECT_GT(quadrature_error(element, 0, 2 * degree + 2), 1e-5);
  }
}

TEST(Wedges, ShapesAreLagranges) {
  for (const int degree : {1, 2}) {
    const Element element(CellKind::wedge, degree);
    const std::size_t size = element.nodes().size();
    EXPECT_EQ(size, degree == 1 ? 6U : 18U);
    EXPECT_EQ(element.vertices(), 6);
    std::vector<double> values(size);
    std::vector<Vec3> slopes(size);
    for (std::size_t i = 0; i < size; ++i) {
      element.values(element.nodes()[i], values);
      for (std::size_t j = 0; j < size; ++j) EXPECT_NEAR(values[j], i == j, 1e-15);
    }
    const Vec3 x{0.13, 0.27, -0.41};
    element.values(x, values);
    element.slopes(x, slopes);
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; i + j <= degree; ++j)
        for (int k = 0; k <= degree; ++k) {
          double value = 0;
          Vec3 slope{};
          for (std::size_t n = 0; n < size; ++n) {
            const double nodal = monomial(element.nodes()[n], i, j, k);
            value += values[n] * nodal;
            for (std::size_t d = 0; d < 3; ++d) slope[d] += slopes[n][d] * nodal;
          }
          EXPECT_NEAR(value, monomial(x, i, j, k), 1e-15);
          EXPECT_NEAR(slope[0], i == 0 ? 0 : i * monomial(x, i - 1, j, k), 1e-14);
          EXPECT_NEAR(slope[1], j == 0 ? 0 : j * monomial(x, i, j - 1, k), 1e-14);
          EXPECT_NEAR(slope[2], k == 0 ? 0 : k * monomial(x, i, j, k - 1), 1e-14);
        }
  }
}

// The flux of x^i y^j z^k (1, 1, 1) through all faces is the integral of its divergence.
TEST(Wedges, FacesCloseTheCell) {
  for (const int degree : {1, 2}) {
    const Element element(CellKind::wedge, degree);
    EXPECT_EQ(element.faces(), 5);
    double area = 0;
    for (int face = 0; face < element.faces(); ++face) {
      const bool triangle = face > 2;
      EXPECT_EQ(element.face_nodes(face).size(),
                static_cast<std::size_t>((degree + 1) * (triangle ? degree + 2 : 2 * degree + 2) / 2));
      for (const int node : element.face_nodes(face))
        EXPECT_NEAR(element.outside(element.nodes()[static_cast<std::size_t>(node)]), 0, 1e-15);
    }
    for (int i = 0; i <= 2; ++i)
      for (int j = 0; i + j <= 2; ++j)
        for (int k = 0; k <= 2; ++k) {
          double flux = 0, divergence = 0;
          for (int face = 0; face < element.faces(); ++face) {
            const auto [s, t] = element.face_tangents(face);
            Vec3 normal{s[1] * t[2] - s[2] * t[1], s[2] * t[0] - s[0] * t[2], s[0] * t[1] - s[1] * t[0]};
            const auto& points = element.face_points(face);
            double outwards = 0;
            for (std::size_t d = 0; d < 3; ++d) outwards += normal[d] * (points[0].xi[d] - element.centre()[d]);
            for (const auto& [xi, weights] : points) {
              EXPECT_NEAR(element.outside(xi), 0, 1e-15);
              const double sum = normal[0] + normal[1] + normal[2];
              flux += std::copysign(weights[0] * weights[1], outwards) * sum * monomial(xi, i, j, k);
              area += weights[0] * weights[1] * std::hypot(normal[0], normal[1], normal[2]);
            }
          }
          const auto at = [](int a, int b, int c) {  // the integral of a monomial
            if (a < 0 || b < 0 || c < 0 || c % 2 == 1) return 0.0;
            return 2.0 / (c + 1) * factorial(a) * factorial(b) / factorial(a + b + 2);
          };
          divergence = i * at(i - 1, j, k) + j * at(i, j - 1, k) + k * at(i, j, k - 1);
          EXPECT_NEAR(flux, divergence, 1e-14) << i << j << k;
        }
    EXPECT_NEAR(area / 18, 1 + 2 * (2 + std::sqrt(2.0)), 1e-13);
  }
}

TEST(Wedges, PointsAreMovedBack) {
  const Element element(CellKind::wedge, 1);
  EXPECT_NEAR(element.outside({0.2, 0.3, 1.25}), 0.25, 1e-15);
  EXPECT_NEAR(element.outside({0.75, 0.5, 0}), 0.25, 1e-15);
  EXPECT_NEAR(element.outside({-0.1, 0.5, 0}), 0.1, 1e-15);
  for (const Vec3& xi : {Vec3{1e-9, 1, 1.00001}, Vec3{-1e-9, 0.5, -1.1}, Vec3{0.7, 0.4, 0.3}})
    EXPECT_LE(element.outside(element.clamped(xi)), 1e-16);
  EXPECT_LT(element.outside(element.centre()), -0.3);
  for (const int degree : {0, 3, 7}) EXPECT_THROW(Element(CellKind::wedge, degree), OptionError);
}
