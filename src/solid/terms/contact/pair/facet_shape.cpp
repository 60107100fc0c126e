#include "solid/terms/contact/pair/facet_shape.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

namespace gearshift::solid {

namespace {

/// The map from a cell's reference coordinates on one of its faces to (s, t).
class FaceMap {
 public:
  FaceMap(const Element& element, int face)
      : triangle_(Element(element.kind(), 1).face_nodes(face).size() == 3), tangents_(element.face_tangents(face)) {
    const auto& nodes = element.face_nodes(face);
    origin_ = element.nodes()[static_cast<std::size_t>(nodes.front())];
    if (dot(cross(tangents_[0], tangents_[1]), origin_ - element.centre()) < 0) std::swap(tangents_[0], tangents_[1]);
    FacetPlace least{0, 0}, most{0, 0};
    for (const int node : nodes) {
      const FacetPlace place = along(element.nodes()[static_cast<std::size_t>(node)]);
      for (std::size_t a = 0; a < 2; ++a) {
        least[a] = std::min(least[a], place[a]);
        most[a] = std::max(most[a], place[a]);
      }
    }
    for (std::size_t a = 0; a < 2; ++a) {
      scale_[a] = (triangle_ ? 1 : 2) / (most[a] - least[a]);
      shift_[a] = (triangle_ ? 0 : -1) - scale_[a] * least[a];
    }
  }
  bool is_triangle() const { return triangle_; }
  FacetPlace operator()(const Vec3& xi) const {
    FacetPlace place = along(xi);
    for (std::size_t a = 0; a < 2; ++a) place[a] = scale_[a] * place[a] + shift_[a];
    return place;
  }

 private:
  FacetPlace along(const Vec3& xi) const {
    const Vec3 r = xi - origin_;
    const auto& [e, f] = tangents_;
    const double ee = dot(e, e), ef = dot(e, f), ff = dot(f, f), under = ee * ff - ef * ef;
    return {(ff * dot(e, r) - ef * dot(f, r)) / under, (ee * dot(f, r) - ef * dot(e, r)) / under};
  }

  bool triangle_;
  std::array<Vec3, 2> tangents_;
  Vec3 origin_{};
  FacetPlace scale_{1, 1}, shift_{};
};

bool before(const FacetPlace& a, const FacetPlace& b) {
  constexpr double same = 1e-9;
  if (std::abs(a[1] - b[1]) > same) return a[1] < b[1];
  return a[0] < b[0];
}

constexpr std::size_t most_modes = 8;  // along one direction
/// Values and first two derivatives of the Legendre polynomials of degrees 0 to `degree`.
using Line = std::array<std::array<double, 3>, most_modes>;

/// By the recurrence of Abramowitz, Stegun 22.7.10 and its derivatives.
inline void legendre(std::size_t degree, double x, double stretch, Line& line) {
  line[0] = {1, 0, 0};
  line[1] = {x, stretch, 0};
  for (std::size_t k = 2; k <= degree; ++k) {
    const double b = 1 - 1.0 / static_cast<double>(k), a = 1 + b;
    const auto &now = line[k - 1], &last = line[k - 2];
    line[k] = {a * x * now[0] - b * last[0], a * (stretch * now[0] + x * now[1]) - b * last[1],
               a * (2 * stretch * now[1] + x * now[2]) - b * last[2]};
  }
}

}  // namespace

std::vector<int> FacetShape::ordered_nodes(const Element& element, int face) {
  const FaceMap map(element, face);
  const auto place = [&](int node) { return map(element.nodes()[static_cast<std::size_t>(node)]); };
  std::vector<int> nodes = element.face_nodes(face);
  std::sort(nodes.begin(), nodes.end(), [&](int a, int b) { return before(place(a), place(b)); });
  return nodes;
}

FacetShape::FacetShape(const Element& element, int face)
    : triangle_(FaceMap(element, face).is_triangle()), degree_(element.degree()) {
  const FaceMap map(element, face);
  for (const int node : ordered_nodes(element, face))
    nodes_.push_back(map(element.nodes()[static_cast<std::size_t>(node)]));
  const int parts = degree_ == 1 ? 2 : 3;
  const double edge = 1.0 / parts;
  for (int j = 0; j < parts; ++j)
    for (int i = 0; i < parts; ++i)
      for (const FacePoint& point : element.face_points(face)) {
        const FacetPlace at = map(point.xi);
        const double weight = point.weights[0] * point.weights[1];
        if (!triangle_) {
          points_.push_back({-1 + edge * (2 * i + 1 + at[0]), -1 + edge * (2 * j + 1 + at[1])});
          weights_.push_back(weight);
          continue;
        }
        if (i + j >= parts) continue;
        points_.push_back({edge * (i + at[0]), edge * (j + at[1])});
        weights_.push_back(weight);
        if (i + j + 1 >= parts) continue;
        points_.push_back({edge * (i + 1 - at[0]), edge * (j + 1 - at[1])});
        weights_.push_back(weight);
      }
  const double whole = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  for (double& weight : weights_) weight *= (triangle_ ? 0.5 : 4) / whole;
  for (int k = 0; k < sides(); ++k)
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (std::hypot(nodes_[i][0] - corner(k)[0], nodes_[i][1] - corner(k)[1]) < 1e-9) corner_nodes_.push_back(i);

  const auto size = static_cast<Eigen::Index>(nodes_.size());
  Eigen::MatrixXd values(size, size);
  std::vector<FacetJet<double>> modes;
  for (Eigen::Index i = 0; i < size; ++i) {
    modes_at(nodes_[static_cast<std::size_t>(i)], modes);
    for (Eigen::Index m = 0; m < size; ++m) values(i, m) = modes[static_cast<std::size_t>(m)].value;
  }
  const Eigen::MatrixXd inverse = values.inverse();
  for (Eigen::Index m = 0; m < size; ++m)
    for (Eigen::Index i = 0; i < size; ++i) coefficients_.push_back(inverse(m, i));
  std::vector<FacetJet<double>> functions;
  for (const FacetPlace& point : points_) {
    evaluate(point, functions);
    at_points_.insert(at_points_.end(), functions.begin(), functions.end());
  }
}

/// The usual degrees are known to the compiler.
template <class Use>
void FacetShape::for_modes(const FacetPlace& place, Use&& use) const {
  const auto run = [&](auto degree) {
    Line S, T;
    for (const auto& [x, line] : {std::pair(place[0], &S), std::pair(place[1], &T)})
      legendre(degree, triangle_ ? 2 * x - 1 : x, triangle_ ? 2 : 1, *line);
    std::size_t m = 0;
    for (std::size_t j = 0; j <= degree; ++j)
      for (std::size_t i = 0; i <= (triangle_ ? degree - j : degree); ++i) use(m++, S[i], T[j]);
  };
  if (degree_ == 1) return run(std::integral_constant<std::size_t, 1>());
  if (degree_ == 2) return run(std::integral_constant<std::size_t, 2>());
  run(static_cast<std::size_t>(degree_));
}

void FacetShape::modes_at(const FacetPlace& place, std::vector<FacetJet<double>>& modes) const {
  modes.clear();
  for_modes(place, [&](std::size_t, const auto& a, const auto& b) {
    modes.push_back({a[0] * b[0], {a[1] * b[0], a[0] * b[1]}, {a[2] * b[0], a[1] * b[1], a[0] * b[2]}});
  });
}

void FacetShape::evaluate(const FacetPlace& place, std::vector<FacetJet<double>>& functions) const {
  std::vector<FacetJet<double>> modes;
  modes_at(place, modes);
  functions.assign(nodes(), {});
  for (std::size_t m = 0; m < modes.size(); ++m)
    for (std::size_t i = 0; i < nodes(); ++i) {
      const double c = coefficients_[m * nodes() + i];
      FacetJet<double>& f = functions[i];
      f.value += c * modes[m].value;
      for (std::size_t a = 0; a < 2; ++a) f.slopes[a] += c * modes[m].slopes[a];
      for (std::size_t a = 0; a < 3; ++a) f.bends[a] += c * modes[m].bends[a];
    }
}

void FacetShape::to_modes(std::span<const Vec3> values, Vec3* modes) const {
  for (std::size_t m = 0; m < nodes(); ++m) {
    modes[m] = {};
    for (std::size_t i = 0; i < nodes(); ++i) modes[m] = modes[m] + coefficients_[m * nodes() + i] * values[i];
  }
}

FacetJet<Vec3> FacetShape::polynomial(const Vec3* coefficients, const FacetPlace& place) const {
  FacetJet<Vec3> sum;
  for_modes(place, [&](std::size_t m, const auto& a, const auto& b) {
    const Vec3& c = coefficients[m];
    const auto add = [&c](Vec3& to, double factor) {
      for (std::size_t i = 0; i < 3; ++i) to[i] += factor * c[i];
    };
    add(sum.value, a[0] * b[0]);
    add(sum.slopes[0], a[1] * b[0]);
    add(sum.slopes[1], a[0] * b[1]);
    add(sum.bends[0], a[2] * b[0]);
    add(sum.bends[1], a[1] * b[1]);
    add(sum.bends[2], a[0] * b[2]);
  });
  return sum;
}

FacetPlace FacetShape::corner(int k) const {
  constexpr std::array<FacetPlace, 3> of_triangle{{{0, 0}, {1, 0}, {0, 1}}};
  constexpr std::array<FacetPlace, 4> of_square{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
  const auto i = static_cast<std::size_t>(k % sides());
  return triangle_ ? of_triangle[i] : of_square[i];
}

FacetPlace FacetShape::centre() const {
  if (triangle_) return {1.0 / 3, 1.0 / 3};
  return {0, 0};
}

FacetPlace FacetShape::inwards(int k) const {
  constexpr std::array<FacetPlace, 3> of_triangle{{{0, 1}, {-1, -1}, {1, 0}}};
  constexpr std::array<FacetPlace, 4> of_square{{{0, 1}, {-1, 0}, {0, -1}, {1, 0}}};
  const auto i = static_cast<std::size_t>(k);
  return triangle_ ? of_triangle[i] : of_square[i];
}

double FacetShape::inside(int k, const FacetPlace& place) const {
  const FacetPlace from = corner(k), in = inwards(k);
  return in[0] * (place[0] - from[0]) + in[1] * (place[1] - from[1]);
}

}  // namespace gearshift::solid
