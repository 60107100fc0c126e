#pragma once

#include <petscksp.h>

#include <memory>

namespace gearshift {

/// LU factors of an operator of few unknowns, from its products with the unit vectors, whole on each rank: what solves
/// where no preconditioner does. n products and n^2 numbers a rank.
class DenseFactor {
 public:
  DenseFactor();
  ~DenseFactor();
  DenseFactor(const DenseFactor&) = delete;
  DenseFactor& operator=(const DenseFactor&) = delete;

  /// Factors J. Collective; J's products may be not-a-number.
  void factor(Mat J);
  /// Makes pc solve with the factors; they must outlive it.
  void use_in(PC pc);

 private:
  static PetscErrorCode apply(PC pc, Vec in, Vec out);
  struct Factors;
  std::unique_ptr<Factors> factors_;
};

}  // namespace gearshift
