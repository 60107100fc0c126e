#pragma once

#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscmat.h>

#include <array>
#include <functional>

namespace gearshift {

/// R = M a + C v + K q - f(t); each matrix may be nullptr.
class LinearTerms {
 public:
  using Load = std::function<void(PetscReal, Vec)>;

  /// Throws OptionError if the sizes of the matrices do not match or if no matrix is given. Collective.
  LinearTerms(Mat M, Mat C, Mat K);

  /// Returns a matrix with the union of all nonzeros, and with the near-null space of the first matrix that has one.
  /// Collective.
  petsc::Handle<Mat> union_pattern();

  void residual(const State& x, const Load& load, Vec r);
  /// Computes P += s.q K + s.v C + s.a M, with P a duplicate of union_pattern().
  void add(Shifts s, Mat P) const;
  /// Multiplies if at most one shift is nonzero; returns false if a sum of matrices is needed.
  bool apply_single(Shifts s, Vec in, Vec out) const;
  Energy energy(const State& x, const Load& load);

 private:
  struct Term {
    petsc::Handle<Mat> matrix;
    MatStructure structure = SUBSET_NONZERO_PATTERN;  ///< of its nonzeros with respect to the union
  };
  std::array<Term, 3> terms_;  ///< K, C, M, in the order of the shifts q, v, a
  petsc::Handle<Vec> work_;
};

}  // namespace gearshift
