#include <gearshift/dynamics/system.hpp>

#include "dynamics/equations/difference_tangent.hpp"

namespace gearshift {

void System::tangent(const State& x, Shifts s, Vec in, Vec out) { difference_tangent(*this, x, s, in, out); }

std::unique_ptr<Linearization> System::make_linearization() { return make_tangent_linearization(*this); }

void System::use_prefix(std::string_view) {}

Mat System::create_preconditioner_matrix() { return nullptr; }

void System::configure(SNES) {}

bool System::update_preconditioner(Linearization&, Shifts, PC) { return false; }

void System::keep_preconditioner(Linearization&, Shifts, PC) {}

PetscInt System::inner_iterations() const { return 0; }

bool System::symmetric() const { return false; }

IS System::constrained() const { return nullptr; }

void System::prescribe(PetscReal, Vec, Vec, Vec) {}

IS System::dependent() const { return nullptr; }

void System::complete(PetscReal, Vec, Vec, Vec) {}

std::optional<Break> System::next_break(PetscReal, PetscReal) { return std::nullopt; }

PetscReal System::resolved_step(PetscReal, PetscReal dt) { return dt; }

MotionEstimate System::expected_motion(const State&, PetscReal) { return {}; }

bool System::take_out_rigid_motion(Vec, Vec) { return false; }
PetscInt System::vector_size() const { return 1; }

void System::project(Vec, Vec) {}

std::optional<Energy> System::energy(const State&) { return std::nullopt; }

Vec System::internal_layout() const { return nullptr; }

bool System::internal_follows_path() const { return false; }

void System::internal_variables(const State&, Vec) {}

void System::accept(const State&) {}

void System::archive(Archive&) {}

IS System::natural_numbering() const { return nullptr; }
IS System::internal_numbering() const { return nullptr; }

}  // namespace gearshift
