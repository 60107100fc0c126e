#pragma once

/// @file
/// Polynomials in three dimensions that are nearly orthogonal over the samples of a patch.

#include <gearshift/solid/space.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Coordinates in which the points of a patch have about the mean 0 and the covariance 1.
struct Whitening {
  static constexpr std::size_t packed(std::size_t row, std::size_t column) { return row * (row + 1) / 2 + column; }

  Vec3 centre{};
  std::array<double, 6> rows{};  // of a lower triangle

  double operator()(std::size_t c, const Vec3& X) const {
    double x = 0;
    for (std::size_t k = 0; k <= c; ++k) x += rows[packed(c, k)] * (X[k] - centre[k]);
    return x;
  }
};

/// All products of Hermite polynomials of each coordinate up to a total degree, ordered by their degrees. They are
/// orthonormal under the normal distribution, and a rotation mixes only those of equal degree.
class HermiteProducts {
 public:
  static constexpr std::size_t highest = 6;

  explicit HermiteProducts(int degree) : degree_(static_cast<std::size_t>(degree)) {
    for (std::size_t sum = 0; sum <= degree_; ++sum)
      for (std::size_t i = sum + 1; i-- > 0;)
        for (std::size_t j = sum - i + 1; j-- > 0;) exponents_.push_back({i, j, sum - i - j});
  }
  std::size_t count() const { return exponents_.size(); }
  /// Returns the number of those of lower degrees, which come first.
  static constexpr std::size_t below(std::size_t degree) { return degree * (degree + 1) * (degree + 2) / 6; }

  /// Calls use(i, value) for the points i whose weights are not zero; value(term) returns that polynomial at at[i].
  template <class Use>
  void visit(const Whitening& whitened, std::span<const Vec3> at, std::span<const double> weights, Use&& use) const {
    constexpr std::size_t lanes = 8;  // points evaluated together
    double of_axis[3][highest + 1][lanes], values[below(highest + 1)][lanes];
    std::array<std::size_t, lanes> which{};
    for (std::size_t next = 0; next < at.size();) {
      std::size_t found = 0;
      for (; next < at.size() && found < lanes; ++next)
        if (weights[next] != 0) which[found++] = next;
      if (found == 0) return;
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t l = 0; l < lanes; ++l) {  // those after `found` repeat some point
          of_axis[c][0][l] = 1;
          of_axis[c][1][l] = whitened(c, at[which[l]]);
        }
      for (auto& H : of_axis)
        for (std::size_t n = 1; n < degree_; ++n) {
          const auto k = static_cast<double>(n);
          const double up = 1 / std::sqrt(k + 1), down = std::sqrt(k / (k + 1));
          for (std::size_t l = 0; l < lanes; ++l) H[n + 1][l] = up * H[1][l] * H[n][l] - down * H[n - 1][l];
        }
      for (std::size_t term = 0; term < count(); ++term) {
        const auto [i, j, k] = exponents_[term];
        for (std::size_t l = 0; l < lanes; ++l)
          values[term][l] = of_axis[0][i][l] * of_axis[1][j][l] * of_axis[2][k][l];
      }
      for (std::size_t l = 0; l < found; ++l) use(which[l], [&](std::size_t term) { return values[term][l]; });
    }
  }

 private:
  std::size_t degree_;
  std::vector<std::array<std::size_t, 3>> exponents_;
};

}  // namespace gearshift::solid
