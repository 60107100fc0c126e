#pragma once

#include <gearshift/bdf/sdirk.hpp>
#include <gearshift/dynamics/archive.hpp>

#include "dynamics/newton/error_norm.hpp"

#include <petscvec.h>

namespace gearshift {

/// The tolerance of velocities in steps that do not resolve the fastest modes.
///
/// A mode of frequency w and amplitude A has velocities up to A w. A tolerance of velocities that follows the motion as
/// a whole therefore makes steps resolve modes whose displacement is far below its own tolerance, and the more of them
/// the finer the mesh is. They cannot do harm: the error of a mode whose phase is lost is at most 2 A. A one-step
/// method that damps all modes needs no resolution of them.
///
/// The amplitude of the mode that dominates the errors of a step of size h follows from its error and from the
/// estimate E(h w) of an oscillation of amplitude 1, with w = |e_v| / |e_q|. If the step does not resolve the mode, and
/// its amplitude A is below a few tolerances of q, an error of v counts by the displacement that it makes during a
/// twentieth of the step. With s = 20 atol / (h atol_v), if that is more than 1, the absolute tolerance becomes
///
///     atol_v s^(a b),    a = ln(16 atol / A) / ln 4,    b = h w - 0.5,    a and b limited to 0..1.
///
/// Larger modes (A above 16 atol) keep the tolerance: they make many more oscillations than the motion as a whole, and
/// their errors add up.
class UnresolvedModes {
 public:
  void forget() { amplitude_ = phase_ = 0; }
  /// Called with the errors of an accepted step of a one-step method. Collective.
  /// @param atol_q tolerance of q
  /// @param layout a Vec of as many entries as q
  void look(const bdf::Sdirk& method, const ErrorNorm::Step& step, PetscReal dt, PetscReal atol_q, Vec layout);
  /// Returns the absolute tolerance of v for a step of size dt.
  PetscReal tolerance(const Tolerances& tolerances, PetscReal dt) const;

  void archive(Archive& state) {
    state("unresolved_amplitude", amplitude_);
    state("unresolved_phase", phase_);
  }

 private:
  // Means over the last steps: the amplitude in units of the tolerance of q (0: unknown), and h w.
  PetscReal amplitude_ = 0, phase_ = 0;
};

}  // namespace gearshift
