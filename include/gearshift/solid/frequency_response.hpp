#pragma once

/// @file
/// The steady-state response of a Body to harmonic loads.

#include <gearshift/solid/modes.hpp>

#include <complex>
#include <vector>

namespace gearshift::solid {

class Pencil;

/// Damping of vibrations other than dashpots: 2 zeta omega + r_m + r_k omega^2 for each mode.
struct ModalDamping {
  PetscReal ratio = 0;      ///< zeta, fraction of critical damping [-]
  PetscReal mass = 0;       ///< r_m of Rayleigh damping [1/time]
  PetscReal stiffness = 0;  ///< r_k [time]
};

/// Computes displacements Re(U e^{i omega t}) about a state, under loads F cos(omega t):
///
///     (K + i omega C - omega^2 M) U = F,    U = sum_k y_k phi_k
///     ((omega_k^2 - omega^2) delta_kl + i omega C_kl) y_l = phi_k' F
///
/// where C_kl contains the modal damping and the dashpots projected on the shapes. The shapes are the given modes and
/// one more, the residual vector: the part of the static response (K + s M)^-1 F that the modes do not represent, with
/// s = 0 if supports hold the body. The response is then exact at rest, and the modes beyond the given ones are
/// represented by a shape that this load excites. If supports move by G cos(omega t), U = S + sum_k y_k phi_k with S
/// the static solution for G, and the load is
///
///     F - K S - i omega C S + omega^2 M S
///
/// instead of F, with a second residual vector for M S. Modal damping ratios then damp the motion relative to S;
/// Rayleigh damping and dashpots damp the whole motion.
/// (J.M. Dickens, J.M. Nakagawa, M.J. Wittbrodt, A critique of mode acceleration and modal truncation augmentation
/// methods for modal response analysis, Comput. Struct. 62, 1997)
class GEARSHIFT_EXPORT FrequencyResponse {
 public:
  /// @param modes  the lowest ones of the body at this state; must outlive it
  /// @param forces F, nodal forces like those of Body::external_forces()
  /// @param motion G, in the entries that supports hold, as Body::prescribe() writes it into zeros; nullptr: 0
  /// Throws OptionError for a material whose own damping is not accounted for (Maxwell branches), and for damping
  /// that is negative or not finite; Error if some omega_k^2 < 0, and if the linear solver fails. Collective.
  FrequencyResponse(Body& body, const State& at, const Modes& modes, Vec forces, ModalDamping damping,
                    Vec motion = nullptr);

  /// Returns y at a frequency f = omega / (2 pi). Not collective.
  std::vector<std::complex<PetscReal>> amplitudes(PetscReal f) const;
  /// Return the number of shapes phi_k, with phi_k' M phi_k = 1, and each of them; if supports move, the last one is S,
  /// whose y is 1. Borrowed.
  std::size_t size() const { return squares_.size() + (motion_ ? 1 : 0); }
  Vec shape(std::size_t k) const {
    if (k == squares_.size()) return motion_.get();
    return k < modes_.modes().size() ? modes_.shape(k) : residuals_[k - modes_.modes().size()].get();
  }

 private:
  void add_residual(Pencil& pencil, Vec load);
  /// Makes the residual vectors orthogonal with respect to the stiffness as well.
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
