#include "dynamics/control/stability_watch.hpp"

#include "dynamics/control/constants.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace gearshift {

using petsc::check;

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
  const ModeMeter::Mode mode = finding.mode = meter_.measure(error_v, control::hardly_light, false);
  const PetscInt steps = std::min<PetscInt>(since_, control::longest_worried_pause + 1);
  since_ = 0;
  const PetscReal weight =
      mode.oscillates
          ? std::clamp((control::hardly_light - mode.damping) / (control::hardly_light - control::surely_light), 0.0,
                       1.0)
          : 0;
  if (weight > 0) finding.growth = growth_of_bdf(order, h, mode);
  const PetscReal sum = weight * std::log(finding.growth);
  growth_sum_ = std::max<PetscReal>(0, growth_sum_ + static_cast<PetscReal>(steps) * sum);
  if (sum <= control::worrying_growth)
    pause_ = std::min(std::max<PetscInt>(2 * pause_, 2), control::longest_pause);
  else
    pause_ = std::clamp(static_cast<PetscInt>((control::threshold - growth_sum_) / (4 * sum)), PetscInt(0),
                        control::longest_worried_pause);
  if (growth_sum_ <= control::threshold) return finding;
  holds_ = finding.tripped = true;
  pause_ = control::first_second_look;
  growth_sum_ = 0;
  check(VecCopy(error_v, tripping_.get()));
  return finding;
}

/// Checks whether higher orders are safe again: none of them may amplify a mode of up to the frequency of the mode that
/// tripped the monitor.
StabilityWatch::Finding StabilityWatch::look_again(PetscReal h) {
  Finding finding;
  const ModeMeter::Mode mode = finding.mode = meter_.measure(tripping_.get(), control::hardly_light, true);
  since_ = 0;
  pause_ = std::min(2 * pause_, control::longest_between_second_looks);
  for (PetscReal part = 1; part > 0.01; part *= 0.8)
    for (const int order : {3, 4, 5})
      finding.growth = std::max(finding.growth, growth_of_bdf(order, h, {part * mode.frequency, part * mode.damping}));
  finding.released = finding.growth <= control::harmless_growth;
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
  if (!(size_q > 0) || h * size_v / size_q < control::band[static_cast<std::size_t>(std::min(order, 6))]) {
    growth_sum_ *= control::forgetting;
    since_ = 0;
    return {};
  }
  return look(error_v, order, h);
}

}  // namespace gearshift
