#include "dynamics/control/method_choice.hpp"

#include <gearshift/bdf/formula.hpp>
#include <gearshift/bdf/sdirk.hpp>

#include "dynamics/control/constants.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

namespace {

const PetscReal one_step_solves = bdf::esdirk5().solves();

/// Returns the factor by which the one-step method may cost more, for a mode of this damping ratio: the error of BDF
/// accumulates during an oscillation and is forgotten after 1 / zeta radians.
PetscReal max_cost_ratio(PetscReal damping) {
  return std::min(control::price / std::max<PetscReal>(damping, PETSC_SMALL), control::dearest);
}

/// Returns this factor for a first-order system after this number of radians. Its oscillations are usually transients,
/// and it begins with BDF.
PetscReal max_cost_ratio_of_first_order(PetscReal damping, PetscReal radians) {
  return std::min({std::max<PetscReal>(control::price / std::max<PetscReal>(damping, PETSC_SMALL), 1),
                   1 + control::dearer_of_first_order * radians, control::dearest});
}

/// Returns the local error of BDF for a mode with amplitude 1.
PetscReal bdf_error(int order, PetscReal hw) {
  return std::pow(hw, order + 1) / bdf::bdf_inverse_error_constant(order);
}

/// Returns true if the errors of a first-order system rotate like the mode measured in their plane. If they only decay,
/// each on its own, the plane may contain an oscillation that is not excited.
bool turns(const ModeMeter::Mode& mode, PetscReal apparent) {
  return mode.frequency < control::turns_alike * apparent && apparent < control::turns_alike * mode.frequency;
}

/// Returns the frequency at which the motion rotates. At some phases of an oscillation the errors of v nearly vanish; a
/// lightly damped mode still rotates at its own frequency or faster.
PetscReal turning(const ModeMeter::Mode& mode, PetscReal apparent) {
  return mode.oscillates && mode.damping < control::light ? std::max(apparent, mode.frequency) : apparent;
}

}  // namespace

void MethodChoice::reset() {
  mode_ = {};
  method_ = first_order_ ? Method::bdf : Method::esdirk;
  measured_ = flowed_ = false;
  growth_sum_ = gain_ = 0;
  since_ = 0;
  pause_ = first_order_ ? control::first_look : control::first_look_at_one_step;
  work_ = ban_until_ = changed_at_ = radians_ = 0;
  ban_ = control::first_ban;
}

void MethodChoice::archive_numbers(Archive& state) {
  const Archive::Group group(state, "method_choice");
  state("frequency", mode_.frequency);
  state("damping", mode_.damping);
  state("oscillates", mode_.oscillates);
  state("method", method_);
  state("measured", measured_);
  state("flowed", flowed_);
  state("growth_sum", growth_sum_);
  state("gain", gain_);
  state("since", since_);
  state("pause", pause_);
  state("work", work_);
  state("radians", radians_);
  state("ban_until", ban_until_);
  state("ban", ban_);
  state("changed_at", changed_at_);
}

void MethodChoice::change(Method to) {
  // Returning soon to the method that was used before means that the change was a mistake.
  if (to == Method::esdirk && changed_at_ > 0) {
    if (work_ - changed_at_ < 2 * ban_)
      ban_ *= 2;
    else
      ban_ = std::max(control::first_ban, ban_ / 2);
    ban_until_ = work_ + ban_;
  }
  method_ = to;
  changed_at_ = work_;
  growth_sum_ = 0;
  since_ = 0;
  pause_ = to == Method::esdirk ? control::first_look_at_one_step : control::first_look;
  measured_ = false;
}

bool MethodChoice::leaves_bdf(PetscReal gain, PetscReal tolerance) {
  if (method_ != Method::bdf) gain_ = gain;
  if (method_ != Method::bdf || flowed_ || !(gain - gain_ > tolerance)) return false;
  change(Method::esdirk);
  return true;
}

bool MethodChoice::flows() {
  const bool takes_over = method_ == Method::esdirk;
  if (takes_over) change(Method::bdf);
  since_ = 0;
  pause_ = control::longest_pause;
  measured_ = false;
  flowed_ = true;
  return takes_over;
}

void MethodChoice::measure(const Errors& errors) {
  mode_ = first_order_ ? meter_.measure_first_order(errors.q, errors.before)
                       : meter_.measure(errors.v, control::damped, true);
  measured_ = true;
  since_ = 0;
}

MethodChoice::Finding MethodChoice::consider(const Step& step, const Errors& errors,
                                             const std::function<Proposal()>& propose_bdf) {
  work_ += static_cast<PetscReal>(step.work);
  if (first_order_ && !errors.before) return {};
  if (step.size_q > 0) radians_ += step.dt * step.size_v / step.size_q;
  ++since_;
  return step.method == Method::esdirk ? consider_bdf(step, errors, propose_bdf) : consider_one_step(step, errors);
}

/// Considers a change to the one-step method, after a step of BDF.
MethodChoice::Finding MethodChoice::consider_one_step(const Step& step, const Errors& errors) {
  Finding finding;
  if (flowed_ && since_ <= pause_) return finding;
  flowed_ = false;
  const PetscReal apparent = step.size_q > 0 ? step.size_v / step.size_q : 0, phase = step.dt * apparent;
  if (phase < control::hardly_moving || meter_.known().ratio(apparent) > control::damped) return finding;
  if (since_ > pause_) {
    measure(errors);
    pause_ = mode_.oscillates && mode_.damping < control::light ? control::first_look
                                                                : std::min(2 * pause_, control::longest_pause);
  }
  if (!measured_ || !mode_.oscillates || mode_.damping > control::damped) return finding;
  if (first_order_ && !turns(mode_, apparent)) return finding;
  finding.mode = mode_;
  if (step.order > 2) finding.growth = growth_of_bdf(step.order, step.dt, mode_);
  const PetscReal decay = mode_.damping * mode_.frequency * step.dt;
  const PetscReal wrong = std::log(finding.growth) + decay;
  growth_sum_ = step.order > 2 ? growth_sum_ * std::exp(-decay) + std::max<PetscReal>(0, wrong) : 0;
  const PetscReal amplitude = std::max<PetscReal>(step.error, 1e-4) / bdf_error(step.order, std::min(phase, 1.0));
  const PetscReal next_phase =
      std::min(std::pow(control::target / (control::one_step_error * amplitude), 0.2), control::hardly_resolved);
  const bool amplifies = growth_sum_ > control::too_amplified;
  const PetscReal dearer =
      first_order_ ? max_cost_ratio_of_first_order(mode_.damping, radians_) : max_cost_ratio(mode_.damping);
  if (one_step_solves * phase > dearer * next_phase && !amplifies) return finding;
  if (since_ > 0) {  // only a fresh measurement decides
    if (amplifies) pause_ = 0;
    return finding;
  }
  finding.changes = true;
  finding.method = Method::esdirk;
  finding.dt = std::clamp(0.8 * next_phase / apparent, step.dt, 4 * step.dt);
  change(Method::esdirk);
  return finding;
}

/// Considers a change to BDF, after a step of the one-step method.
MethodChoice::Finding MethodChoice::consider_bdf(const Step& step, const Errors& errors,
                                                 const std::function<Proposal()>& propose_bdf) {
  Finding finding;
  if (since_ <= pause_) return finding;
  pause_ = std::min(2 * pause_, control::longest_pause);
  if (work_ < ban_until_) return finding;
  measure(errors);
  finding.mode = mode_;
  const PetscReal frequency = turning(mode_, step.size_q > 0 ? step.size_v / step.size_q : 0),
                  phase = step.dt * frequency;
  PetscReal gain = 0;
  if (mode_.oscillates && mode_.damping < control::damped) {
    if (!(phase > 0) || phase > control::hardly_resolved) return finding;
    // The amplitude of a resolved oscillation determines the first step of BDF, at order 4.
    const int order = std::min(4, step.highest_order), highest = std::min(5, step.highest_order);
    const PetscReal error = std::max<PetscReal>(step.error, 1e-4);
    const PetscReal amplitude = error / (control::one_step_error * std::pow(phase, 5));
    const PetscReal best = std::pow(control::target / (amplitude * bdf_error(highest, 1)), 1.0 / (highest + 1));
    const PetscReal first = std::pow(control::target / (amplitude * bdf_error(order, 1)), 1.0 / (order + 1));
    const PetscReal longest = mode_.damping < control::light ? control::stable : 1;
    gain = one_step_solves * std::min(best, longest) / (phase * std::pow(control::target / error, 0.2));
    // Do not begin a method that would be abandoned again.
    gain /= std::max<PetscReal>(1, max_cost_ratio(mode_.damping));
    finding.order = order;
    finding.dt = std::min({first, longest, phase}) / frequency;
  } else {
    const Proposal bdf = propose_bdf();
    if (!(bdf.dt > 0)) return finding;
    gain = one_step_solves * bdf.dt / step.dt;
    finding.order = bdf.order;
    finding.dt = std::min(bdf.dt, step.dt);
  }
  if (!(gain >= control::worth_a_change)) return finding;
  finding.changes = true;
  finding.method = Method::bdf;
  change(Method::bdf);
  return finding;
}

}  // namespace gearshift
