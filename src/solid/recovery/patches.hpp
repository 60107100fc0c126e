#pragma once

/// @file
/// Polynomials around vertices that fit samples in the cells beside them.

#include <gearshift/solid/space.hpp>

#include <array>
#include <span>
#include <vector>

namespace gearshift::solid {

/// Superconvergent patch recovery (Zienkiewicz, Zhu, Int. J. Numer. Methods Engrg. 33, 1992): of each vertex the
/// polynomial of degree p that fits best, in the sense of least squares, the samples of all cells beside it, those of
/// other ranks too. Terms that the samples cannot tell from lower ones are left out. In a cell the patches with the most
/// terms stand in for the others, which are most often those at the surface.
///
/// To be called in this order: cover() for all cells, agree(), add() for all cells, solve(), then evaluate().
class Patches {
 public:
  /// @param vertices a space of degree 1
  Patches(const Space& vertices, int degree, std::size_t components);

  /// Numbers that a vertex takes.
  static std::size_t numbers(int degree, std::size_t components);

  /// Tells where a cell's samples are.
  void cover(PetscInt cell, std::span<const Vec3> samples);
  void agree();  ///< collective
  /// @param values [sample][components]
  void add(PetscInt cell, std::span<const Vec3> samples, std::span<const double> values);
  void solve();  ///< collective
  /// Adds the blend of the cell's patches at X to out[components]. `shape`: the values of its vertices' linear functions
  /// there.
  void evaluate(PetscInt cell, const Vec3& X, std::span<const double> shape, std::span<double> out);

 private:
  /// Products of Legendre polynomials of the coordinates in the patch's box.
  void functions(std::size_t vertex, const Vec3& X);
  void solve_one(std::size_t vertex);
  std::size_t terms() const { return exponents_.size(); }

  const Space& vertices_;
  int degree_;
  std::size_t components_, normal_size_, solution_size_;
  std::vector<std::array<std::size_t, 3>> exponents_;  // by their sums
  std::vector<double> boxes_;                          // [vertex][6] the greatest X, and the greatest -X
  std::vector<double> normal_;     // [vertex] lower triangle of the normal matrix, then [term][component]
  std::vector<double> solution_;   // [vertex] [term][component], and the number of terms kept
  std::vector<double> functions_;  // of the last call, [term]
};

}  // namespace gearshift::solid
