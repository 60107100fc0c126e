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
/// Within a cell the patches with the most terms replace the others, which are mostly those at the surface.
///
/// The fit does not depend on the axes, nor on any affine map of the patch: its coordinates are whitened by the
/// covariance of the cells' corners, its functions are Hermite polynomials, of which a rotation mixes those of one degree
/// only, and the samples decide degree by degree how many combinations of a degree they can tell from lower degrees (by
/// the eigenvalues of the normal matrix's Schur complement).
///
/// To be called in this order: cover() for all cells, agree(), add() for all cells, solve(), then evaluate().
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
  /// Adds the blend of the cell's patches at X to out[components]. `shape`: the values of its vertices' linear functions
  /// there. Returns the share of vertices whose patch was replaced, where the blend extrapolates.
  double evaluate(PetscInt cell, const Vec3& X, std::span<const double> shape, std::span<double> out);

 private:
  void functions(std::size_t vertex, const Vec3& X);
  void solve_one(std::size_t vertex);
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
};

}  // namespace gearshift::solid
