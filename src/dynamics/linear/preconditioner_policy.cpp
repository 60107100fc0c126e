#include "dynamics/linear/preconditioner_policy.hpp"

#include "dynamics/equations/motion_map.hpp"
#include "dynamics/linear/constants.hpp"

#include <array>
#include <cmath>

namespace gearshift {

PreconditionerPolicy::PreconditionerPolicy(PcUpdate update, Vec layout, Vec internal)
    : update_(update), point_(layout, internal) {}

bool PreconditionerPolicy::take(Shifts shifts) {
  bool due = !built_ || update_ == PcUpdate::newton || (update_ != PcUpdate::never && requested_);
  if (update_ == PcUpdate::automatic && !due) {
    const PetscReal now = coefficient(shifts), then = coefficient(usage_.built_for);
    due = usage_.age >= linear::max_age || usage_.excess >= usage_.krylov_at_first + linear::price_of_build ||
          std::abs(now - then) > linear::max_change_of_alpha * then;
  }
  if (!due) return false;
  requested_ = false;
  built_ = true;
  usage_ = {.built_for = shifts};
  ++builds_;
  if (seen_.solves == 0) ++builds_at_start_;
  before_ = seen_;
  return true;
}

void PreconditionerPolicy::judge(PetscInt krylov) {
  if (update_ == PcUpdate::automatic && usage_.first > 0 && krylov > 2 * usage_.first + linear::far_above)
    requested_ = true;
  if (usage_.first == 0) usage_.first = krylov;
  ++seen_.solves;
  seen_.iterations += krylov;
}

void PreconditionerPolicy::solved(PetscInt newton, PetscInt krylov) {
  newton -= before_.solves;
  krylov -= before_.iterations;
  seen_ = before_ = {};
  if (newton > 0) {
    if (usage_.age == 0) usage_.krylov_at_first = krylov / newton;
    usage_.excess += krylov - newton * usage_.krylov_at_first;
  }
  ++usage_.age;
}

bool PreconditionerPolicy::archive(Archive& state) {
  const Archive::Group group(state, "preconditioner");
  const bool loading = state.loading(), had_one = built_;
  const Shifts old_shifts = usage_.built_for;
  state("requested", requested_);
  state("built", built_);
  state("builds", builds_);
  state("age", usage_.age);
  state("krylov_at_first", usage_.krylov_at_first);
  state("excess", usage_.excess);
  state("first", usage_.first);
  std::array<PetscReal, 3> shifts{old_shifts.q, old_shifts.v, old_shifts.a};
  state("shifts", shifts);
  usage_.built_for = {shifts[0], shifts[1], shifts[2]};
  const bool same =
      point_.archive(state) && had_one && shifts == std::array<PetscReal, 3>{old_shifts.q, old_shifts.v, old_shifts.a};
  return loading && built_ && !same;
}

}  // namespace gearshift
