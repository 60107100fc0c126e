#include "solid/recovery/patches.hpp"

#include "solid/recovery/exchange.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::solid {
namespace {

/// Of what a term adds to those before it, in squares.
constexpr double least_share = 0.02;

std::size_t packed(std::size_t row, std::size_t column) { return row * (row + 1) / 2 + column; }

}  // namespace

Patches::Patches(const Space& vertices, int degree, std::size_t components)
    : vertices_(vertices), degree_(degree), components_(components) {
  const auto most = static_cast<std::size_t>(degree);
  for (std::size_t sum = 0; sum <= most; ++sum)
    for (std::size_t i = sum + 1; i-- > 0;)
      for (std::size_t j = sum - i + 1; j-- > 0;) exponents_.push_back({i, j, sum - i - j});
  normal_size_ = packed(terms(), 0) + terms() * components;
  solution_size_ = terms() * components + 1;
  const auto count = static_cast<std::size_t>(vertices.local_nodes());
  boxes_.assign(6 * count, -std::numeric_limits<double>::max());
  normal_.assign(normal_size_ * count, 0.0);
  functions_.resize(terms());
}

std::size_t Patches::numbers(int degree, std::size_t components) {
  const auto p = static_cast<std::size_t>(degree), terms = (p + 1) * (p + 2) * (p + 3) / 6;
  return 6 + packed(terms, 0) + 2 * terms * components + 1;
}

void Patches::cover(PetscInt cell, std::span<const Vec3> samples) {
  for (const PetscInt vertex : vertices_.cell_nodes(cell)) {
    double* box = boxes_.data() + 6 * static_cast<std::size_t>(vertex);
    for (const Vec3& X : samples)
      for (std::size_t c = 0; c < 3; ++c) {
        box[c] = std::max(box[c], X[c]);
        box[3 + c] = std::max(box[3 + c], -X[c]);
      }
  }
}

void Patches::agree() { combine_over_ranks(vertices_, 6, MPI_MAX, boxes_); }

void Patches::functions(std::size_t vertex, const Vec3& X) {
  constexpr std::size_t most = 7;
  std::array<std::array<double, most>, 3> of_axis;
  const double* box = boxes_.data() + 6 * vertex;
  for (std::size_t c = 0; c < 3; ++c) {
    const double middle = 0.5 * (box[c] - box[3 + c]), half = 0.5 * (box[c] + box[3 + c]);
    const double x = half > 0 ? (X[c] - middle) / half : 0;
    auto& L = of_axis[c];
    L[0] = 1;
    L[1] = x;
    for (std::size_t n = 1; n < static_cast<std::size_t>(degree_); ++n) {
      const auto k = static_cast<double>(n);
      L[n + 1] = ((2 * k + 1) * x * L[n] - k * L[n - 1]) / (k + 1);
    }
  }
  for (std::size_t term = 0; term < terms(); ++term) {
    const auto& e = exponents_[term];
    functions_[term] = of_axis[0][e[0]] * of_axis[1][e[1]] * of_axis[2][e[2]];
  }
}

void Patches::add(PetscInt cell, std::span<const Vec3> samples, std::span<const double> values) {
  for (const PetscInt number : vertices_.cell_nodes(cell)) {
    const auto vertex = static_cast<std::size_t>(number);
    double* matrix = normal_.data() + normal_size_ * vertex;
    double* right = matrix + packed(terms(), 0);
    for (std::size_t s = 0; s < samples.size(); ++s) {
      functions(vertex, samples[s]);
      for (std::size_t i = 0; i < terms(); ++i) {
        for (std::size_t j = 0; j <= i; ++j) matrix[packed(i, j)] += functions_[i] * functions_[j];
        for (std::size_t c = 0; c < components_; ++c)
          right[i * components_ + c] += functions_[i] * values[s * components_ + c];
      }
    }
  }
}

/// Cholesky's factorisation, without the rows of terms that are left out.
void Patches::solve_one(std::size_t vertex) {
  double* L = normal_.data() + normal_size_ * vertex;
  double* x = L + packed(terms(), 0);
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < terms(); ++i) {
    const double whole = L[packed(i, i)];
    for (std::size_t a = 0; a < kept.size(); ++a) {
      const std::size_t j = kept[a];
      double sum = L[packed(i, j)];
      for (std::size_t b = 0; b < a; ++b) sum -= L[packed(i, kept[b])] * L[packed(j, kept[b])];
      L[packed(i, j)] = sum / L[packed(j, j)];
      L[packed(i, i)] -= L[packed(i, j)] * L[packed(i, j)];
    }
    if (!(L[packed(i, i)] > least_share * whole)) continue;
    L[packed(i, i)] = std::sqrt(L[packed(i, i)]);
    kept.push_back(i);
  }
  double* result = solution_.data() + solution_size_ * vertex;
  for (std::size_t c = 0; c < components_; ++c) {
    for (std::size_t a = 0; a < kept.size(); ++a) {
      double& value = x[kept[a] * components_ + c];
      for (std::size_t b = 0; b < a; ++b) value -= L[packed(kept[a], kept[b])] * x[kept[b] * components_ + c];
      value /= L[packed(kept[a], kept[a])];
    }
    for (std::size_t a = kept.size(); a-- > 0;) {
      double& value = x[kept[a] * components_ + c];
      for (std::size_t b = a + 1; b < kept.size(); ++b)
        value -= L[packed(kept[b], kept[a])] * x[kept[b] * components_ + c];
      value /= L[packed(kept[a], kept[a])];
      result[kept[a] * components_ + c] = value;
    }
  }
  result[terms() * components_] = static_cast<double>(kept.size());
}

void Patches::solve() {
  combine_over_ranks(vertices_, normal_size_, MPI_SUM, normal_);
  const auto count = static_cast<std::size_t>(vertices_.local_nodes());
  solution_.assign(solution_size_ * count, 0.0);
  for (std::size_t vertex = 0; vertex < count; ++vertex) solve_one(vertex);
  normal_ = {};
}

void Patches::evaluate(PetscInt cell, const Vec3& X, std::span<const double> shape, std::span<double> out) {
  const auto corners = vertices_.cell_nodes(cell);
  const auto solution = [&](std::size_t i) {
    return solution_.data() + solution_size_ * static_cast<std::size_t>(corners[i]);
  };
  const auto kept = [&](std::size_t i) { return solution(i)[terms() * components_]; };
  double most = 0, poor = 0, good = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) most = std::max(most, kept(i));
  for (std::size_t i = 0; i < corners.size(); ++i) kept(i) < most ? poor += shape[i] : good += 1;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    if (kept(i) < most) continue;
    const double weight = shape[i] + poor / good;
    if (weight == 0) continue;
    functions(static_cast<std::size_t>(corners[i]), X);
    const double* coefficients = solution(i);
    for (std::size_t term = 0; term < terms(); ++term)
      for (std::size_t c = 0; c < components_; ++c)
        out[c] += weight * functions_[term] * coefficients[term * components_ + c];
  }
}

}  // namespace gearshift::solid
