#include "dynamics/equations/guarded_system.hpp"

#include "petsc/poison.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace gearshift {

using petsc::poison_where;

GuardedSystem::GuardedSystem(System& base, Vec layout, PetscReal patience, Overrides known, System* user)
    : base_(base),
      overrides_(known),
      comm_(PetscObjectComm(reinterpret_cast<PetscObject>(layout))),
      patience_(patience),
      guard_(comm_, patience) {
  guard_.run_together([&] {
    parts_ = std::make_unique<AllParts>(base);
    overrides_ = with_declared_parts(user ? *user : base, known);
  });
  for (bool* one : {&overrides_.next_break, &overrides_.resolved_step, &overrides_.take_out_rigid_motion,
                    &overrides_.project, &overrides_.accept})
    *one = guard_.any(*one);
}

template <class Query>
auto GuardedSystem::ask(Query&& query) const {
  decltype(query()) answer{};
  guard_.run_together([&] { answer = query(); });
  return answer;
}

template <class Action>
void GuardedSystem::fill(std::initializer_list<Vec> out, Action&& action) {
  const bool good = guard_.run(action);
  for (Vec vec : out) poison_where(!good, vec);
}

bool GuardedSystem::all_say(const std::function<bool()>& question) const {
  PetscReal answer = 1;
  guard_.run_together([&] { answer = question() ? 1 : 0; }, {&answer, 1});
  return answer > 0;
}

bool GuardedSystem::some_say(const std::function<bool()>& question) const {
  return !all_say([&] { return !question(); });
}

bool GuardedSystem::try_evaluate(const std::function<bool()>& question) {
  petsc::CallbackGuard aside(comm_, patience_);
  petsc::CallbackGuard* outer = std::exchange(residuals_guard_, &aside);
  bool answer = false;
  try {
    answer = question();
  } catch (...) {
    residuals_guard_ = outer;
    throw;
  }
  residuals_guard_ = outer;
  return !guard_.any(!answer || aside.holds());
}

void GuardedSystem::residual(const State& x, Vec r) {
  const bool good = residuals_guard_->run([&] { base_.residual(x, r); });
  poison_where(!good, r);
}

void GuardedSystem::tangent(const State& x, Shifts s, Vec in, Vec out) {
  fill({out}, [&] { base_.tangent(x, s, in, out); });
}

std::unique_ptr<Linearization> GuardedSystem::make_linearization() {
  std::unique_ptr<Linearization> made;
  guard_.run_together([&] {
    made = base_.make_linearization();
    if (!made) throw OptionError("System::make_linearization() returned nullptr");
  });
  return std::make_unique<GuardedLinearization>(std::move(made), guard_);
}

void GuardedSystem::use_prefix(std::string_view prefix) {
  guard_.run_together([&] { (*parts_)->preconditioner->use_prefix(prefix); });
}

Mat GuardedSystem::create_preconditioner_matrix() {
  return ask([&] { return (*parts_)->preconditioner->create_preconditioner_matrix(); });
}

void GuardedSystem::configure(SNES snes) {
  guard_.run_together([&] { base_.configure(snes); });
}

bool GuardedSystem::update_preconditioner(Linearization& tangent, Shifts s, PC pc) {
  auto& guarded = static_cast<GuardedLinearization&>(tangent);
  bool updated = true;
  if (!guard_.run([&] { updated = (*parts_)->preconditioner->update_preconditioner(guarded.base(), s, pc); }))
    guarded.spoil();
  return updated;
}

void GuardedSystem::keep_preconditioner(Linearization& tangent, Shifts s, PC pc) {
  auto& guarded = static_cast<GuardedLinearization&>(tangent);
  if (!guard_.run([&] { (*parts_)->preconditioner->keep_preconditioner(guarded.base(), s, pc); })) guarded.spoil();
}

bool GuardedSystem::symmetric() const {
  return all_say([&] { return base_.symmetric(); });
}

IS GuardedSystem::constrained() const {
  return ask([&] { return (*parts_)->constraints->constrained(); });
}

void GuardedSystem::prescribe(PetscReal t, Vec q, Vec v, Vec a) {
  fill({q, v, a}, [&] { (*parts_)->constraints->prescribe(t, q, v, a); });
}

IS GuardedSystem::dependent() const {
  return ask([&] { return (*parts_)->constraints->dependent(); });
}

void GuardedSystem::complete(PetscReal t, Vec q, Vec v, Vec a) {
  fill({q, v, a}, [&] { (*parts_)->constraints->complete(t, q, v, a); });
}

std::optional<Break> GuardedSystem::next_break(PetscReal t, PetscReal until) {
  if (!overrides_.next_break) return std::nullopt;
  std::array<PetscReal, 2> first{PETSC_INFINITY, PETSC_INFINITY};  // jump, kink
  guard_.run_together(
      [&] {
        if (const std::optional<Break> next = (*parts_)->loads->next_break(t, until))
          first[next->jump ? 0 : 1] = next->t > t ? next->t : t;  // also rejects NaN
      },
      first);
  const bool jump = first[0] <= first[1];
  if (first[jump ? 0 : 1] == PETSC_INFINITY) return std::nullopt;
  return Break{first[jump ? 0 : 1], jump};
}

PetscReal GuardedSystem::resolved_step(PetscReal t, PetscReal dt) {
  if (!overrides_.resolved_step) return dt;
  PetscReal least = dt;
  guard_.run_together(
      [&] {
        const PetscReal step = (*parts_)->loads->resolved_step(t, dt);
        if (step > 0) least = std::min(step, dt);
      },
      {&least, 1});
  return least;
}

MotionEstimate GuardedSystem::expected_motion(const State& x, PetscReal until) {
  std::array<PetscReal, 2> largest{};  // negative
  guard_.run_together(
      [&] {
        const MotionEstimate here = (*parts_)->loads->expected_motion(x, until);
        largest = {std::isfinite(here.q) ? -here.q : 0, std::isfinite(here.v) ? -here.v : 0};
      },
      largest);
  return {-largest[0], -largest[1]};
}

bool GuardedSystem::take_out_rigid_motion(Vec q, Vec v) {
  return some_say([&] { return (*parts_)->rigid_motion->take_out_rigid_motion(q, v); });
}

PetscInt GuardedSystem::vector_size() const {
  std::array<PetscReal, 2> ends{};  // the smallest and the negative largest
  guard_.run_together(
      [&] {
        ends[0] = static_cast<PetscReal>(base_.vector_size());
        ends[1] = -ends[0];
      },
      ends);
  if (!(ends[0] >= 1) || ends[0] != -ends[1])
    throw OptionError("System::vector_size() must be positive and the same on every rank");
  return static_cast<PetscInt>(ends[0]);
}

void GuardedSystem::project(Vec q, Vec v) {
  fill({q, v}, [&] { (*parts_)->projection->project(q, v); });
}

std::optional<Energy> GuardedSystem::energy(const State& x) {
  std::optional<Energy> energy;
  if (guard_.run([&] { energy = (*parts_)->energies->energy(x); })) return energy;
  constexpr PetscReal unknown = std::numeric_limits<PetscReal>::quiet_NaN();
  return Energy{unknown, unknown, unknown, unknown, unknown};  // not nullopt, since then the ranks would diverge
}

Vec GuardedSystem::internal_layout() const {
  return ask([&] { return (*parts_)->internal->internal_layout(); });
}

bool GuardedSystem::internal_follows_path() const {
  return some_say([&] { return (*parts_)->internal->internal_follows_path(); });
}

void GuardedSystem::internal_variables(const State& x, Vec z) {
  fill({z}, [&] { (*parts_)->internal->internal_variables(x, z); });
}

void GuardedSystem::accept(const State& x) {
  guard_.run([&] { (*parts_)->history->accept(x); });
}

void GuardedSystem::archive(Archive& state) {
  guard_.run_together([&] { (*parts_)->history->archive(state); });
}

IS GuardedSystem::natural_numbering() const {
  return ask([&] { return base_.natural_numbering(); });
}

IS GuardedSystem::internal_numbering() const {
  return ask([&] { return (*parts_)->internal->internal_numbering(); });
}

GuardedLinearization::GuardedLinearization(std::unique_ptr<Linearization> base, petsc::CallbackGuard& guard)
    : base_(std::move(base)), guard_(guard) {}

template <class Body>
bool GuardedLinearization::product(Vec out, Body&& body) {
  bool provided = true;
  const bool good = guard_.run([&] { provided = body(); });
  if (!good) provided = true;  // as on the ranks on which it did not throw
  if (provided) poison_where(!good || spoiled_, out);
  return provided;
}

void GuardedLinearization::update(const State& x) {
  spoiled_ = !guard_.run([&] { base_->update(x); });
}

void GuardedLinearization::follow(const State& x) {
  spoiled_ = !guard_.run([&] { base_->follow(x); });
}

void GuardedLinearization::apply(Shifts s, Vec in, Vec out) {
  product(out, [&] {
    base_->apply(s, in, out);
    return true;
  });
}

bool GuardedLinearization::apply_free(Shifts s, Vec in, Vec out) {
  return product(out, [&] { return base_->apply_free(s, in, out); });
}

bool GuardedLinearization::diagonal(Shifts s, Vec d) {
  return product(d, [&] { return base_->diagonal(s, d); });
}

bool GuardedLinearization::assemble(Shifts s, Mat P) {
  bool provided = true;
  if (guard_.run([&] { provided = base_->assemble(s, P); })) return provided;
  spoiled_ = true;
  return true;
}

bool GuardedLinearization::apply_stiffness_derivative(Vec direction, Vec in, Vec out) {
  return product(out, [&] { return base_->apply_stiffness_derivative(direction, in, out); });
}

}  // namespace gearshift
