#pragma once

/// @file
/// Where the energy went.

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
/// method), so that `numerical`, the remainder, is what the integrator dissipates (negative: what it adds).
struct EnergyLedger {
  bool available = false;  ///< the System gives energies and the ledger is on
  PetscReal initial = 0;   ///< kinetic + stored energy at the start
  PetscReal kinetic = 0;
  PetscReal stored = 0;
  PetscReal work_loads = 0;      ///< by external loads
  PetscReal work_reactions = 0;  ///< by prescribed motion
  PetscReal dissipated = 0;      ///< by physical damping
  PetscReal largest = 0;         ///< largest kinetic + stored energy so far
  PetscReal numerical() const { return initial + work_loads + work_reactions - dissipated - kinetic - stored; }
  /// The energy that the integrator has added over the work done and the largest energy so far (negative: what it has
  /// taken away) [1].
  PetscReal gain() const {
    const PetscReal scale = std::abs(work_loads) + std::abs(work_reactions) + largest;
    return scale > 0 ? -numerical() / scale : 0;
  }
};

}  // namespace gearshift
