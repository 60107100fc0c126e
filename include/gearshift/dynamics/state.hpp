#pragma once

/// @file
/// What a System is asked about: a point (t, q, v, a), and the factors of its three derivatives.

#include <gearshift/export.hpp>

#include <petscvec.h>

#include <limits>

namespace gearshift {

/// Where the internal variables z of a System stand at a point (SystemInternalVariables::internal_layout()). In a step
/// their equation z' = f(q, z) is met with
///     z' = rate (z - factor base),
/// from which the System finds z there. An infinite rate gives them: z = factor base (0 without a base), as at accepted
/// states; rate 0 is their equilibrium f(q, z) = 0, as in statics. Where z follows the path of q at any rate
/// (SystemInternalVariables::internal_follows_path()), factor base is z at the beginning of the step, in statics of the
/// load step; without a base at rate 0 nothing is asked of it.
struct InternalState {
  Vec base = nullptr;    ///< of SystemInternalVariables::internal_layout(); nullptr is zero
  PetscReal factor = 1;  ///< of the base
  PetscReal rate = std::numeric_limits<PetscReal>::infinity();  ///< [1/time]
};

/// One point of the motion. The Vecs are borrowed and not to be kept after a callback returns; q, v and a have the
/// layout given to the Stepper and are read-locked inside callbacks.
struct State {
  PetscReal t = 0;              ///< time [time]
  Vec q = nullptr;              ///< positions or displacements [length]
  Vec v = nullptr;              ///< velocities q' [length/time]
  Vec a = nullptr;              ///< accelerations q'' [length/time^2]
  InternalState internal = {};  ///< where the System has internal variables
};

/// The factors of s.q R_q + s.v R_v + s.a R_a: (0,0,1) is the mass, (0,1,0) the damping, (1,0,0) the stiffness, and
/// (1/alpha, 1, alpha) what an implicit step of coefficient alpha [1/time] solves with.
struct Shifts {
  PetscReal q = 0;  ///< of the stiffness
  PetscReal v = 0;  ///< of the damping
  PetscReal a = 0;  ///< of the mass
};

/// A time at which loads or other terms are not smooth in t.
struct Break {
  PetscReal t = 0;    ///< the first time at which they are as after it [time]
  bool jump = false;  ///< they jump there themselves; else it is a kink, and a derivative of theirs jumps
};

/// How large a motion will be: root mean squares over the entries of q - q(start) and of v, without rigid motion.
struct MotionEstimate {
  PetscReal q = 0;  ///< [length]
  PetscReal v = 0;  ///< [length/time]
};

/// Energies and powers at one point, for the energy ledger.
struct Energy {
  PetscReal kinetic = 0;           ///< [J]
  PetscReal stored = 0;            ///< elastic and other potential energy of the system itself, without the loads' [J]
  PetscReal power_loads = 0;       ///< power that the external loads put in [W]
  PetscReal power_dissipated = 0;  ///< power that physical damping takes out [W], >= 0
  PetscReal dissipated = 0;        ///< energy that the system itself has turned into heat so far, where it keeps count
                                   ///< (plastic work); not in power_dissipated [J]
};

}  // namespace gearshift
