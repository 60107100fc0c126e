#include "dynamics/control/growth_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gearshift {

using petsc::check;

namespace {

const PetscReal doubled = std::log(2.0);
constexpr PetscReal seen = 0.5;         // of the growth predicted, at least
constexpr PetscReal unexplained = 3;    // times as much as predicted is not the formula's
constexpr PetscReal fluctuation = 0.1;  // of the logarithm of an amplitude
constexpr PetscReal slowest = 0.05;     // h w below which order 3 takes 4e5 steps for a doubling, and others more
constexpr PetscReal alike = 2.5;        // of the apparent frequency and the measured one: the mode moves freely
constexpr PetscReal risen = 1.5;        // of the logarithm of the errors: worth a measurement at once
constexpr PetscReal memory = 0.8;       // of the means, from look to look
constexpr PetscInt longest_pause = 7;   // steps; with one or two more so that no phase of an oscillation is always met
constexpr PetscInt longest_idle = 32;   // looks

}  // namespace

void GrowthWatch::start_sums() {
  predicted_ = risen_ = 0;
  lowest_ = PETSC_MAX_REAL;
  unsummed_ = 0;
}

void GrowthWatch::restart() {
  meter_.reset();
  start_sums();
  mean_q_ = mean_v_ = 0;
  level_ = PETSC_MAX_REAL;
  since_ = looks_ = idle_ = 0;
  pause_ = 1;
}

void GrowthWatch::forget() {
  restart();
  found_.reset();
}

void GrowthWatch::pause() { pause_ = std::min(pause_ + 1, longest_pause + looks_ % 3); }

/// A measurement: the logarithms of the formula's growth a step and of the amplitude now.
void GrowthWatch::add_up(PetscReal growth, PetscReal amplitude) {
  const PetscReal predicted = predicted_ + static_cast<PetscReal>(unsummed_) * growth, rise = amplitude - lowest_;
  if (predicted <= 0 || rise < -fluctuation || rise > unexplained * predicted + 1) start_sums();
  predicted_ = lowest_ < PETSC_MAX_REAL ? predicted : 0;
  lowest_ = std::min(lowest_, amplitude);
  risen_ = amplitude - lowest_;
  unsummed_ = 0;
}

std::optional<GrowingMode> GrowthWatch::look(Vec error_q, Vec error_v, int order, PetscReal t, PetscReal h) {
  unsummed_ += since_;
  since_ = 0;
  ++looks_;
  pause();
  PetscReal size_q = 0, size_v = 0;
  check(VecNorm(error_q, NORM_2, &size_q));
  check(VecNorm(error_v, NORM_2, &size_v));
  mean_q_ = memory * mean_q_ + (1 - memory) * size_q * size_q;
  mean_v_ = memory * mean_v_ + (1 - memory) * size_v * size_v;
  const PetscReal apparent = mean_q_ > 0 ? std::sqrt(mean_v_ / mean_q_) : 0;
  if (!(h * apparent > slowest) || !std::isfinite(apparent)) {
    predicted_ *= memory;
    return {};
  }
  const PetscReal level = std::log(std::hypot(size_v, apparent * size_q));
  if (looks_ <= idle_ && level < level_ + risen) return {};
  looks_ = 0;
  level_ = level;
  const ModeMeter::Mode mode = meter_.measure(error_v, 1, true);
  PetscReal growth = 0;
  if (mode.frequency < alike * apparent && apparent < alike * mode.frequency)
    growth = std::log(growth_of_bdf(order, h, mode));
  if (mode.oscillates) {
    add_up(growth, std::log(std::hypot(size_v, mode.frequency * size_q)) -
                       static_cast<PetscReal>(order + 1) * std::log(h * mode.frequency));
  } else {
    start_sums();
  }
  if (!mode.oscillates || growth <= 0) {
    idle_ = std::min(std::max<PetscInt>(2 * idle_, 1), longest_idle);
    return {};
  }
  const PetscReal steps_left = std::max<PetscReal>(0, doubled - predicted_) / (4 * growth);
  pause_ = std::min(pause_, 1 + static_cast<PetscInt>(std::min<PetscReal>(steps_left, longest_pause)));
  idle_ = static_cast<PetscInt>(std::min<PetscReal>(steps_left / longest_pause, longest_idle));
  if (predicted_ < doubled || risen_ < seen * doubled) return {};
  found_ = GrowingMode{t, mode.frequency, mode.damping, std::exp(growth)};
  return found_;
}

void GrowthWatch::archive_numbers(Archive& state) {
  const Archive::Group group(state, "growth");
  meter_.archive_numbers(state);
  state("mean_q", mean_q_);
  state("mean_v", mean_v_);
  state("predicted", predicted_);
  state("risen", risen_);
  state("lowest", lowest_);
  state("level", level_);
  state("since", since_);
  state("pause", pause_);
  state("unsummed", unsummed_);
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
