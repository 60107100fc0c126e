#pragma once

#include <gearshift/dynamics/archive.hpp>

#include <petscvec.h>

namespace gearshift {

class NewtonSolver;

/// Frequency and damping of the motion that limits a step. Let e be the local error of v. Its mass, damping and
/// stiffness e'R_a e, e'R_v e, e'R_q e give w^2 = e'R_q e / e'R_a e and zeta = e'R_v e / (2 w e'R_a e). If e is a mode
/// these are its frequency and damping ratio; if e consists of several modes, they are averages weighted by the error.
class ModeMeter {
 public:
  /// Coefficients of the damping mass M + stiffness K that the problem is known to have; there may be more damping.
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
  /// Local errors of q and v. For a first-order system q is the present error and `before` the error of the previous
  /// step; GrowthWatch then expects their rate of change in v.
  struct Errors {
    Vec q = nullptr, v = nullptr, before = nullptr;
  };
  /// Measures along e with the last tangent. Collective. The damping is the known one if that is `enough`. Otherwise
  /// one Jacobian-vector product is spent on it if `look_for_damping` is set or if such a product was worth its
  /// cost lately.
  Mode measure(Vec e, PetscReal enough, bool look_for_damping);

  /// Measures the mode for a tangent with skew (gyroscopic or circulatory) parts. No real vector reveals them. The
  /// errors of q and v, e_q = Re(x e^(iwt)) and e_v = Re(i w x e^(iwt)), give the mode x = e_q - i e_v / w, and
  ///
  ///     (x* R_a x) s^2 + (x* R_v x) s + x* R_q x = 0
  ///
  /// gives s = w (-zeta + i sqrt(1 - zeta^2)); w is recomputed from s. A negative damping ratio means physical growth.
  /// Collective; entries that are not free must be zero. @param apparent approximate value of w
  Mode measure_plane(Vec error_q, Vec error_v, PetscReal apparent);
  /// Measures the mode of a first-order system R(t, q, q') = 0. An oscillation of such a system stays in the plane of
  /// the errors of two steps: det(s V + Q) = 0, where V and Q are R_v and R_q projected on this plane.
  Mode measure_first_order(Vec error, Vec error_before);
  /// Returns true if the tangent has no skew parts. Collective.
  bool symmetric() const;

  const RayleighDamping& known() const { return known_; }
  /// Jacobian-vector products spent so far, with any of the three parts of the tangent.
  PetscInt products() const { return products_; }
  /// Forgets earlier findings about the damping; the count of products continues.
  void reset() { more_damping_unlikely_ = false; }

  void archive_numbers(Archive& state);

 private:
  NewtonSolver& problem_;
  RayleighDamping known_;
  bool more_damping_unlikely_ = false;
  PetscInt products_ = 0, looks_ = 0;
};

/// Returns the growth factor per step of a mode under BDF with constant step h.
double growth_of_bdf(int order, PetscReal h, const ModeMeter::Mode& mode);

}  // namespace gearshift
