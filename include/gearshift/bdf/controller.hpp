#pragma once

/// @file
/// How the step and the order follow the local error: pure numbers, the same on every rank.

#include <gearshift/export.hpp>

#include <limits>

namespace gearshift::bdf {

/// How the step follows the error.
enum class StepControl {
  band,    ///< it stays while the error is neither small nor large, so that the operator and its preconditioner stay
  filter,  ///< it changes a little every step, by a digital filter of the errors and ratios before
};

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
/// is taken where it is at least `least_growth`, or where e exceeds `large_error`, before a test fails; else the step
/// stays, so that the operator alpha M + C + K / alpha and its preconditioner live long. The order is reconsidered k+1
/// steps after its last change, then every second step; the order of the largest ratio wins. A failed error test
/// shrinks the step by eta_k (at least to a tenth), from the second failure in a row to a fifth at most, and lowers the
/// order from the third. A failed solve quarters the step.
///
/// With StepControl::filter the step of an unchanged order follows the filter H211b of two errors and one ratio,
///
///     eta = (3 e_n)^(-1/(b(k+1))) (3 e_(n-1))^(-1/(b(k+1))) eta_(n-1)^(-1/b),   b = 4,   limited to 1 + atan(eta - 1):
///
/// a sequence of steps without jumps, in which the error is close to a third of the tolerance.
///
/// Sources: A.C. Hindmarsh et al., SUNDIALS, ACM TOMS 31 (2005), section 2.1, and the CVODE user guide, "Mathematical
/// considerations". Numbers are CVODE's but for least_growth, 1.3 for its 1.5, and large_error, of which it has none:
/// formulas on unequal steps need no constant step, and the error is spread more evenly. G. Soederlind, Digital filters
/// in adaptive time-stepping, ACM TOMS 29 (2003), section 5; G. Soederlind and L. Wang, J. Comput. Appl. Math. 185
/// (2006), section 3, for the limiter.
class GEARSHIFT_EXPORT Controller {
 public:
  explicit Controller(ControlLimits limits = {}, StepControl control = StepControl::band)
      : limits_(limits), control_(control) {}

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

  /// Sets the highest order; the present one falls to it, if above.
  void limit_order(int highest);
  /// Sets the largest step (the present one falls to it, if above).
  void limit_step(double dt_max) {
    limits_.dt_max = dt_max;
    if (dt_ > dt_max) dt_ = dt_max;
  }
  /// After a step of size `taken` the next is `longest` at most; growth that is not worth it is none.
  void limit_dt(double taken, double longest);
  /// Another method goes on within these limits, at this order with a step of dt; nothing is learned from the errors
  /// before.
  void change_method(ControlLimits limits, int order, double dt);
  /// The next step is `dt`, chosen by somebody else; later ones follow the error from there.
  void impose(double dt);

  /// Visits the state (an Archive, or anything that is called with a name and a number).
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
  /// The step of the highest ratio of the three orders, where the order is due, and that ratio.
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
  double error_before_ = -1, ratio_before_ = 1;  // of the filter; a negative error: none
};

}  // namespace gearshift::bdf
