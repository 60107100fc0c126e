#pragma once

/// @file
/// Choice of the step size and the order from the local error. Pure numbers, equal on every rank.

#include <gearshift/export.hpp>

#include <limits>

namespace gearshift::bdf {

/// The way in which the step size follows the error.
enum class StepControl {
  band,    ///< constant while the error stays in a band, so that the operator and its preconditioner are kept
  filter,  ///< small changes at every step, by a digital filter of the previous errors and ratios
};

/// Limits of a Controller.
struct ControlLimits {
  int lowest_order = 1;
  int highest_order = 5;
  double dt_max = std::numeric_limits<double>::infinity();  ///< [time]
};

/// Local errors of the step just solved, in units of the tolerance, for the formulas of order k-1, k and k+1. A
/// negative value means that there is no estimate.
struct ErrorEstimates {
  double at_order = 0;
  double lower = -1;
  double higher = -1;
};

/// Chooses step size and order by the rules of CVODE. With an error e of order k, the step ratio is
///
///     eta_k = (bias e)^(-1/(k+1)),       bias = 6 for k and k-1, 10 for k+1.
///
/// It is applied if it is `least_growth` or more, or, before a test fails, if e exceeds `large_error`. Otherwise the
/// step size is kept, so that the operator alpha M + C + K / alpha and its preconditioner can be reused. The order is
/// reconsidered k+1 steps after its last change, then every second step; the order with the largest ratio is chosen. A
/// failed error test reduces the step by eta_k (not below a tenth); from the second failure in a row the factor is a
/// fifth or less, and from the third the order is lowered. A failed solve reduces the step to a quarter.
///
/// With StepControl::filter and an unchanged order, the step follows the filter H211b of two errors and one ratio,
///
///     eta = (3 e_n)^(-1/(b(k+1))) (3 e_(n-1))^(-1/(b(k+1))) eta_(n-1)^(-1/b),   b = 4,   limited to 1 + atan(eta - 1).
///
/// The step size then changes without jumps, and the error is close to a third of the tolerance.
///
/// Sources: A.C. Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005), section 2.1, and the CVODE user guide, "Mathematical
/// considerations". The numbers are CVODE's except least_growth, 1.3 instead of 1.5, and large_error, which CVODE does
/// not have: formulas on unequal steps need no constant step, and the error is spread more evenly. G. Soederlind,
/// Digital filters in adaptive time-stepping, ACM TOMS 29 (2003), section 5; G. Soederlind and L. Wang, J. Comput.
/// Appl. Math. 185 (2006), section 3, for the limiter.
class GEARSHIFT_EXPORT Controller {
 public:
  explicit Controller(ControlLimits limits = {}, StepControl control = StepControl::band)
      : limits_(limits), control_(control) {}

  /// Cold start; the first steps may grow fast.
  void start(int order, double dt);

  int order() const { return order_; }
  double dt() const { return dt_; }
  const ControlLimits& limits() const { return limits_; }

  /// Returns true if the order may change after the present step; accepted() then needs `lower` and `higher`.
  bool reconsiders_order() const { return wait_ <= 1; }

  /// Call when a step of size `taken` has passed the error test (dt() or less, if an output time cut it).
  void accepted(double taken, const ErrorEstimates& errors);
  /// Call when a step of size `taken` has failed the error test.
  void failed_test(double taken, double error);
  /// Call when the nonlinear solve of a step of size `taken` has failed.
  void failed_solve(double taken);

  /// Sets the highest order; a higher present order is reduced to it.
  void limit_order(int highest);
  /// Sets the largest step size; a larger present step is reduced to it.
  void set_dt_max(double dt_max) {
    limits_.dt_max = dt_max;
    if (dt_ > dt_max) dt_ = dt_max;
  }
  /// Limits the step after one of size `taken` to `longest`. Growth below least_growth is ignored.
  void cap_next_step(double taken, double longest);
  /// Continues with another method within these limits, at this order and with the step size dt. Previous errors are
  /// discarded.
  void change_method(ControlLimits limits, int order, double dt);
  /// Sets the next step size to `dt`, chosen by the caller; later steps follow the error from there.
  void set_dt(double dt);

  /// Visits the state (with an Archive, or anything that can be called with a name and a number).
  template <class Visitor>
  void archive(Visitor& visit) {
    visit("lowest_order", limits_.lowest_order);
    visit("highest_order", limits_.highest_order);
    visit("dt_max", limits_.dt_max);
    visit("order", order_);
    visit("wait", wait_);
    visit("failures", failures_);
    visit("steps", steps_);
    visit("failed", failed_);
    visit("dt", dt_);
    visit("error_before", error_before_);
    visit("ratio_before", ratio_before_);
  }

 private:
  void set(int order, double dt);
  /// The order with the largest step ratio, among three orders if the order is due, and that ratio.
  struct Choice {
    int order;
    double ratio;
  };
  Choice choose(const ErrorEstimates& errors);
  double filtered(double error);

  ControlLimits limits_;
  StepControl control_;
  int order_ = 1, wait_ = 2, failures_ = 0;
  long steps_ = 0;
  bool failed_ = false;
  double dt_ = 0;
  double error_before_ = -1, ratio_before_ = 1;  // of the filter; a negative error means none
};

}  // namespace gearshift::bdf
