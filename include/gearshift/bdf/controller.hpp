#pragma once

/// @file
/// How the step and the order follow the local error: pure numbers, the same on every rank.

#include <gearshift/bdf/export.hpp>

#include <limits>

namespace gearshift::bdf {

/// What a Controller may do.
struct ControlLimits {
  int lowest_order = 1;
  int highest_order = 5;
  double dt_max = std::numeric_limits<double>::infinity();  ///< [time]
};

/// Local errors of the step just solved, in units of the tolerance, that the formulas of order k-1, k and k+1 would
/// have made; negative where there is no estimate.
struct ErrorEstimates {
  double at_order = 0;
  double lower = -1;
  double higher = -1;
};

/// Chooses step and order after the rules of CVODE: with an error e of order k the step ratio
///
///     eta_k = (bias e)^(-1/(k+1)),       bias = 6 for k and k-1, 10 for k+1,
///
/// is taken where it is at least `least_growth`, else the step stays, so that the operator alpha M + C + K / alpha and
/// its preconditioner live long. The order is reconsidered k+1 steps after its last change, then every second step; the
/// order of the largest ratio wins. A failed error test shrinks the step by eta_k (at least to a tenth), from the second
/// failure in a row to a fifth at most, and lowers the order from the third. A failed solve quarters the step.
///
/// Source: A.C. Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005), section 2.1, and the CVODE user guide, "Mathematical
/// considerations". Numbers are CVODE's but for least_growth, 1.3 for its 1.5: formulas on unequal steps need no
/// constant step, and the error is spread more evenly.
class GEARSHIFT_EXPORT Controller {
 public:
  explicit Controller(ControlLimits limits = {}) : limits_(limits) {}

  /// Cold start: the first steps may grow fast.
  void start(int order, double dt);

  int order() const { return order_; }
  double dt() const { return dt_; }
  const ControlLimits& limits() const { return limits_; }

  /// Whether the order may change after the present step, so that `lower` and `higher` are wanted by accepted().
  bool reconsiders_order() const { return wait_ <= 1; }

  /// The error test passed on a step of size `taken` (dt() or less, where an output time cut it).
  void accepted(double taken, const ErrorEstimates& errors);
  /// The error test failed on a step of size `taken`.
  void failed_test(double taken, double error);
  /// The nonlinear solve failed on a step of size `taken`.
  void failed_solve(double taken);

  /// Lowers the highest order (and the present one, if above).
  void limit_order(int highest);

 private:
  void set(int order, double dt);

  ControlLimits limits_;
  int order_ = 1, wait_ = 2, failures_ = 0;
  long steps_ = 0;
  bool failed_ = false;
  double dt_ = 0;
};

}  // namespace gearshift::bdf
