#pragma once

#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscmat.h>

#include <array>
#include <functional>

namespace gearshift {

/// R = M a + C v + K q - f(t) with matrices that may be nullptr.
class LinearTerms {
 public:
  using Load = std::function<void(PetscReal, Vec)>;

  /// Throws OptionError where the matrices do not fit together or none is given. Collective.
  LinearTerms(Mat M, Mat C, Mat K);

  /// A matrix with the nonzeros of all of them, and with the near-null space of the first that has one. Collective.
  petsc::Handle<Mat> union_pattern();

  void residual(const State& x, const Load& load, Vec r);
  /// P += s.q K + s.v C + s.a M, P a duplicate of union_pattern().
  void add(Shifts s, Mat P) const;
  /// The product where at most one shift is not zero; false: it takes a sum of matrices.
  bool apply_single(Shifts s, Vec in, Vec out) const;
  Energy energy(const State& x, const Load& load);

 private:
  struct Term {
    petsc::Handle<Mat> matrix;
    MatStructure structure = SUBSET_NONZERO_PATTERN;  ///< of its nonzeros in the union
  };
  std::array<Term, 3> terms_;  ///< K, C, M, as the shifts q, v, a
  petsc::Handle<Vec> work_;
};

}  // namespace gearshift
