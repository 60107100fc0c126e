#pragma once

/// @file
/// The energy balance of an integration.

#include <gearshift/dynamics/state.hpp>
#include <gearshift/petsc/error.hpp>

#include <petscsys.h>

#include <cmath>

namespace gearshift {

/// The energy balance from the initial state to the present one [J]:
///
///     kinetic + stored - initial = work_loads + work_reactions - dissipated - numerical
///
/// Work and dissipation are integrals of powers by the step's own formula (BDF, or the quadrature of the starting
/// method). The remainder, `numerical`, is therefore the energy that the integrator dissipates (negative: adds).
struct EnergyLedger {
  bool available = false;  ///< the System provides energies and the ledger is on
  PetscReal initial = 0;   ///< kinetic + stored energy at the start
  PetscReal kinetic = 0;
  PetscReal stored = 0;
  PetscReal work_loads = 0;      ///< work of external loads
  PetscReal work_reactions = 0;  ///< work of prescribed motion
  PetscReal dissipated = 0;      ///< energy dissipated by physical damping and friction
  PetscReal largest = 0;         ///< largest kinetic + stored energy so far
  PetscReal friction = 0;        ///< the part of `dissipated` that is due to friction
  PetscReal contact = 0;         ///< the part of `stored` in contacts
  PetscReal numerical() const { return initial + work_loads + work_reactions - dissipated - kinetic - stored; }
  /// Returns the energy added by the integrator, divided by the sum of the work done and the largest energy so far
  /// (negative: energy lost) [1].
  PetscReal gain() const {
    const PetscReal scale = std::abs(work_loads) + std::abs(work_reactions) + largest;
    return scale > 0 ? -numerical() / scale : 0;
  }
};

}  // namespace gearshift
