#pragma once

#include <gearshift/dynamics/archive.hpp>

#include <petscvec.h>

namespace gearshift {

class NewtonSolver;

/// Frequency and damping of what limits a step. With e the local error of v, its mass, damping and stiffness e'R_a e,
/// e'R_v e, e'R_q e give w^2 = e'R_q e / e'R_a e and zeta = e'R_v e / (2 w e'R_a e): those of the mode where e is one, a
/// mean with the weights of the error where it is several.
class ModeMeter {
 public:
  /// Damping mass M + stiffness K that the problem is known to have, the least there is.
  struct RayleighDamping {
    PetscReal mass = 0, stiffness = 0;
    /// Damping ratio of a mode of this frequency.
    PetscReal ratio(PetscReal frequency) const { return (mass / frequency + stiffness * frequency) / 2; }
  };
  ModeMeter(NewtonSolver& problem, RayleighDamping known) : problem_(problem), known_(known) {}

  struct Mode {
    PetscReal frequency = 0, damping = 0;
    bool oscillates = false;
  };
  /// Local errors of q and v; of a first-order system the present ones and those of the step before. In a look at their
  /// growth v is then their rate of change.
  struct Errors {
    Vec q = nullptr, v = nullptr, before = nullptr;
  };
  /// Measures along e by the last tangent; collective. The damping is what is known, where that is `enough`; beyond that
  /// a product is spent on it where `look_for_damping` says so or where it has been worth one lately.
  Mode measure(Vec e, PetscReal enough, bool look_for_damping);

  /// The same of a tangent with skew parts, gyroscopic or circulatory, of which no real vector tells. The errors of q and
  /// v, e_q = Re(x e^(iwt)) and e_v = Re(i w x e^(iwt)), give the mode x = e_q - i e_v / w, and
  ///
  ///     (x* R_a x) s^2 + (x* R_v x) s + x* R_q x = 0
  ///
  /// its s = w (-zeta + i sqrt(1 - zeta^2)), from which w is found anew. A damping below 0 is physical growth. Collective;
  /// entries that are not free must be zero. @param apparent about w
  Mode measure_plane(Vec error_q, Vec error_v, PetscReal apparent);
  /// The same of a first-order system R(t, q, q') = 0, whose oscillation stays in the plane of the errors of two steps:
  /// det(s V + Q) = 0 with R_q and R_v between these.
  Mode measure_first_order(Vec error, Vec error_before);
  /// Whether the tangent has no skew parts. Collective.
  bool symmetric() const;

  const RayleighDamping& known() const { return known_; }
  /// Products spent so far, of any of the three parts of the tangent.
  PetscInt products() const { return products_; }
  /// Starts anew; the count goes on.
  void reset() { more_damping_unlikely_ = false; }

  void archive_numbers(Archive& state);

 private:
  NewtonSolver& problem_;
  RayleighDamping known_;
  bool more_damping_unlikely_ = false;
  PetscInt products_ = 0, looks_ = 0;
};

/// Growth of the BDF of constant step h at a mode, per step.
double growth_of_bdf(int order, PetscReal h, const ModeMeter::Mode& mode);

}  // namespace gearshift
