#pragma once

/// @file
/// Incomplete factors of a matrix between aggregates.

#include "solid/multigrid/coarse/aggregate_matrix.hpp"

#include <vector>

namespace gearshift::solid {

/// The incomplete factors M = (E + U)' E^-1 (E + U) of an AggregateMatrix A. U consists of the blocks of A to the right
/// of the diagonal between this rank's aggregates, and E gives M the diagonal of A:
///
///     E_b = A_bb - sum over a < b of A_ab' E_a^-1 A_ab
///
/// They are exact for chains of aggregates, however stiff, and store only the inverses of E. (D-ILU: Barrett et al.,
/// Templates for the Solution of Linear Systems, SIAM 1994, section 3.4.)
class AggregateFactors {
 public:
  explicit AggregateFactors(const AggregateMatrix& matrix);

  /// Computes the factors of the current matrix, in double. E_b is A_bb if it would otherwise not be clearly positive.
  void update();
  /// Computes out = M^-1 in. Not collective.
  void solve(Vec in, Vec out);
  /// Returns true if all blocks E, and therefore M, are positive definite. Collective.
  bool is_definite() const;

 private:
  const AggregateMatrix& matrix_;
  bool definite_ = false;         // on this rank
  std::vector<double> inverses_;  // of E
  std::vector<double> x_;
};

}  // namespace gearshift::solid
