#pragma once

/// @file
/// Chebyshev iteration with a Jacobi preconditioner in either precision.

#include "solid/multigrid/cycle_options.hpp"
#include "solid/operator/level_operator.hpp"

#include <vector>

namespace gearshift::solid {

/// x += p(D^-1 A) D^-1 (b - A x) with Chebyshev's polynomial p of an interval at the upper end of the spectrum:
/// symmetric, and positive definite. Held entries stay as they are. (Saad, Iterative Methods for Sparse Linear Systems,
/// algorithm 12.1; the spectrum's end by conjugate gradients, section 6.7.)
template <class T>
class Smoother {
 public:
  explicit Smoother(LevelOperator<T>& op);

  /// For the current state of the operator. Collective.
  void set_up(const CycleOptions& options);
  /// Takes the steps from x, or from 0, whatever x holds, if `from_zero`. Collective.
  void smooth(const T* b, T* x, bool from_zero);
  /// The array A x of the last product, for use as work space between two calls.
  T* product() { return product_.data(); }

  /// out = A in, 0 in held entries. Collective.
  void multiply(const T* in, T* out);
  /// Residuals for estimates: noise derived from the nodes' positions, so that it is the same on any number of ranks,
  /// with about the same size everywhere in the norm of D^-1.
  std::vector<T> noise() const;

  /// Whether no entry of the diagonal on this rank is negative, and left alone.
  bool definite() const { return definite_; }
  PetscReal smallest() const { return smallest_; }
  PetscReal largest() const { return largest_; }

 private:
  LevelOperator<T>& op_;
  PetscInt steps_ = 0;
  PetscReal smallest_ = 0, largest_ = 0;
  bool definite_ = true;
  std::vector<T> inverse_, product_, direction_;
};

extern template class Smoother<float>;
extern template class Smoother<double>;

}  // namespace gearshift::solid
