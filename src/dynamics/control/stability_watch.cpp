#include "dynamics/control/stability_watch.hpp"

#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift {

using petsc::check;

namespace {

constexpr PetscReal threshold = 2;         // a mode amplified by e^2
constexpr PetscReal surely_light = 0.015;  // lower damping ratios count in full,
constexpr PetscReal hardly_light = 0.05;   // higher ones not at all, because the error test handles them
constexpr std::array band{0.0, 0.0, 0.0, 0.15, 0.3, 0.6, 0.7};         // h w above which orders 3..6 are measured
constexpr PetscReal harmless_growth = 1.0005, worrying_growth = 3e-3;  // the latter as a logarithm
constexpr PetscInt longest_worried_pause = 7;  // not longer than a quarter of the steps to the threshold
constexpr PetscInt first_second_look = 20, longest_between_second_looks = 200;

}  // namespace

StabilityWatch::StabilityWatch(ModeMeter& meter, Vec layout) : meter_(meter), tripping_(petsc::duplicate(layout)) {}

void StabilityWatch::reset() {
  holds_ = false;
  growth_sum_ = 0;
  since_ = pause_ = 0;
}

void StabilityWatch::archive_numbers(Archive& state) {
  state("holds", holds_);
  state("growth_sum", growth_sum_);
  state("since", since_);
  state("pause", pause_);
}

StabilityWatch::Finding StabilityWatch::look(Vec error_v, int order, PetscReal h) {
  Finding finding;
  const ModeMeter::Mode mode = finding.mode = meter_.measure(error_v, hardly_light, false);
  const PetscInt steps = std::min<PetscInt>(since_, longest_worried_pause + 1);
  since_ = 0;
  const PetscReal weight =
      mode.oscillates ? std::clamp((hardly_light - mode.damping) / (hardly_light - surely_light), 0.0, 1.0) : 0;
  if (weight > 0) finding.growth = growth_of_bdf(order, h, mode);
  const PetscReal sum = weight * std::log(finding.growth);
  growth_sum_ = std::max<PetscReal>(0, growth_sum_ + static_cast<PetscReal>(steps) * sum);
  if (sum <= worrying_growth)
    pause_ = std::min(std::max<PetscInt>(2 * pause_, 2), ModeMeter::longest_pause);
  else
    pause_ =
        std::clamp(static_cast<PetscInt>((threshold - growth_sum_) / (4 * sum)), PetscInt(0), longest_worried_pause);
  if (growth_sum_ <= threshold) return finding;
  holds_ = finding.tripped = true;
  pause_ = first_second_look;
  growth_sum_ = 0;
  check(VecCopy(error_v, tripping_.get()));
  return finding;
}

/// Checks whether higher orders are safe again: none of them may amplify a mode of up to the frequency of the mode that
/// tripped the monitor.
StabilityWatch::Finding StabilityWatch::look_again(PetscReal h) {
  Finding finding;
  const ModeMeter::Mode mode = finding.mode = meter_.measure(tripping_.get(), hardly_light, true);
  since_ = 0;
  pause_ = std::min(2 * pause_, longest_between_second_looks);
  for (PetscReal part = 1; part > 0.01; part *= 0.8)
    for (const int order : {3, 4, 5})
      finding.growth = std::max(finding.growth, growth_of_bdf(order, h, {part * mode.frequency, part * mode.damping}));
  finding.released = finding.growth <= harmless_growth;
  if (finding.released) {
    holds_ = false;
    pause_ = 0;
  }
  return finding;
}

StabilityWatch::Finding StabilityWatch::watch(Vec error_v, PetscReal size_q, PetscReal size_v, int order, PetscReal h) {
  ++since_;
  if (holds_) return since_ >= pause_ ? look_again(h) : Finding{};
  if (order < 3) {
    growth_sum_ = 0;
    since_ = 0;
    return {};
  }
  if (since_ <= pause_) return {};
  if (!(size_q > 0) || h * size_v / size_q < band[static_cast<std::size_t>(std::min(order, 6))]) {
    growth_sum_ *= 0.9;
    since_ = 0;
    return {};
  }
  return look(error_v, order, h);
}

}  // namespace gearshift
