#include "dynamics/equations/guarded_parts.hpp"

#include "dynamics/equations/guarded_linearization.hpp"
#include "petsc/poison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace gearshift {

bool GuardedCalls::all_say(const std::function<bool()>& question) const {
  PetscReal answer = 1;
  guard_.run_together([&] { answer = question() ? 1 : 0; }, {&answer, 1});
  return answer > 0;
}

bool GuardedCalls::some_say(const std::function<bool()>& question) const {
  return !all_say([&] { return !question(); });
}

IS GuardedConstraints::constrained() const {
  return calls_.ask([&] { return part_.constrained(); });
}

void GuardedConstraints::prescribe(PetscReal t, Vec q, Vec v, Vec a) {
  calls_.fill({q, v, a}, [&] { part_.prescribe(t, q, v, a); });
}

IS GuardedConstraints::dependent() const {
  return calls_.ask([&] { return part_.dependent(); });
}

void GuardedConstraints::complete(PetscReal t, Vec q, Vec v, Vec a) {
  calls_.fill({q, v, a}, [&] { part_.complete(t, q, v, a); });
}

void GuardedProjection::project(Vec q, Vec v) {
  calls_.fill({q, v}, [&] { part_.project(q, v); });
}

std::optional<Break> GuardedLoads::next_break(PetscReal t, PetscReal until) {
  if (!overrides_.next_break) return std::nullopt;
  std::array<PetscReal, 2> first{PETSC_INFINITY, PETSC_INFINITY};  // jump, kink
  calls_.guard().run_together(
      [&] {
        if (const std::optional<Break> next = part_.next_break(t, until))
          first[next->jump ? 0 : 1] = next->t > t ? next->t : t;  // also rejects NaN
      },
      first);
  const bool jump = first[0] <= first[1];
  if (first[jump ? 0 : 1] == PETSC_INFINITY) return std::nullopt;
  return Break{first[jump ? 0 : 1], jump};
}

PetscReal GuardedLoads::resolved_step(PetscReal t, PetscReal dt) {
  if (!overrides_.resolved_step) return dt;
  PetscReal least = dt;
  calls_.guard().run_together(
      [&] {
        const PetscReal step = part_.resolved_step(t, dt);
        if (step > 0) least = std::min(step, dt);
      },
      {&least, 1});
  return least;
}

MotionEstimate GuardedLoads::expected_motion(const State& x, PetscReal until) {
  std::array<PetscReal, 2> largest{};  // negative
  calls_.guard().run_together(
      [&] {
        const MotionEstimate here = part_.expected_motion(x, until);
        largest = {std::isfinite(here.q) ? -here.q : 0, std::isfinite(here.v) ? -here.v : 0};
      },
      largest);
  return {-largest[0], -largest[1]};
}

Vec GuardedInternalVariables::internal_layout() const {
  return calls_.ask([&] { return part_.internal_layout(); });
}

bool GuardedInternalVariables::internal_follows_path() const {
  return calls_.some_say([&] { return part_.internal_follows_path(); });
}

void GuardedInternalVariables::internal_variables(const State& x, Vec z) {
  calls_.fill({z}, [&] { part_.internal_variables(x, z); });
}

IS GuardedInternalVariables::internal_numbering() const {
  return calls_.ask([&] { return part_.internal_numbering(); });
}

void GuardedPreconditioner::use_prefix(std::string_view prefix) {
  calls_.guard().run_together([&] { part_.use_prefix(prefix); });
}

Mat GuardedPreconditioner::create_preconditioner_matrix() {
  return calls_.ask([&] { return part_.create_preconditioner_matrix(); });
}

bool GuardedPreconditioner::update_preconditioner(Linearization& tangent, Shifts s, PC pc) {
  auto& guarded = static_cast<GuardedLinearization&>(tangent);
  bool updated = true;
  if (!calls_.guard().run([&] { updated = part_.update_preconditioner(guarded.base(), s, pc); })) guarded.spoil();
  return updated;
}

void GuardedPreconditioner::keep_preconditioner(Linearization& tangent, Shifts s, PC pc) {
  auto& guarded = static_cast<GuardedLinearization&>(tangent);
  if (!calls_.guard().run([&] { part_.keep_preconditioner(guarded.base(), s, pc); })) guarded.spoil();
}

std::optional<Energy> GuardedEnergies::energy(const State& x) {
  std::optional<Energy> energy;
  if (calls_.guard().run([&] { energy = part_.energy(x); })) return energy;
  constexpr PetscReal unknown = std::numeric_limits<PetscReal>::quiet_NaN();
  return Energy{unknown, unknown, unknown, unknown, unknown};  // not nullopt, with which the balance would end
}

bool GuardedRigidMotion::take_out_rigid_motion(Vec q, Vec v) {
  return calls_.some_say([&] { return part_.take_out_rigid_motion(q, v); });
}

PetscReal GuardedRigidMotion::farthest_position() {
  return calls_.ask([&] { return part_.farthest_position(); });
}

void GuardedHistory::accept(const State& x) {
  calls_.guard().run([&] { part_.accept(x); });
}

void GuardedHistory::archive(Archive& state) {
  calls_.guard().run_together([&] { part_.archive(state); });
}

GuardedParts::GuardedParts(const GuardedCalls& calls, std::unique_ptr<AllParts> parts, Overrides overrides)
    : parts_(std::move(parts)),
      constraints_(calls, *(*parts_)->constraints),
      projection_(calls, *(*parts_)->projection),
      loads_(calls, *(*parts_)->loads, overrides),
      internal_(calls, *(*parts_)->internal),
      preconditioner_(calls, *(*parts_)->preconditioner),
      energies_(calls, *(*parts_)->energies),
      rigid_motion_(calls, *(*parts_)->rigid_motion),
      history_(calls, *(*parts_)->history) {}

SystemParts GuardedParts::all() {
  return {&constraints_, &projection_, &loads_, &internal_, &preconditioner_, &energies_, &rigid_motion_, &history_};
}

}  // namespace gearshift
