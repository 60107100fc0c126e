#pragma once

#include <petscksp.h>

#include <memory>

namespace gearshift {

/// LU factors of an operator with few unknowns, built from its products with the unit vectors and stored completely on
/// each rank: the direct solver for cases in which no preconditioner works. Costs n products and n^2 numbers per rank.
class DenseFactor {
 public:
  DenseFactor();
  ~DenseFactor();
  DenseFactor& operator=(DenseFactor&&) = delete;

  /// Factorizes J. Collective; the products of J may be NaN.
  void factor(Mat J);
  /// Makes pc solve with the factors. They must outlive it.
  void use_in(PC pc);

 private:
  static PetscErrorCode apply(PC pc, Vec in, Vec out);
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace gearshift
