#pragma once

#include <gearshift/petsc/handle.hpp>

#include <petscvec.h>

#include <span>
#include <vector>

namespace gearshift {

/// Tolerances of q and v: scalars, or Vecs if given (held as borrowed references).
struct Tolerances {
  PetscReal rtol = 0, atol_q = 0, atol_v = 0;
  petsc::Handle<Vec> atol_q_vec, atol_v_vec;
  bool follow_motion = false;  ///< atol_q is rtol times the largest motion so far
};

/// The weighted root-mean-square norm in which errors are measured,
///
///     |e|^2 = sum_i ((e_q,i w_q,i)^2 + (e_v,i w_v,i)^2) / (2 N),   1/w_q = rtol |q| + atol, 1/w_v = rtol |v| + atol_v,
///
/// over the N free entries of all ranks (constrained ones have weight zero); for a first-order ODE the sum runs over q
/// only. If entries are components of vectors, |q| and |v| are the lengths of these vectors. An error of norm 1 just
/// meets the tolerances.
class ErrorNorm {
 public:
  /// @param tolerances referenced; they may change between steps
  /// @param fixed local indices of the entries that are excluded from every norm; referenced
  /// @param vector_size see System::vector_size; throws OptionError on all ranks if it does not divide the number of
  ///   entries of some rank
  ErrorNorm(Vec layout, int levels, const Tolerances& tolerances, const std::vector<PetscInt>& fixed,
            PetscInt vector_size);

  /// Counts the free entries again; called after the fixed entries have changed. Collective.
  void count();
  /// Sets the state from which the weights are computed. It must stay unchanged until the next call: weights are not
  /// stored.
  /// @param least_q, least_v added to the tolerated errors
  void weigh(Vec q, Vec v, PetscReal least_q, PetscReal least_v);

  int levels() const { return levels_; }

  /// Returns the norm of an error of q and v. Collective, one reduction. v is not read if levels is 1.
  PetscReal norm(Vec q, Vec v) const;
  /// Compute the norms of several errors: local sums first, then one reduction for all of them.
  PetscReal local_sum(Vec q, Vec v) const;
  void reduce(std::span<PetscReal> sums_to_norms) const;

  /// Quantities of a trial step that one reduction computes.
  struct Step {
    PetscReal error = 0;                 ///< weighted norm of the errors of the step
    PetscReal error_q = 0, error_v = 0;  ///< 2-norms of the errors
    PetscReal way = 0, velocity = 0;     ///< 2-norms of q - start and v
  };
  /// Measures a trial step. Collective, one reduction.
  /// @param start q at the start of the motion, or nullptr if `way` and `velocity` are not needed
  Step measure_step(Vec error_q, Vec error_v, Vec q, Vec v, Vec start) const;

  /// An increment of the unknown, measured on all ranks at once.
  struct Increment {
    PetscReal weighted = 0;  ///< norm of the resulting error: slope_q x in q and slope_v x in v
    PetscReal plain = 0;     ///< its 2-norm
    bool good = true;        ///< no rank has reported a failure
  };
  /// Measures an increment of the unknown. Collective, one reduction.
  Increment measure(Vec x, PetscReal slope_q, PetscReal slope_v, bool good_here) const;

 private:
  class Weights;
  MPI_Comm comm() const { return PetscObjectComm(reinterpret_cast<PetscObject>(layout_.get())); }
  Weights weights_of_q() const;
  Weights weights_of_v() const;
  /// Calls counted(i) or fixed(i) for each entry, in ascending order.
  template <class Counted, class Fixed>
  void each(Counted&& counted, Fixed&& fixed) const;

  int levels_;
  const Tolerances& tolerances_;
  const std::vector<PetscInt>& fixed_;
  std::size_t vector_size_;
  PetscReal count_ = 1;
  petsc::Handle<Vec> layout_;
  std::vector<std::size_t> stops_;  // the fixed entries, ascending, followed by the number of all entries
  Vec q_ = nullptr, v_ = nullptr;   // the state that, with the tolerances, defines the weights
  PetscReal rtol_ = 0, atol_q_ = 0, atol_v_ = 0, least_q_ = 0, least_v_ = 0;
};

}  // namespace gearshift
