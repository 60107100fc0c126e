#include "app/results/frame_times.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace gearshift::app {
namespace {

PetscReal rounding(PetscReal t) { return 64 * PETSC_MACHINE_EPSILON * std::abs(t); }

}  // namespace

FrameTimes::FrameTimes(PetscReal dt, std::vector<PetscReal> times) : dt_(dt), times_(std::move(times)) {
  std::sort(times_.begin(), times_.end());
  times_.erase(std::unique(times_.begin(), times_.end(), same), times_.end());
}

bool FrameTimes::same(PetscReal a, PetscReal b) {
  return std::abs(a - b) <= rounding(std::max(std::abs(a), std::abs(b)));
}

std::vector<PetscReal> FrameTimes::between(PetscReal after, PetscReal until) const {
  const auto inside = [&](PetscReal t) { return t > after && !same(t, after) && (t <= until || same(t, until)); };
  std::vector<PetscReal> wanted;
  if (dt_ > 0)
    for (PetscReal k = std::max(0.0, std::floor(after / dt_)); k * dt_ <= until + rounding(until); ++k)
      if (inside(k * dt_)) wanted.push_back(k * dt_);
  std::copy_if(times_.begin(), times_.end(), std::back_inserter(wanted), inside);
  std::sort(wanted.begin(), wanted.end());
  wanted.erase(std::unique(wanted.begin(), wanted.end(), same), wanted.end());
  return wanted;
}

bool FrameTimes::has(PetscReal t) const {
  return (dt_ > 0 && same(std::round(t / dt_) * dt_, t)) ||
         std::any_of(times_.begin(), times_.end(), [&](PetscReal other) { return same(other, t); });
}

std::size_t FrameTimes::later_than(PetscReal t) const {
  return static_cast<std::size_t>(
      std::count_if(times_.begin(), times_.end(), [&](PetscReal other) { return other > t && !same(other, t); }));
}

}  // namespace gearshift::app
