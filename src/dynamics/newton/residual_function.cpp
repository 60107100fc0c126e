#include "dynamics/newton/residual_function.hpp"

#include "dynamics/newton/constants.hpp"
#include "dynamics/newton/rounding.hpp"
#include "petsc/log.hpp"
#include "petsc/poison.hpp"
#include "petsc/queries.hpp"
#include "petsc/read_lock.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

ResidualFunction::ResidualFunction(GuardedSystem& system, Vec layout)
    : system_(system),
      motion_(system, layout),
      values_(duplicate(layout)),
      reactions_(duplicate(layout)),
      start_(duplicate(layout)) {}

void ResidualFunction::begin() {
  blocked_ = system_.guard().holds();
  kept_ = system_.guard().kept();
}

void ResidualFunction::end() {
  blocked_ = false;
  running_ = nullptr;
}

PetscErrorCode ResidualFunction::run(SNES snes, Vec x) {
  running_ = snes;
  point_ = nullptr;
  const PetscErrorCode code = SNESSolve(snes, nullptr, x);
  running_ = nullptr;
  return code;
}

bool ResidualFunction::unusable() const { return invalid_ || kept_ != system_.guard().kept(); }

void ResidualFunction::evaluate(Vec x, Vec f) {
  const petsc::ScopedEvent event(petsc::Event::residual);
  const State at = motion_.state_at(x);
  point_ = x;
  const petsc::CallbackGuard& guard = system_.guard();
  const long before = guard.kept();
  {
    const petsc::ReadLock q(at.q), v(at.v), a(at.a);
    system_.residual(at, f);
  }
  motion_.fix_rows(x, f, reactions_.get());
  kept_ = guard.kept();
  invalid_ = blocked_ || guard.failed() || kept_ != before;
  petsc::poison_where(invalid_, f);
  if (invalid_ && running_) check(SNESSetFunctionDomainError(running_));
}

std::optional<PetscReal> ResidualFunction::norm_at(Vec x) {
  PetscReal norm = 0;
  Vec f = work(0);
  const bool good = system_.try_evaluate([&] {
    system_.residual(motion_.state_at(x), f);
    motion_.fixed().set(f, 0.0);
    check(VecNorm(f, NORM_2, &norm));
    return std::isfinite(norm);
  });
  point_ = nullptr;
  return good ? std::optional(norm) : std::nullopt;
}

State ResidualFunction::state_at(Vec x) {
  const bool present = running_ && point_ == x;
  point_ = nullptr;
  return present ? motion_.state() : motion_.state_still_at(x);
}

PetscReal ResidualFunction::reaction_power(Vec v) const { return petsc::dot(reactions_.get(), v); }

void ResidualFunction::clear_reactions() { check(VecSet(reactions_.get(), 0)); }

Vec ResidualFunction::work(std::size_t number) {
  if (!work_[number]) work_[number] = duplicate(start_.get());
  return work_[number].get();
}

PetscReal ResidualFunction::distance(Vec from, Vec to) {
  check(VecWAXPY(work(0), -1, from, to));
  return petsc::norm(work(0));
}

bool ResidualFunction::is_rounding(Vec x) {
  point_ = nullptr;
  return system_.try_evaluate([&] { return residual_is_rounding(system_, motion_, x, work(0), work(1)); });
}

/// Returns |x - x_0| and |q(x_0)|, where x_0 is the start of the solve.
std::array<PetscReal, 2> ResidualFunction::distance_from_start(Vec x) {
  point_ = nullptr;
  const PetscReal moved = distance(start_.get(), x);
  return {moved, petsc::norm(motion_.state_at(start_.get()).q)};
}

bool ResidualFunction::stayed_near(Vec x) {
  const auto [distance, former] = distance_from_start(x);
  return distance <= petsc::norm(start_.get()) || shifts().q * distance <= former;
}

bool ResidualFunction::is_noise(Vec x, Vec y) {
  const PetscReal step = petsc::norm(y);
  const auto [distance, former] = distance_from_start(x);
  const PetscReal slope = shifts().q, motion = std::max(slope * distance, former);
  const PetscReal reach = slope * step > 0 ? newton::far_for_noise * motion / (slope * step) : 0;
  const bool in_place = slope * distance < newton::far_for_noise * system_.parts().rigid_motion->farthest_position();
  return (in_place && is_rounding(x)) || system_.try_evaluate([&] {
    return residual_is_noise(system_, motion_, x, y, reach, work(0), work(1), work(2));
  });
}

}  // namespace gearshift
