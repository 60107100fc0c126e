#pragma once

/// @file
/// The steady response of a Body to loads that vary as a sine.

#include <gearshift/solid/modes.hpp>

#include <complex>
#include <vector>

namespace gearshift::solid {

class Pencil;

/// What damps vibrations besides dashpots: 2 zeta omega + r_m + r_k omega^2 for each mode.
struct ModalDamping {
  PetscReal ratio = 0;      ///< zeta, of critical damping [-]
  PetscReal mass = 0;       ///< r_m of Rayleigh damping [1/time]
  PetscReal stiffness = 0;  ///< r_k [time]
};

/// Displacements Re(U e^{i omega t}) about a state, under loads F cos(omega t):
///
///     (K + i omega C - omega^2 M) U = F,    U = sum_k y_k phi_k
///     ((omega_k^2 - omega^2) delta_kl + i omega C_kl) y_l = phi_k' F
///
/// with C_kl the modal damping and what dashpots make of the shapes. The shapes are those of modes and one more, the
/// residual vector: what the modes leave of the static response (K + s M)^-1 F, s = 0 where supports hold the body, so
/// that the response is exact at rest and the modes beyond the given ones are represented by one that this load
/// excites. Where supports move by G cos(omega t), U = S + sum_k y_k phi_k with S the static solution for G and
///
///     F - K S - i omega C S + omega^2 M S
///
/// in the place of F, and with a second residual vector, of M S. Modal damping ratios then damp the motion relative to
/// S, Rayleigh's damping and dashpots all of it.
/// (J.M. Dickens, J.M. Nakagawa, M.J. Wittbrodt, A critique of mode acceleration and modal truncation augmentation
/// methods for modal response analysis, Comput. Struct. 62, 1997)
class GEARSHIFT_EXPORT FrequencyResponse {
 public:
  /// @param modes  the lowest ones of the body at this state; must outlive it
  /// @param forces F, nodal forces as of Body::external_forces()
  /// @param motion G, of the entries that supports hold, as Body::prescribe() writes it into zeros; nullptr: 0
  /// Throws OptionError for a material whose own damping is not accounted for (Maxwell branches), and for damping that
  /// is not >= 0; Error where some omega_k^2 < 0, and where the linear solver fails. Collective.
  FrequencyResponse(Body& body, const State& at, const Modes& modes, Vec forces, ModalDamping damping,
                    Vec motion = nullptr);

  /// y at a frequency f = omega / (2 pi). Not collective.
  std::vector<std::complex<PetscReal>> amplitudes(PetscReal f) const;
  /// The shapes phi_k that belong to them, with phi_k' M phi_k = 1, and S, where supports move, whose y is 1; borrowed.
  std::size_t size() const { return squares_.size() + (motion_ ? 1 : 0); }
  Vec shape(std::size_t k) const {
    if (k == squares_.size()) return motion_.get();
    return k < modes_.modes().size() ? modes_.shape(k) : residuals_[k - modes_.modes().size()].get();
  }

 private:
  void add_residual(Pencil& pencil, Vec load);
  /// Makes the residual vectors orthogonal with respect to the stiffness, too.
  void separate_residuals(const Pencil& pencil);

  const Modes& modes_;
  std::vector<petsc::Handle<Vec>> residuals_;
  petsc::Handle<Vec> motion_;
  std::vector<PetscReal> squares_;             // omega_k^2
  std::vector<PetscReal> loads_;               // phi_k' (F - K S)
  std::vector<PetscReal> inertia_, friction_;  // phi_k' M S, phi_k' C S
  std::vector<PetscReal> damping_;             // C by rows
};

}  // namespace gearshift::solid
