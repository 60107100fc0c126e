#include "dynamics/control/growth_watch.hpp"

#include "dynamics/control/constants.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gearshift {

using petsc::check;

namespace {

const PetscReal doubled = std::log(2.0);

}  // namespace

PetscReal GrowthWatch::Size::level(PetscReal frequency) const { return std::log(std::hypot(v, frequency * q) / unit); }

void GrowthWatch::restart() {
  mean_q_ = mean_v_ = 0;
  any_ = false;
  since_ = since_least_ = looks_ = idle_ = 0;
  pause_ = control::first_pause;
}

void GrowthWatch::forget() {
  restart();
  found_.reset();
}

void GrowthWatch::pause() { pause_ = std::min(pause_ + 1, control::longest_gap + looks_ % 3); }

/// Returns true if the motion is a free oscillation of the mode: its apparent frequency is about that of the mode.
/// After few samples and fast growth, when e_q and e_v are large alternately, the amplitude must instead have the value
/// that the formula predicts.
bool GrowthWatch::moves_freely(const ModeMeter::Mode& mode, PetscReal growth, const Size& now,
                               PetscReal apparent) const {
  const PetscReal ratio = std::max(mode.frequency / apparent, apparent / mode.frequency);
  if (ratio < control::alike) return true;
  const PetscReal predicted = static_cast<PetscReal>(since_least_) * growth;
  const PetscReal risen = now.level(mode.frequency) - least_.level(mode.frequency);
  return ratio < control::hardly_alike && std::abs(risen - predicted) < control::exact * predicted;
}

/// Decides whether the growth comes from a mode that the formula multiplies by e^growth in each step.
GrowthWatch::Verdict GrowthWatch::judge(const ModeMeter::Mode& mode, PetscReal growth, const Size& now) const {
  if (!(growth > 0)) return Verdict::innocent;
  const PetscReal predicted = static_cast<PetscReal>(since_least_) * growth;
  const PetscReal risen = now.level(mode.frequency) - least_.level(mode.frequency);
  if (risen > control::unexplained * predicted + 1) return Verdict::innocent;
  return predicted >= doubled && risen >= control::seen * doubled ? Verdict::guilty : Verdict::open;
}

ModeMeter::Mode GrowthWatch::measure(const Errors& errors, PetscReal apparent) {
  if (errors.before) return meter_.measure_first_order(errors.q, errors.before);
  return meter_.symmetric() ? meter_.measure(errors.v, 1, true) : meter_.measure_plane(errors.q, errors.v, apparent);
}

namespace {

/// Returns the logarithm of the factor by which the formula multiplies the mode in each step; 0 if it is less than
/// twice the physical growth of the mode.
PetscReal growth_by_formula(int order, PetscReal h, const ModeMeter::Mode& mode) {
  if (!mode.oscillates) return 0;
  const PetscReal growth = std::log(growth_of_bdf(order, h, mode)), own = -mode.damping * mode.frequency * h;
  return growth > 2 * own ? growth : 0;
}

}  // namespace

std::optional<GrowingMode> GrowthWatch::look(const Errors& errors, int order, PetscReal t, PetscReal h) {
  since_least_ += std::exchange(since_, 0);
  ++looks_;
  pause();
  Size now{0, 0, std::pow(h, order + 1)};
  check(VecNorm(errors.q, NORM_2, &now.q));
  check(VecNorm(errors.v, NORM_2, &now.v));
  mean_q_ = control::memory * mean_q_ + (1 - control::memory) * now.q * now.q;
  mean_v_ = control::memory * mean_v_ + (1 - control::memory) * now.v * now.v;
  const PetscReal apparent = mean_q_ > 0 ? std::sqrt(mean_v_ / mean_q_) : 0;
  const bool may_grow = h * apparent > control::slowest && std::isfinite(apparent);
  if (!any_ || !may_grow || now.level(apparent) < least_.level(apparent)) {
    any_ = true;
    least_ = now;
    since_least_ = 0;
    return {};
  }
  const PetscReal risen = now.level(apparent) - least_.level(apparent);
  if (risen > control::seen * doubled && idle_ <= 1) pause_ = 1;
  if (looks_ <= idle_ || risen < doubled) return {};
  looks_ = 0;
  const ModeMeter::Mode mode = measure(errors, apparent);
  const PetscReal growth = growth_by_formula(order, h, mode);
  const bool free = moves_freely(mode, growth, now, apparent);
  const Verdict verdict = judge(mode, growth, now);
  if (free && verdict == Verdict::guilty) {
    found_ = GrowingMode{t, mode.frequency, mode.damping, std::exp(growth)};
    return found_;
  }
  idle_ = free && growth > 0 ? 1 : std::min(std::max<PetscInt>(2 * idle_, 1), control::longest_idle);
  if (verdict == Verdict::innocent) {
    least_ = now;
    since_least_ = 0;
  }
  return {};
}

void GrowthWatch::archive_numbers(Archive& state) {
  const Archive::Group group(state, "growth");
  state("mean_q", mean_q_);
  state("mean_v", mean_v_);
  state("least_q", least_.q);
  state("least_v", least_.v);
  state("least_unit", least_.unit);
  state("any", any_);
  state("since", since_);
  state("pause", pause_);
  state("since_least", since_least_);
  state("looks", looks_);
  state("idle", idle_);
  bool found = found_.has_value();
  state("found", found);
  if (!found) {
    found_.reset();
    return;
  }
  if (!found_) found_.emplace();
  state("found_t", found_->t);
  state("found_frequency", found_->frequency);
  state("found_damping", found_->damping);
  state("found_growth", found_->growth);
}

}  // namespace gearshift
