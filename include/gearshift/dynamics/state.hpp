#pragma once

/// @file
/// The arguments of a System: a point (t, q, v, a), and the factors of its three derivatives.

#include <gearshift/export.hpp>

#include <petscvec.h>

#include <limits>

namespace gearshift {

/// The equation of the internal variables z of a System at a point. z has the layout
/// SystemInternalVariables::internal_layout(). A step replaces their equation z' = f(q, z) by
///     z' = rate (z - factor base),
/// from which the System computes z. If the rate is infinite, z is given: z = factor base (0 without a base), as at
/// accepted states. If the rate is 0, z is in equilibrium, f(q, z) = 0, as in statics. If z follows the path of q at
/// any rate (SystemInternalVariables::internal_follows_path()), factor base is z at the beginning of the step, in
/// statics of the load step; without a base at rate 0 there is nothing to solve.
struct InternalState {
  Vec base = nullptr;    ///< layout of SystemInternalVariables::internal_layout(); nullptr is zero
  PetscReal factor = 1;  ///< factor of the base
  PetscReal rate = std::numeric_limits<PetscReal>::infinity();  ///< [1/time]
};

/// One point of the motion. The Vecs are borrowed and must not be kept after a callback returns. q, v and a have the
/// layout passed to the Stepper and are read-locked inside callbacks.
struct State {
  PetscReal t = 0;              ///< time [time]
  Vec q = nullptr;              ///< positions or displacements [length]
  Vec v = nullptr;              ///< velocities q' [length/time]
  Vec a = nullptr;              ///< accelerations q'' [length/time^2]
  InternalState internal = {};  ///< used if the System has internal variables
  bool at_rest = false;         ///< an equilibrium that statics has found: velocities have no meaning
};

/// The factors of s.q R_q + s.v R_v + s.a R_a: (0,0,1) gives the mass, (0,1,0) the damping, (1,0,0) the stiffness, and
/// (1/alpha, 1, alpha) the operator of an implicit step with the coefficient alpha [1/time].
struct Shifts {
  PetscReal q = 0;  ///< factor of the stiffness
  PetscReal v = 0;  ///< factor of the damping
  PetscReal a = 0;  ///< factor of the mass
};

/// A time at which loads or other terms are not smooth in t.
struct Break {
  PetscReal t = 0;    ///< the first time at which they have their new form [time]
  bool jump = false;  ///< true: the loads jump; false: a kink, one of their derivatives jumps
};

/// The expected size of a motion: root mean squares over the entries of q - q(start) and of v, without rigid motion.
struct MotionEstimate {
  PetscReal q = 0;  ///< [length]
  PetscReal v = 0;  ///< [length/time]
};

/// Energies and powers at one point, for the energy balance.
struct Energy {
  PetscReal kinetic = 0;  ///< [J]
  PetscReal stored = 0;   ///< elastic and other potential energy of the system itself, without that of the loads [J]
  PetscReal power_loads = 0;       ///< power supplied by the external loads [W]
  PetscReal power_dissipated = 0;  ///< power dissipated by physical damping and friction [W], >= 0
  PetscReal dissipated = 0;        ///< energy that the system itself has turned into heat so far, if it keeps account
                                   ///< of it (plastic work); not in power_dissipated [J]
  PetscReal power_prescribed = 0;  ///< power of prescribed motion inside the system, such as moved obstacles [W]
  PetscReal power_friction = 0;    ///< the part of power_dissipated that is due to friction [W]
  PetscReal contact = 0;           ///< the part of `stored` in contacts [J]
};

}  // namespace gearshift
