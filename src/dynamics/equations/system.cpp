#include <gearshift/dynamics/system.hpp>
#include <gearshift/petsc/error.hpp>

#include "dynamics/equations/difference_tangent.hpp"

namespace gearshift {

SystemConstraints::~SystemConstraints() = default;
void SystemConstraints::prescribe(PetscReal, Vec q, Vec v, Vec a) {
  if (IS entries = constrained())
    for (Vec x : {q, v, a}) petsc::check(VecISSet(x, entries, 0));
}
IS SystemConstraints::dependent() const { return nullptr; }
void SystemConstraints::complete(PetscReal, Vec, Vec, Vec) {}

SystemProjection::~SystemProjection() = default;

SystemLoads::~SystemLoads() = default;
std::optional<Break> SystemLoads::next_break(PetscReal, PetscReal) { return std::nullopt; }
PetscReal SystemLoads::resolved_step(PetscReal, PetscReal dt) { return dt; }
MotionEstimate SystemLoads::expected_motion(const State&, PetscReal) { return {}; }

SystemInternalVariables::~SystemInternalVariables() = default;
bool SystemInternalVariables::internal_follows_path() const { return false; }
IS SystemInternalVariables::internal_numbering() const { return nullptr; }

SystemPreconditioner::~SystemPreconditioner() = default;
void SystemPreconditioner::use_prefix(std::string_view) {}
Mat SystemPreconditioner::create_preconditioner_matrix() { return nullptr; }
bool SystemPreconditioner::update_preconditioner(Linearization&, Shifts, PC) { return false; }
void SystemPreconditioner::keep_preconditioner(Linearization&, Shifts, PC) {}
PetscInt SystemPreconditioner::inner_iterations() const { return 0; }

SystemEnergies::~SystemEnergies() = default;
SystemRigidMotion::~SystemRigidMotion() = default;
PetscReal SystemRigidMotion::farthest_position() { return 0; }
SystemHistory::~SystemHistory() = default;

void System::tangent(const State& x, Shifts s, Vec in, Vec out) { difference_tangent(*this, x, s, in, out); }
std::unique_ptr<Linearization> System::make_linearization() { return make_tangent_linearization(*this); }
void System::configure(SNES) {}
bool System::symmetric() const { return false; }
PetscInt System::vector_size() const { return 1; }
IS System::natural_numbering() const { return nullptr; }

SystemParts System::parts() {
  return {dynamic_cast<SystemConstraints*>(this),    dynamic_cast<SystemProjection*>(this),
          dynamic_cast<SystemLoads*>(this),          dynamic_cast<SystemInternalVariables*>(this),
          dynamic_cast<SystemPreconditioner*>(this), dynamic_cast<SystemEnergies*>(this),
          dynamic_cast<SystemRigidMotion*>(this),    dynamic_cast<SystemHistory*>(this)};
}

// The deprecated functions call the parts. If the System is the part itself, either its override has called its base,
// or it does not override the default of the part either.

namespace {

template <class Part>
Part* other(const System& system, Part* SystemParts::*which) {
  Part* part = const_cast<System&>(system).parts().*which;
  return dynamic_cast<const void*>(part) == dynamic_cast<const void*>(&system) ? nullptr : part;
}

}  // namespace

void System::use_prefix(std::string_view prefix) {
  if (const auto part = other(*this, &SystemParts::preconditioner)) part->use_prefix(prefix);
}
Mat System::create_preconditioner_matrix() {
  const auto part = other(*this, &SystemParts::preconditioner);
  return part ? part->create_preconditioner_matrix() : nullptr;
}
bool System::update_preconditioner(Linearization& tangent, Shifts s, PC pc) {
  const auto part = other(*this, &SystemParts::preconditioner);
  return part && part->update_preconditioner(tangent, s, pc);
}
void System::keep_preconditioner(Linearization& tangent, Shifts s, PC pc) {
  if (const auto part = other(*this, &SystemParts::preconditioner)) part->keep_preconditioner(tangent, s, pc);
}
PetscInt System::inner_iterations() const {
  const auto part = other(*this, &SystemParts::preconditioner);
  return part ? part->inner_iterations() : 0;
}
IS System::constrained() const {
  const auto part = other(*this, &SystemParts::constraints);
  return part ? part->constrained() : nullptr;
}
void System::prescribe(PetscReal t, Vec q, Vec v, Vec a) {
  SystemConstraints* part = parts().constraints;
  if (other(*this, &SystemParts::constraints))
    part->prescribe(t, q, v, a);
  else if (part)
    part->SystemConstraints::prescribe(t, q, v, a);
}
IS System::dependent() const {
  const auto part = other(*this, &SystemParts::constraints);
  return part ? part->dependent() : nullptr;
}
void System::complete(PetscReal t, Vec q, Vec v, Vec a) {
  if (const auto part = other(*this, &SystemParts::constraints)) part->complete(t, q, v, a);
}
std::optional<Break> System::next_break(PetscReal t, PetscReal until) {
  const auto part = other(*this, &SystemParts::loads);
  return part ? part->next_break(t, until) : std::nullopt;
}
PetscReal System::resolved_step(PetscReal t, PetscReal dt) {
  const auto part = other(*this, &SystemParts::loads);
  return part ? part->resolved_step(t, dt) : dt;
}
MotionEstimate System::expected_motion(const State& x, PetscReal until) {
  const auto part = other(*this, &SystemParts::loads);
  return part ? part->expected_motion(x, until) : MotionEstimate{};
}
bool System::take_out_rigid_motion(Vec q, Vec v) {
  const auto part = other(*this, &SystemParts::rigid_motion);
  return part && part->take_out_rigid_motion(q, v);
}
void System::project(Vec q, Vec v) {
  if (const auto part = other(*this, &SystemParts::projection)) part->project(q, v);
}
std::optional<Energy> System::energy(const State& x) {
  const auto part = other(*this, &SystemParts::energies);
  return part ? part->energy(x) : std::nullopt;
}
Vec System::internal_layout() const {
  const auto part = other(*this, &SystemParts::internal);
  return part ? part->internal_layout() : nullptr;
}
bool System::internal_follows_path() const {
  const auto part = other(*this, &SystemParts::internal);
  return part && part->internal_follows_path();
}
void System::internal_variables(const State& x, Vec z) {
  if (const auto part = other(*this, &SystemParts::internal)) part->internal_variables(x, z);
}
IS System::internal_numbering() const {
  const auto part = other(*this, &SystemParts::internal);
  return part ? part->internal_numbering() : nullptr;
}
void System::accept(const State& x) {
  if (const auto part = other(*this, &SystemParts::history)) part->accept(x);
}
void System::archive(Archive& state) {
  if (const auto part = other(*this, &SystemParts::history)) part->archive(state);
}

}  // namespace gearshift
