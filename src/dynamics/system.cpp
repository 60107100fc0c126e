#include <gearshift/dynamics/system.hpp>

namespace gearshift {

void System::tangent(const State&, Shifts, Vec, Vec) {}

std::unique_ptr<Linearization> System::make_linearization() { return nullptr; }

Mat System::create_preconditioner_matrix() { return nullptr; }

void System::configure(SNES) {}

bool System::update_preconditioner(Linearization&, Shifts, PC) { return false; }

bool System::symmetric() const { return false; }

IS System::constrained() const { return nullptr; }

void System::prescribe(PetscReal, Vec, Vec, Vec) {}

void System::project(Vec, Vec) {}

std::optional<Energy> System::energy(const State&) { return std::nullopt; }

}  // namespace gearshift
