#include <gearshift/dynamics/linearization.hpp>

namespace gearshift {

void Linearization::follow(const State& x) { update(x); }

bool Linearization::apply_free(Shifts, Vec, Vec) { return false; }

bool Linearization::diagonal(Shifts, Vec) { return false; }

bool Linearization::assemble(Shifts, Mat) { return false; }

bool Linearization::apply_stiffness_derivative(Vec, Vec, Vec) { return false; }

}  // namespace gearshift
