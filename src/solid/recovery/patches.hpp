#pragma once

/// @file
/// Polynomials around vertices that fit samples in the adjacent cells.

#include <gearshift/solid/space.hpp>

#include <array>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Superconvergent patch recovery (Zienkiewicz, Zhu, Int. J. Numer. Methods Engrg. 33, 1992): at each vertex, the
/// least-squares polynomial of degree p through the samples of all adjacent cells, including those of other ranks.
/// Within a cell the patches with the largest number of terms replace the others, which are mostly at the surface. Then
/// the replaced patches are fitted to the differences between their samples and the blend of the others, with the terms
/// that they have (at an edge of the body these are terms along the edge), and the result is added.
///
/// The fit does not depend on the axes or on an affine map of the patch: coordinates are whitened by the covariance of
/// the cells' corners, and the functions are Hermite polynomials, of which a rotation mixes only those of equal degree.
/// For each degree the fit keeps as many combinations of its polynomials as the samples distinguish from lower degrees,
/// by the eigenvalues of the Schur complement of the normal matrix.
///
/// Call in this order: cover() for all cells, agree(), add() for all cells, solve(), add_rest() for all cells,
/// solve_rest(), then evaluate().
class Patches {
 public:
  /// @param vertices a space of degree 1
  Patches(const Space& vertices, int degree, std::size_t components);

  /// Returns the number of values stored for each vertex.
  static std::size_t numbers(int degree, std::size_t components);

  /// Adds a cell to the patches of its vertices.
  void cover(PetscInt cell);
  void agree();  ///< collective
  /// Adds the samples of a cell. @param values [sample][components]
  void add(PetscInt cell, std::span<const Vec3> samples, std::span<const double> values);
  void solve();  ///< collective
  /// Adds the samples of a cell to the fit of the rest. `shapes`: the linear functions of the cell's vertices at each
  /// sample.
  void add_rest(PetscInt cell, std::span<const Vec3> samples, std::span<const double> shapes,
                std::span<const double> values);
  void solve_rest();  ///< collective
  /// Adds the blend of the cell's patches at X to out[components]. `shape`: the linear functions of its vertices at X.
  /// Returns the share of vertices whose patch was replaced; there the blend extrapolates.
  double evaluate(PetscInt cell, const Vec3& X, std::span<const double> shape, std::span<double> out);

 private:
  void functions(std::size_t vertex, const Vec3& X);
  /// Returns the number of terms kept. `result` may be `right`, both [term][component].
  std::size_t solve_one(std::size_t vertex, const double* right, double* result) const;
  const double* solution(PetscInt vertex) const {
    return solution_.data() + solution_size_ * static_cast<std::size_t>(vertex);
  }
  double kept(PetscInt vertex) const { return solution(vertex)[terms() * components_]; }
  double max_kept(std::span<const PetscInt> corners) const;
  /// Adds weight times the polynomial of a vertex at X.
  void add_polynomial(PetscInt vertex, const Vec3& X, const double* coefficients, double weight, std::span<double> out);
  std::size_t terms() const { return exponents_.size(); }
  /// Returns the number of terms of lower degrees, which come first.
  std::size_t terms_below(int degree) const;

  const Space& vertices_;
  int degree_;
  std::size_t components_, normal_size_, solution_size_;
  std::vector<std::array<std::size_t, 3>> exponents_;  // ordered by their sums
  /// [vertex][10] of the cells' corners, relative to the vertex: their number, the sums of X, and of products of X as
  /// xx yx yy zx zy zz. After agree(): 0 without cells, the mean, and the rows of the whitening matrix.
  std::vector<double> frames_;
  std::vector<double> normal_;     // [vertex] lower triangle of the normal matrix, then [term][component]
  std::vector<double> solution_;   // [vertex] [term][component], and the number of terms kept
  std::vector<double> functions_;  // of the last call, [term]
  std::vector<PetscInt> cells_;    // cells passed to cover()
  std::vector<double> replaced_;   // [vertex] 1: replaced in some cell
  std::vector<double> rest_;       // [vertex][term][component] of replaced patches: right-hand side, then polynomial
  bool rest_known_ = false;
};

}  // namespace gearshift::solid
