#include "solid/recovery/patches.hpp"

#include "petsc/lapack.hpp"
#include "solid/space/combine_over_ranks.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace gearshift::solid {
namespace {

constexpr std::size_t frame_size = 10;

/// Returns the minimum eigenvalue, per sample, of combinations of a degree that are kept: a twentieth of the eigenvalue
/// of x^n on a patch two cells wide with evenly spread samples, 4^n/n! times the mean square of the Legendre polynomial
/// with leading coefficient 1.
double least_eigenvalue(int degree) {
  double value = 0.05, leading = 1;  // of the Legendre polynomial: (2n)! / (2^n n!^2)
  for (int n = 1; n <= degree; ++n) {
    value *= 4.0 / n;
    leading *= (2.0 * n - 1) / n;
  }
  return value / (leading * leading * (2 * degree + 1));
}

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
  frames_.assign(frame_size * count, 0.0);
  normal_.assign(normal_size_ * count, 0.0);
  functions_.resize(terms());
}

std::size_t Patches::terms_below(int degree) const {
  const auto p = static_cast<std::size_t>(degree);
  return p * (p + 1) * (p + 2) / 6;
}

std::size_t Patches::numbers(int degree, std::size_t components) {
  const auto p = static_cast<std::size_t>(degree), terms = (p + 1) * (p + 2) * (p + 3) / 6;
  return frame_size + packed(terms, 0) + 3 * terms * components + 2;
}

void Patches::cover(PetscInt cell) {
  cells_.push_back(cell);
  const auto corners = vertices_.cell_nodes(cell);
  for (const PetscInt vertex : corners) {
    double* frame = frames_.data() + frame_size * static_cast<std::size_t>(vertex);
    const Vec3& origin = vertices_.coordinates()[static_cast<std::size_t>(vertex)];
    for (const PetscInt corner : corners) {
      const Vec3& X = vertices_.coordinates()[static_cast<std::size_t>(corner)];
      frame[0] += 1;
      for (std::size_t i = 0; i < 3; ++i) {
        frame[1 + i] += X[i] - origin[i];
        for (std::size_t j = 0; j <= i; ++j) frame[4 + packed(i, j)] += (X[i] - origin[i]) * (X[j] - origin[j]);
      }
    }
  }
}

void Patches::agree() {
  combine_over_ranks(vertices_, frame_size, MPI_SUM, frames_.data());
  for (std::size_t vertex = 0; vertex < static_cast<std::size_t>(vertices_.local_nodes()); ++vertex) {
    double* frame = frames_.data() + frame_size * vertex;
    if (frame[0] == 0) continue;  // the vertex belongs to no cell of this material
    Eigen::Matrix3d covariance;
    for (std::size_t i = 0; i < 3; ++i) frame[1 + i] /= frame[0];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            covariance(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) =
                frame[4 + packed(i, j)] / frame[0] - frame[1 + i] * frame[1 + j];
    covariance += 1e-15 * covariance.trace() * Eigen::Matrix3d::Identity();  // positive definite despite rounding
    const Eigen::LLT<Eigen::Matrix3d> factor(covariance);
    // The variance of samples two cells wide is then about 1, as Hermite polynomials require.
    const Eigen::Matrix3d whitening = std::sqrt(2.0) * factor.matrixL().solve(Eigen::Matrix3d::Identity());
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        frame[4 + packed(i, j)] = whitening(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  }
}

/// Evaluates products of Hermite polynomials, orthonormal under the normal distribution.
void Patches::functions(std::size_t vertex, const Vec3& X) {
  constexpr std::size_t most = 7;
  std::array<std::array<double, most>, 3> of_axis;
  const double* frame = frames_.data() + frame_size * vertex;
  const Vec3& origin = vertices_.coordinates()[vertex];
  Vec3 d;
  for (std::size_t c = 0; c < 3; ++c) {
    d[c] = X[c] - origin[c] - frame[1 + c];
    double x = 0;
    for (std::size_t k = 0; k <= c; ++k) x += frame[4 + packed(c, k)] * d[k];
    auto& H = of_axis[c];
    H[0] = 1;
    H[1] = x;
    for (std::size_t n = 1; n < static_cast<std::size_t>(degree_); ++n) {
      const auto k = static_cast<double>(n);
      H[n + 1] = (x * H[n] - std::sqrt(k) * H[n - 1]) / std::sqrt(k + 1);
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

/// Builds functions that are orthonormal over the samples, degree by degree.
std::size_t Patches::solve_one(std::size_t vertex, const double* right_side, double* result) const {
  const double* packed_matrix = normal_.data() + normal_size_ * vertex;
  const auto size = static_cast<Eigen::Index>(terms()), width = static_cast<Eigen::Index>(components_);
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Rows> right(right_side, size, width);
  Eigen::MatrixXd normal(size, size), basis = Eigen::MatrixXd::Zero(size, size), image(size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      normal(i, j) = normal(j, i) = packed_matrix[packed(static_cast<std::size_t>(i), static_cast<std::size_t>(j))];
  const double samples = normal(0, 0);
  Eigen::Index kept = 0;
  for (int degree = 0; degree <= degree_ && samples > 0; ++degree) {
    const auto begin = static_cast<Eigen::Index>(terms_below(degree));
    const Eigen::Index count = static_cast<Eigen::Index>(terms_below(degree + 1)) - begin;
    Eigen::MatrixXd added = Eigen::MatrixXd::Zero(size, count);
    added.middleRows(begin, count).setIdentity();
    for (int pass = 0; pass < 2; ++pass)
      added -= basis.leftCols(kept) * (image.leftCols(kept).transpose() * added).eval();
    const Eigen::MatrixXd complement = added.transpose() * (normal * added);
    const double least = least_eigenvalue(degree) * samples;
    Eigen::MatrixXd shifted = complement;
    shifted.diagonal().array() -= least;
    Eigen::Index good = count;
    if (Eigen::LLT<Eigen::MatrixXd>(shifted).info() == Eigen::Success) {  // in most cases all of them are kept
      Eigen::LLT<Eigen::MatrixXd>(complement).matrixU().solveInPlace<Eigen::OnTheRight>(added);
    } else {
      Eigen::MatrixXd vectors = complement;
      if (!vectors.allFinite()) vectors.setZero();  // nothing is kept; a single rank must not throw
      const auto values = petsc::symmetric_eigen({vectors.data(), static_cast<std::size_t>(vectors.size())}, true);
      good = std::ranges::count_if(values, [least](double value) { return value > least; });
      for (Eigen::Index i = count - good; i < count; ++i)
        vectors.col(i) /= std::sqrt(values[static_cast<std::size_t>(i)]);
      added = added * vectors.rightCols(good);
    }
    basis.middleCols(kept, good) = added;
    image.middleCols(kept, good) = normal * added;
    kept += good;
  }
  // Column by column: otherwise the order of sums in a product, and so the result, would depend on the number of
  // columns.
  Eigen::Map<Rows> solution(result, size, width);
  for (Eigen::Index c = 0; c < width; ++c) {
    const Eigen::VectorXd column = right.col(c);
    solution.col(c) = basis.leftCols(kept) * (basis.leftCols(kept).transpose() * column);
  }
  return static_cast<std::size_t>(kept);
}

void Patches::solve() {
  combine_over_ranks(vertices_, normal_size_, MPI_SUM, normal_.data());
  const auto count = static_cast<std::size_t>(vertices_.local_nodes());
  solution_.assign(solution_size_ * count, 0.0);
  for (std::size_t vertex = 0; vertex < count; ++vertex) {
    double* result = solution_.data() + solution_size_ * vertex;
    const double* right = normal_.data() + normal_size_ * vertex + packed(terms(), 0);
    result[terms() * components_] = static_cast<double>(solve_one(vertex, right, result));
  }
  replaced_.assign(count, 0.0);
  for (const PetscInt cell : cells_) {
    const auto corners = vertices_.cell_nodes(cell);
    const double most = max_kept(corners);
    for (const PetscInt corner : corners)
      if (kept(corner) < most) replaced_[static_cast<std::size_t>(corner)] = 1;
  }
  combine_over_ranks(vertices_, 1, MPI_MAX, replaced_.data());
  rest_.assign(terms() * components_ * count, 0.0);
}

void Patches::add_rest(PetscInt cell, std::span<const Vec3> samples, std::span<const double> shapes,
                       std::span<const double> values) {
  const auto corners = vertices_.cell_nodes(cell);
  const auto replaced = [&](PetscInt corner) { return replaced_[static_cast<std::size_t>(corner)] != 0; };
  if (std::none_of(corners.begin(), corners.end(), replaced)) return;
  std::vector<double> blend(components_);
  for (std::size_t s = 0; s < samples.size(); ++s) {
    std::fill(blend.begin(), blend.end(), 0.0);
    evaluate(cell, samples[s], shapes.subspan(s * corners.size(), corners.size()), blend);
    for (const PetscInt corner : corners) {
      if (!replaced(corner)) continue;
      const auto vertex = static_cast<std::size_t>(corner);
      functions(vertex, samples[s]);
      double* right = rest_.data() + terms() * components_ * vertex;
      for (std::size_t term = 0; term < terms(); ++term)
        for (std::size_t c = 0; c < components_; ++c)
          right[term * components_ + c] += functions_[term] * (values[s * components_ + c] - blend[c]);
    }
  }
}

void Patches::solve_rest() {
  combine_over_ranks(vertices_, terms() * components_, MPI_SUM, rest_.data());
  for (std::size_t vertex = 0; vertex < replaced_.size(); ++vertex) {
    double* rest = rest_.data() + terms() * components_ * vertex;
    if (replaced_[vertex] != 0) (void)solve_one(vertex, rest, rest);
  }
  normal_ = {};
  rest_known_ = true;
}

double Patches::max_kept(std::span<const PetscInt> corners) const {
  double most = 0;
  for (const PetscInt corner : corners) most = std::max(most, kept(corner));
  return most;
}

void Patches::add_polynomial(PetscInt vertex, const Vec3& X, const double* coefficients, double weight,
                             std::span<double> out) {
  if (weight == 0) return;
  functions(static_cast<std::size_t>(vertex), X);
  for (std::size_t term = 0; term < terms(); ++term)
    for (std::size_t c = 0; c < components_; ++c)
      out[c] += weight * functions_[term] * coefficients[term * components_ + c];
}

double Patches::evaluate(PetscInt cell, const Vec3& X, std::span<const double> shape, std::span<double> out) {
  const auto corners = vertices_.cell_nodes(cell);
  const double most = max_kept(corners);
  double poor = 0, good = 0;
  for (std::size_t i = 0; i < corners.size(); ++i) kept(corners[i]) < most ? poor += shape[i] : good += 1;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const PetscInt vertex = corners[i];
    if (kept(vertex) == most)
      add_polynomial(vertex, X, solution(vertex), shape[i] + poor / good, out);
    else if (rest_known_)
      add_polynomial(vertex, X, rest_.data() + terms() * components_ * static_cast<std::size_t>(vertex), shape[i], out);
  }
  return poor;
}

}  // namespace gearshift::solid
