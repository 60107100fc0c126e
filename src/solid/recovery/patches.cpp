#include "solid/recovery/patches.hpp"

#include "petsc/lapack.hpp"
#include "solid/numerics/sort_unique.hpp"
#include "solid/space/combine_over_ranks.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

namespace gearshift::solid {
namespace {

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

constexpr auto packed = Whitening::packed;

}  // namespace

Patches::Patches(const Space& vertices, int degree, std::vector<PetscInt> cells, const SamplesOf& samples_of)
    : vertices_(vertices), degree_(degree), polynomials_(degree), cells_(std::move(cells)) {
  std::vector<PetscInt> covered;
  for (const PetscInt cell : cells_)
    for (const PetscInt vertex : vertices_.cell_nodes(cell)) covered.push_back(vertex);
  sort_unique(covered);
  for (const PetscInt vertex : covered) patches_.emplace_back().vertex = vertex;
  whiten();
  find_combinations(samples_of);
  find_replaced();
}

std::size_t Patches::numbers(int degree, std::size_t components) {
  const std::size_t terms = HermiteProducts::below(static_cast<std::size_t>(degree) + 1);
  return sizeof(Patch) / sizeof(double) + terms * terms + std::max(packed(terms, 0), 3 * terms * components);
}

/// Whitens the corners of the cells around each vertex: the variance of samples two cells wide is then about 1, as
/// Hermite polynomials require.
void Patches::whiten() {
  // [vertex] of the corners, relative to the vertex: their number, the sums of X, and of products xx yx yy zx zy zz
  constexpr std::size_t size = 10;
  std::vector<double> sums = zeros(size);
  for (const PetscInt cell : cells_) {
    const auto corners = vertices_.cell_nodes(cell);
    for (const PetscInt vertex : corners) {
      double* sum = sums.data() + size * static_cast<std::size_t>(vertex);
      const Vec3& origin = vertices_.coordinates()[static_cast<std::size_t>(vertex)];
      for (const PetscInt corner : corners) {
        const Vec3& X = vertices_.coordinates()[static_cast<std::size_t>(corner)];
        sum[0] += 1;
        for (std::size_t i = 0; i < 3; ++i) {
          sum[1 + i] += X[i] - origin[i];
          for (std::size_t j = 0; j <= i; ++j) sum[4 + packed(i, j)] += (X[i] - origin[i]) * (X[j] - origin[j]);
        }
      }
    }
  }
  combine_over_ranks(vertices_, size, MPI_SUM, sums.data());
  for (Patch& patch : patches_) {
    const double* sum = sums.data() + size * static_cast<std::size_t>(patch.vertex);
    const Vec3& origin = vertices_.coordinates()[static_cast<std::size_t>(patch.vertex)];
    Eigen::Matrix3d covariance;
    for (std::size_t i = 0; i < 3; ++i) {
      patch.whitened.centre[i] = origin[i] + sum[1 + i] / sum[0];
      for (std::size_t j = 0; j <= i; ++j)
        covariance(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
            covariance(static_cast<Eigen::Index>(j), static_cast<Eigen::Index>(i)) =
                sum[4 + packed(i, j)] / sum[0] - sum[1 + i] * sum[1 + j] / (sum[0] * sum[0]);
    }
    covariance += 1e-15 * covariance.trace() * Eigen::Matrix3d::Identity();  // positive definite despite rounding
    const Eigen::LLT<Eigen::Matrix3d> factor(covariance);
    const Eigen::Matrix3d whitening = std::sqrt(2.0) * factor.matrixL().solve(Eigen::Matrix3d::Identity());
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j <= i; ++j)
        patch.whitened.rows[packed(i, j)] = whitening(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
  }
}

std::size_t Patches::number(PetscInt vertex) const {
  const auto own = std::ranges::lower_bound(patches_, vertex, {}, &Patch::vertex);
  return static_cast<std::size_t>(own - patches_.begin());
}

template <class Use>
void Patches::each_corner(Use&& use) const {
  for (const PetscInt cell : cells_)
    for (const PetscInt vertex : vertices_.cell_nodes(cell)) use(cell, number(vertex));
}

void Patches::find_combinations(const SamplesOf& samples_of) {
  const std::size_t size = packed(terms(), 0);
  std::vector<double> normal = zeros(size);
  each_corner([&](PetscInt cell, std::size_t number) {
    double* matrix = normal.data() + size * static_cast<std::size_t>(patches_[number].vertex);
    const auto at = samples_of(cell).at;
    polynomials_.visit(patches_[number].whitened, at, std::vector<double>(at.size(), 1.0),
                       [&](std::size_t, auto&& value) {
                         for (std::size_t i = 0; i < terms(); ++i)
                           for (std::size_t j = 0; j <= i; ++j) matrix[packed(i, j)] += value(i) * value(j);
                       });
  });
  combine_over_ranks(vertices_, size, MPI_SUM, normal.data());
  basis_.reserve(terms() * terms() * patches_.size());
  for (Patch& patch : patches_) {
    patch.basis = basis_.size();
    patch.kept = append_basis(normal.data() + size * static_cast<std::size_t>(patch.vertex));
  }
}

/// Builds functions that are orthonormal over the samples, degree by degree.
std::size_t Patches::append_basis(const double* packed_matrix) {
  const auto size = static_cast<Eigen::Index>(terms());
  Eigen::MatrixXd normal(size, size), basis = Eigen::MatrixXd::Zero(size, size), image(size, size);
  for (Eigen::Index i = 0; i < size; ++i)
    for (Eigen::Index j = 0; j <= i; ++j)
      normal(i, j) = normal(j, i) = packed_matrix[packed(static_cast<std::size_t>(i), static_cast<std::size_t>(j))];
  const double samples = normal(0, 0);
  Eigen::Index kept = 0;
  for (int degree = 0; degree <= degree_ && samples > 0; ++degree) {
    const auto order = static_cast<std::size_t>(degree);
    const auto begin = static_cast<Eigen::Index>(HermiteProducts::below(order));
    const Eigen::Index count = static_cast<Eigen::Index>(HermiteProducts::below(order + 1)) - begin;
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
  basis_.insert(basis_.end(), basis.data(), basis.data() + size * kept);
  return static_cast<std::size_t>(kept);
}

std::size_t Patches::max_kept(std::span<const PetscInt> corners) const {
  std::size_t result = 0;
  for (const PetscInt corner : corners) result = std::max(result, patches_[number(corner)].kept);
  return result;
}

void Patches::find_replaced() {
  std::vector<double> replaced = zeros(1);
  each_corner([&](PetscInt cell, std::size_t number) {
    const Patch& patch = patches_[number];
    if (patch.kept < max_kept(vertices_.cell_nodes(cell))) replaced[static_cast<std::size_t>(patch.vertex)] = 1;
  });
  combine_over_ranks(vertices_, 1, MPI_MAX, replaced.data());
  for (Patch& patch : patches_) patch.replaced = replaced[static_cast<std::size_t>(patch.vertex)] != 0;
}

void Patches::solve(const Patch& patch, const double* right, double* result) const {
  std::fill_n(result, terms() * components_, 0.0);
  std::vector<double> share(components_);
  for (std::size_t k = 0; k < patch.kept; ++k) {
    const double* combination = basis_.data() + patch.basis + k * terms();
    std::fill(share.begin(), share.end(), 0.0);
    for (std::size_t term = 0; term < terms(); ++term)
      for (std::size_t c = 0; c < components_; ++c) share[c] += combination[term] * right[term * components_ + c];
    for (std::size_t term = 0; term < terms(); ++term)
      for (std::size_t c = 0; c < components_; ++c) result[term * components_ + c] += combination[term] * share[c];
  }
}

std::vector<double> Patches::solve_all(std::vector<double>& right, bool replaced_only) const {
  const std::size_t size = terms() * components_;
  combine_over_ranks(vertices_, size, MPI_SUM, right.data());
  std::vector<double> result(size * patches_.size());
  for (std::size_t i = 0; i < patches_.size(); ++i)
    if (patches_[i].replaced || !replaced_only)
      solve(patches_[i], right.data() + size * static_cast<std::size_t>(patches_[i].vertex), result.data() + size * i);
  return result;
}

void Patches::fit(std::size_t components, const SamplesOf& samples_of) {
  components_ = components;
  const std::size_t size = terms() * components;
  std::vector<double> right = zeros(size);
  std::vector<double> weights, rest;
  const auto add = [&](const Patch& patch, std::span<const Vec3> at, const double* values) {
    double* sum = right.data() + size * static_cast<std::size_t>(patch.vertex);
    weights.assign(at.size(), 1.0);
    polynomials_.visit(patch.whitened, at, weights, [&](std::size_t s, auto&& value) {
      for (std::size_t term = 0; term < terms(); ++term)
        for (std::size_t c = 0; c < components; ++c)
          sum[term * components + c] += value(term) * values[s * components + c];
    });
  };
  each_corner([&](PetscInt cell, std::size_t number) {
    const Samples samples = samples_of(cell);
    add(patches_[number], samples.at, samples.values.data());
  });
  rests_ = {};
  fits_ = {};
  fits_ = solve_all(right, false);
  std::fill(right.begin(), right.end(), 0.0);
  for (const PetscInt cell : cells_) {
    const auto corners = vertices_.cell_nodes(cell);
    const auto replaced = [&](PetscInt corner) { return patches_[number(corner)].replaced; };
    if (std::none_of(corners.begin(), corners.end(), replaced)) continue;
    const Samples samples = samples_of(cell);
    (void)evaluate(cell, samples.at, samples.shapes, rest);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] = samples.values[i] - rest[i];
    for (const PetscInt corner : corners)
      if (replaced(corner)) add(patches_[number(corner)], samples.at, rest.data());
  }
  rests_ = solve_all(right, true);
}

std::vector<double> Patches::evaluate(PetscInt cell, std::span<const Vec3> at, std::span<const double> shapes,
                                      std::vector<double>& out) const {
  const auto corners = vertices_.cell_nodes(cell);
  const std::size_t largest = max_kept(corners), size = terms() * components_;
  const auto good = [&](PetscInt corner) { return patches_[number(corner)].kept == largest; };
  const auto count = static_cast<double>(std::ranges::count_if(corners, good));
  std::vector<double> replaced(at.size(), 0.0), weights(at.size());
  for (std::size_t s = 0; s < at.size(); ++s)
    for (std::size_t i = 0; i < corners.size(); ++i)
      if (!good(corners[i])) replaced[s] += shapes[s * corners.size() + i];
  out.assign(at.size() * components_, 0.0);
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const bool own = good(corners[i]);
    if (!own && rests_.empty()) continue;
    for (std::size_t s = 0; s < at.size(); ++s)
      weights[s] = shapes[s * corners.size() + i] + (own ? replaced[s] / count : 0);
    const double* fit = (own ? fits_ : rests_).data() + size * number(corners[i]);
    polynomials_.visit(patches_[number(corners[i])].whitened, at, weights, [&](std::size_t s, auto&& value) {
      for (std::size_t term = 0; term < terms(); ++term)
        for (std::size_t c = 0; c < components_; ++c)
          out[s * components_ + c] += weights[s] * value(term) * fit[term * components_ + c];
    });
  }
  return replaced;
}

}  // namespace gearshift::solid
