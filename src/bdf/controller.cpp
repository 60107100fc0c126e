#include <gearshift/bdf/controller.hpp>

#include "bdf/constants.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::bdf {
namespace {

double ratio(double error, int order, double safety) {
  return 1 / (std::pow(safety * error, 1.0 / (order + 1)) + 1e-6);
}

}  // namespace

void Controller::start(int order, double dt) {
  set(order, dt);
  wait_ = order_ + 1;
  steps_ = 0;
  failures_ = 0;
  failed_ = false;
}

void Controller::set(int order, double dt) {
  order = std::clamp(order, limits_.lowest_order, limits_.highest_order);
  if (order != order_) {
    wait_ = order + 1;
    error_before_ = -1;
    ratio_before_ = 1;
  }
  order_ = order;
  dt_ = std::min(dt, limits_.dt_max);
}

Controller::Choice Controller::choose(const ErrorEstimates& errors) {
  Choice choice{order_, ratio(errors.at_order, order_, bias)};
  if (wait_ > 0) return choice;
  wait_ = errors.higher < 0 && order_ < limits_.highest_order ? 1 : 2;  // too few states: check again
  const double down = order_ > limits_.lowest_order && errors.lower >= 0 ? ratio(errors.lower, order_ - 1, bias) : 0;
  const double up =
      order_ < limits_.highest_order && errors.higher >= 0 ? ratio(errors.higher, order_ + 1, bias_higher) : 0;
  if (down > choice.ratio) choice = {order_ - 1, down};
  if (up > choice.ratio) choice = {order_ + 1, up};
  return choice;
}

double Controller::filtered(double error) {
  const double scaled = std::max(filter_safety * error, 1e-10), power = -1 / (filter_memory * (order_ + 1));
  const double eta = error_before_ > 0
                         ? std::pow(scaled * error_before_, power) * std::pow(ratio_before_, -1 / filter_memory)
                         : std::pow(scaled, filter_memory * power);
  error_before_ = scaled;
  return ratio_before_ = 1 + std::atan(eta - 1);
}

void Controller::accepted(double taken, const ErrorEstimates& errors) {
  const bool cut = taken < barely_cut * dt_;
  ++steps_;
  failures_ = 0;
  wait_ = std::max(wait_ - 1, 0);
  if (failed_) {  // no growth directly after a failure
    failed_ = false;
    wait_ = std::max(wait_, 2);
    return;
  }
  const Choice choice = choose(errors);
  const bool same = choice.order == order_, large = errors.at_order > large_error;
  if (cut && same && !large) {  // a step cut by an output time says little about a longer one
    error_before_ = -1;
    return;
  }
  double eta = std::min(choice.ratio, steps_ == 1 ? max_growth_at_first : max_growth);
  if (control_ == StepControl::filter && same && !cut && steps_ > first_steps)
    eta = filtered(errors.at_order);
  else if (eta < least_growth && !(same && large))
    return;
  set(choice.order, cut ? std::min(taken * eta, dt_) : taken * eta);
}

void Controller::failed_test(double taken, double error) {
  failed_ = true;
  error_before_ = -1;
  ++failures_;
  double eta = std::max(max_shrinkage, ratio(error, order_, bias));
  if (!std::isfinite(error)) eta = max_shrinkage;
  if (failures_ >= failures_to_shrink_hard) eta = std::min(eta, shrinkage_again);
  int order = order_;
  if (failures_ >= failures_to_lower_order && order_ > limits_.lowest_order) {
    order = order_ - 1;
    eta = max_shrinkage;
  }
  set(order, taken * std::min(eta, max_retry));
}

void Controller::failed_solve(double taken) {
  failed_ = true;
  error_before_ = -1;
  set(order_, taken * shrinkage_of_solve);
}

void Controller::limit_order(int highest) {
  limits_.highest_order = std::max(highest, limits_.lowest_order);
  if (order_ > limits_.highest_order) set(limits_.highest_order, dt_);
}

void Controller::change_method(ControlLimits limits, int order, double dt) {
  limits_ = limits;
  set(order, dt);
  wait_ = order_ + 1;
  failures_ = 0;
  failed_ = false;
  error_before_ = -1;
  ratio_before_ = 1;
}

void Controller::set_dt(double dt) {
  dt_ = std::min(dt, limits_.dt_max);
  error_before_ = -1;
}

void Controller::cap_next_step(double taken, double longest) {
  if (dt_ <= longest) return;
  dt_ = longest > taken && longest < least_growth * taken ? taken : longest;
}

}  // namespace gearshift::bdf
