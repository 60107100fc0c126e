/// Tetrahedra: all polynomials of one degree on the unit simplex.

#include "solid/element/reference_cell.hpp"
#include "solid/element/tetrahedron_rule.hpp"

#include <Eigen/Dense>
#include <algorithm>

namespace gearshift::solid {
namespace {

constexpr std::size_t max_monomials = 20;

/// The monomials up to a given degree at xi, and their derivatives.
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

/// Returns the vertices of a face, ascending.
std::array<std::size_t, 3> face_vertices(std::size_t face) {
  const std::size_t opposite = face == 3 ? 0 : face + 1;
  std::array<std::size_t, 3> result{};
  std::size_t count = 0;
  for (std::size_t v = 0; v < 4; ++v)
    if (v != opposite) result[count++] = v;
  return result;
}

class Tetrahedron : public ReferenceCell {
 public:
  explicit Tetrahedron(int degree) : ReferenceCell(degree) {
    vertices = 4;
    centre = {0.25, 0.25, 0.25};
    constexpr std::array<std::array<int, 2>, 3> rules{{{1, 4}, {4, 14}, {14, 24}}};
    const auto [of_stress, of_mass] = rules[static_cast<std::size_t>(line.degree - 1)];
    auto stress = tetrahedron_rule(of_stress), mass = tetrahedron_rule(of_mass);
    points = std::move(stress.points);
    weights = std::move(stress.weights);
    mass_points = std::move(mass.points);
    mass_weights = std::move(mass.weights);
    place_nodes();
    for (std::size_t face = 0; face < 4; ++face) add_face(face);
    find_coefficients();
  }

  void values(const Vec3& xi, std::span<double> values) const override {
    const Monomials monomials(line.degree, xi);
    std::fill(values.begin(), values.end(), 0.0);
    for (std::size_t m = 0, c = 0; m < monomials.count; ++m)
      for (std::size_t i = 0; i < nodes.size(); ++i, ++c) values[i] += coefficients_[c] * monomials.value[m];
  }

  void slopes(const Vec3& xi, std::span<Vec3> slopes) const override {
    const Monomials monomials(line.degree, xi);
    std::fill(slopes.begin(), slopes.end(), Vec3{});
    for (std::size_t m = 0, c = 0; m < monomials.count; ++m)
      for (std::size_t i = 0; i < nodes.size(); ++i, ++c)
        for (std::size_t d = 0; d < 3; ++d) slopes[i][d] += coefficients_[c] * monomials.slope[m][d];
  }

  double outside(const Vec3& xi) const override {
    return std::max({-xi[0], -xi[1], -xi[2], xi[0] + xi[1] + xi[2] - 1});
  }
  Vec3 clamped(Vec3 xi) const override {
    for (auto& value : xi) value = std::clamp(value, 0.0, 1.0);
    const double sum = xi[0] + xi[1] + xi[2];
    if (sum > 1)
      for (auto& value : xi) value /= sum;
    return xi;
  }

 private:
  void place_nodes() {
    nodes.assign(corners.begin(), corners.end());
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b)
        for (std::size_t i = 1; i + 1 < line.nodes.size(); ++i) {
          const double t = (1 + line.nodes[i]) / 2;
          auto& node = nodes.emplace_back();
          for (std::size_t d = 0; d < 3; ++d) node[d] = (1 - t) * corners[a][d] + t * corners[b][d];
        }
    for (std::size_t face = 0; face < 4 && line.degree == 3; ++face) {
      auto& node = nodes.emplace_back();
      for (const std::size_t v : face_vertices(face))
        for (std::size_t d = 0; d < 3; ++d) node[d] += corners[v][d] / 3;
    }
  }

  void add_face(std::size_t face) {
    Face& own = faces.emplace_back();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const Vec3& x = nodes[i];
      const double distance = face < 3 ? x[face] : 1 - x[0] - x[1] - x[2];
      if (distance < 1e-12) own.nodes.push_back(static_cast<int>(i));
    }
    if (face == 3) {
      own.tangents = {{{-1, 1, 0}, {-1, 0, 1}}};
    } else {
      own.tangents[0][face == 0 ? 1 : 0] = 1;
      own.tangents[1][face == 2 ? 1 : 2] = 1;
    }
    add_triangle_points(line.degree, corners[face_vertices(face)[0]], own);
  }

  void find_coefficients() {
    const auto size = static_cast<Eigen::Index>(nodes.size());
    Eigen::MatrixXd vandermonde(size, size);  // [node][monomial]
    for (Eigen::Index i = 0; i < size; ++i) {
      const Monomials monomials(line.degree, nodes[static_cast<std::size_t>(i)]);
      for (Eigen::Index m = 0; m < size; ++m) vandermonde(i, m) = monomials.value[static_cast<std::size_t>(m)];
    }
    const Eigen::MatrixXd inverse = vandermonde.fullPivLu().inverse();
    for (Eigen::Index m = 0; m < size; ++m)
      for (Eigen::Index i = 0; i < size; ++i) coefficients_.push_back(inverse(m, i));
  }

  std::vector<double> coefficients_;  // [monomial][node] of the shape functions
};

}  // namespace

std::shared_ptr<const ReferenceCell> make_tetrahedron(int degree) {
  require_degree(degree, 3, "tetrahedra", ", or a mesh of hexahedra (degrees 1 to 6)");
  return std::make_shared<Tetrahedron>(degree);
}

}  // namespace gearshift::solid
