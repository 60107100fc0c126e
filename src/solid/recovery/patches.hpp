#pragma once

/// @file
/// Polynomials around vertices that fit samples in the adjacent cells.

#include "solid/recovery/hermite.hpp"

#include <functional>
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
/// by the eigenvalues of the Schur complement of the normal matrix. These combinations, orthonormal over the samples,
/// depend on the positions only: they are computed once, and a fit is two products with them.
class Patches {
 public:
  /// The samples in a cell.
  struct Samples {
    std::span<const Vec3> at;
    std::span<const double> shapes;  ///< [sample][vertex] the linear functions of the cell's vertices
    std::span<const double> values;  ///< [sample][component]
  };
  using SamplesOf = std::function<Samples(PetscInt cell)>;

  /// Collective. @param vertices a space of degree 1
  /// @param cells those of this rank that the patches cover; others have no part in them
  /// @param samples_of of which only the positions are read
  Patches(const Space& vertices, int degree, std::vector<PetscInt> cells, const SamplesOf& samples_of);

  /// Returns the maximum number of values stored for each patch, in a fit or between fits.
  static std::size_t numbers(int degree, std::size_t components);

  const std::vector<PetscInt>& cells() const { return cells_; }
  /// Fits the polynomials. Collective.
  void fit(std::size_t components, const SamplesOf& samples_of);
  /// Computes the blend of the cell's patches: out[point][component]. @param shapes [point][vertex] the linear functions
  /// of the cell's vertices. Returns the share of vertices whose patch was replaced, at each point; there the blend
  /// extrapolates.
  std::vector<double> evaluate(PetscInt cell, std::span<const Vec3> at, std::span<const double> shapes,
                               std::vector<double>& out) const;

 private:
  struct Patch {
    PetscInt vertex = 0;
    Whitening whitened;               // by the covariance of its cells' corners
    std::size_t kept = 0, basis = 0;  // the number of combinations, and the index of the first one in basis_
    bool replaced = false;            // in some cell
  };

  void whiten();
  void find_combinations(const SamplesOf& samples_of);
  /// Appends to basis_ the combinations that a packed normal matrix allows. Returns their number.
  std::size_t append_basis(const double* normal);
  void find_replaced();
  /// Calls use(cell, the patch's number) for each corner of each cell.
  template <class Use>
  void each_corner(Use&& use) const;
  std::size_t number(PetscInt vertex) const;
  /// Returns zeros, `size` for each vertex.
  std::vector<double> zeros(std::size_t size) const {
    return std::vector<double>(size * static_cast<std::size_t>(vertices_.local_nodes()), 0.0);
  }
  std::size_t max_kept(std::span<const PetscInt> corners) const;
  /// Computes [term][component] of a patch from its right-hand side.
  void solve(const Patch& patch, const double* right, double* result) const;
  /// Computes the polynomials [patch][term][component] of right-hand sides [vertex][term][component], summed over the
  /// ranks.
  std::vector<double> solve_all(std::vector<double>& right, bool replaced_only) const;
  std::size_t terms() const { return polynomials_.count(); }

  const Space& vertices_;
  int degree_;
  HermiteProducts polynomials_;
  std::vector<PetscInt> cells_;
  std::vector<Patch> patches_;  // ordered by their vertices
  std::vector<double> basis_;   // [combination][term]
  std::size_t components_ = 0;
  std::vector<double> fits_, rests_;  // [patch][term][component], the second of replaced patches
};

}  // namespace gearshift::solid
