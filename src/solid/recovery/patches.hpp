#pragma once

/// @file
/// Polynomials around vertices that fit samples in the cells beside them.

#include <gearshift/solid/space.hpp>

#include <array>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Superconvergent patch recovery (Zienkiewicz, Zhu, Int. J. Numer. Methods Engrg. 33, 1992): at each vertex, the
/// least-squares polynomial of degree p through the samples of all cells beside it, including those of other ranks.
/// Within a cell the patches with the most terms replace the others, which are mostly those at the surface. The
/// replaced
/// ones fit, with the terms that they have, the difference of their samples from this blend, and add it: at an edge
/// they
/// have no terms across it, but those along it.
///
/// The fit does not depend on the axes, nor on any affine map of the patch: its coordinates are whitened by the
/// covariance of the cells' corners, its functions are Hermite polynomials, of which a rotation mixes those of one
/// degree
/// only, and the samples decide degree by degree how many combinations of a degree they can tell from lower degrees (by
/// the eigenvalues of the normal matrix's Schur complement).
///
/// To be called in this order: cover() for all cells, agree(), add() for all cells, solve(), add_rest() for all cells,
/// solve_rest(), then evaluate().
class Patches {
 public:
  /// @param vertices a space of degree 1
  Patches(const Space& vertices, int degree, std::size_t components);

  /// Returns how many numbers are stored for each vertex.
  static std::size_t numbers(int degree, std::size_t components);

  /// Adds a cell to the patches of its vertices.
  void cover(PetscInt cell);
  void agree();  ///< collective
  /// @param values [sample][components]
  void add(PetscInt cell, std::span<const Vec3> samples, std::span<const double> values);
  void solve();  ///< collective
  /// `shapes`: of each sample, the values of the cell's vertices' linear functions.
  void add_rest(PetscInt cell, std::span<const Vec3> samples, std::span<const double> shapes,
                std::span<const double> values);
  void solve_rest();  ///< collective
  /// Adds the blend of the cell's patches at X to out[components]. `shape`: the values of its vertices' linear
  /// functions
  /// there. Returns the share of vertices whose patch was replaced, where the blend extrapolates.
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
  /// The terms of degrees below this one, which come first.
  std::size_t terms_below(int degree) const;

  const Space& vertices_;
  int degree_;
  std::size_t components_, normal_size_, solution_size_;
  std::vector<std::array<std::size_t, 3>> exponents_;  // by their sums
  /// [vertex][10] of the cells' corners, relative to the vertex: their number, the sums of X, and of products of X as
  /// xx yx yy zx zy zz. After agree(): 0 without cells, the mean, and the rows of the whitening matrix.
  std::vector<double> frames_;
  std::vector<double> normal_;     // [vertex] lower triangle of the normal matrix, then [term][component]
  std::vector<double> solution_;   // [vertex] [term][component], and the number of terms kept
  std::vector<double> functions_;  // of the last call, [term]
  std::vector<PetscInt> cells_;    // covered
  std::vector<double> replaced_;   // [vertex] 1: in some cell
  std::vector<double> rest_;       // [vertex][term][component] of replaced ones: right-hand side, then polynomial
  bool rest_known_ = false;
};

}  // namespace gearshift::solid
