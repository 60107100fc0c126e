#pragma once

/// @file
/// Chebyshev iteration with a Jacobi preconditioner in either precision.

#include "solid/multigrid/cycle_options.hpp"
#include "solid/operator/level_operator.hpp"

#include <vector>

namespace gearshift::solid {

/// x += p(D^-1 A) D^-1 (b - A x) with the Chebyshev polynomial p of an interval at the upper end of the spectrum. The
/// operator is symmetric and positive definite. Constrained entries do not change. (Saad, Iterative Methods for Sparse
/// Linear Systems, algorithm 12.1; the end of the spectrum by conjugate gradients, section 6.7.)
template <class T>
class Smoother {
 public:
  explicit Smoother(LevelOperator<T>& op);

  /// Sets up the smoother for the current state of the operator. Collective.
  void set_up(const CycleOptions& options) { set_up(options, 0); }
  /// Sets up the smoother of a level without coarser ones: the interval is the whole estimated spectrum, and there are
  /// as many steps as the root of its condition. More of them save no products of the Krylov method. Collective.
  void set_up_alone(CycleOptions options);
  PetscInt steps() const { return steps_; }
  /// Performs the steps from x, or from 0 if `from_zero`, ignoring the values of x. Collective.
  void smooth(const T* b, T* x, bool from_zero);
  /// Returns the array A x of the last product; it may be used as work space between two calls.
  T* product() { return product_.data(); }

  /// Computes out = A in, 0 in constrained entries. Collective.
  void multiply(const T* in, T* out);
  /// Returns a residual for estimates: noise derived from the nodes' positions, so that it is the same on any number of
  /// ranks, of about the same size everywhere in the norm of D^-1.
  std::vector<T> noise() const;

  /// Returns true if no diagonal entry on this rank is negative; negative entries are not smoothed.
  bool definite() const { return definite_; }
  PetscReal smallest() const { return smallest_; }
  PetscReal largest() const { return largest_; }

 private:
  void set_up(const CycleOptions& options, double enough);

  LevelOperator<T>& op_;
  PetscInt steps_ = 0;
  PetscReal smallest_ = 0, largest_ = 0;
  bool definite_ = true;
  std::vector<T> inverse_, product_, direction_;
};

extern template class Smoother<float>;
extern template class Smoother<double>;

}  // namespace gearshift::solid
