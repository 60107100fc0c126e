#pragma once

/// @file
/// Chebyshev iteration with a Jacobi preconditioner in either precision.

#include "solid/operator/level_operator.hpp"

#include <vector>

namespace gearshift::solid {

/// How levels are smoothed and visited; the smoother's keys are those of PCMG with KSPCHEBYSHEV.
struct CycleOptions {
  /// `-mg_levels_ksp_max_it`: steps before, and as many after the coarser levels. With degree 1 as the highest 2, or 6
  /// where a tenth of all cells is more than 2.5 times as long as thick, 8 where it is more than 6 times; with higher
  /// degrees 3, or 5, 8 and 12 beyond 1.3, 2.5 and 6 times; 8 near incompressibility (lambda > 20 mu).
  PetscInt steps = 3;
  /// `-mg_levels_ksp_chebyshev_esteig a,b,c,d`: the interval is [a l + b L, c l + d L], with the estimates l, L of the
  /// ends of the spectrum of D^-1 A; b is 0.2 with 2 steps, 0.1 with 3, 0.03 with 5 and 6, 0.01 with 8 and 0.003 with 12.
  std::vector<PetscReal> interval{0, 0.1, 0, 1.1};
  /// `-mg_levels_ksp_chebyshev_esteig_steps`: products spent on the estimates.
  PetscInt estimate_steps = 10;
  /// `-mg_corner_cycles`: cycles over degree 1 and what is below it for one over the higher degrees, or for one
  /// application if there are none; 3, or 4 at higher degrees where cells are stretched.
  PetscInt corner_cycles = 3;
};

/// Reads the keys above. OptionError for invalid values. Collective.
CycleOptions read_cycle_options(MPI_Comm comm, std::string_view prefix, CycleOptions options);

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

  PetscReal smallest() const { return smallest_; }
  PetscReal largest() const { return largest_; }

 private:
  LevelOperator<T>& op_;
  PetscInt steps_ = 0;
  PetscReal smallest_ = 0, largest_ = 0;
  std::vector<T> inverse_, product_, direction_;
};

extern template class Smoother<float>;
extern template class Smoother<double>;

}  // namespace gearshift::solid
