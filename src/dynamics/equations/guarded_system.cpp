#include "dynamics/equations/guarded_system.hpp"

#include "dynamics/equations/guarded_linearization.hpp"
#include "petsc/poison.hpp"

#include <array>
#include <utility>

namespace gearshift {

GuardedSystem::GuardedSystem(System& base, Vec layout, PetscReal patience, Overrides known, System* user)
    : base_(base),
      overrides_(known),
      patience_(patience),
      calls_(PetscObjectComm(reinterpret_cast<PetscObject>(layout)), patience) {
  std::unique_ptr<AllParts> parts;
  guard().run_together([&] {
    parts = std::make_unique<AllParts>(base);
    overrides_ = with_declared_parts(user ? *user : base, known);
  });
  for (bool* one : {&overrides_.next_break, &overrides_.resolved_step, &overrides_.take_out_rigid_motion,
                    &overrides_.project, &overrides_.accept})
    *one = guard().any(*one);
  guarded_ = std::make_unique<GuardedParts>(calls_, std::move(parts), overrides_);
}

bool GuardedSystem::try_evaluate(const std::function<bool()>& question) {
  petsc::CallbackGuard aside(comm(), patience_);
  petsc::CallbackGuard* outer = std::exchange(residuals_guard_, &aside);
  bool answer = false;
  // An exception from anything but a callback is kept until the end of the solve or step.
  guard().run([&] { answer = question(); });
  residuals_guard_ = outer;
  return !guard().any(!answer || aside.holds());
}

void GuardedSystem::residual(const State& x, Vec r) {
  const bool good = residuals_guard_->run([&] { base_.residual(x, r); });
  petsc::poison_where(!good, r);
}

void GuardedSystem::tangent(const State& x, Shifts s, Vec in, Vec out) {
  calls_.fill({out}, [&] { base_.tangent(x, s, in, out); });
}

std::unique_ptr<Linearization> GuardedSystem::make_linearization() {
  std::unique_ptr<Linearization> made;
  guard().run_together([&] {
    made = base_.make_linearization();
    if (!made) throw OptionError("System::make_linearization() returned nullptr");
  });
  return std::make_unique<GuardedLinearization>(std::move(made), guard());
}

void GuardedSystem::configure(SNES snes) {
  guard().run_together([&] { base_.configure(snes); });
}

bool GuardedSystem::symmetric() const {
  return calls_.all_say([&] { return base_.symmetric(); });
}

PetscInt GuardedSystem::vector_size() const {
  std::array<PetscReal, 2> ends{};  // the smallest and the negative largest
  guard().run_together(
      [&] {
        ends[0] = static_cast<PetscReal>(base_.vector_size());
        ends[1] = -ends[0];
      },
      ends);
  if (!(ends[0] >= 1) || ends[0] != -ends[1])
    throw OptionError("System::vector_size() must be positive and the same on every rank");
  return static_cast<PetscInt>(ends[0]);
}

IS GuardedSystem::natural_numbering() const {
  return calls_.ask([&] { return base_.natural_numbering(); });
}

}  // namespace gearshift
