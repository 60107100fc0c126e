#pragma once

/// @file
/// Materials: the laws and their parameters.

#include <gearshift/petsc/error.hpp>
#include <gearshift/solid/law_list.hpp>
#include <gearshift/solid/point_field.hpp>

#include <petscsys.h>

#include <string_view>
#include <vector>

namespace gearshift::solid {

/// The material laws. A law gives the stored energy W per reference volume, with F = I + H, H = grad u, C = F'F,
/// E = (C - I)/2, J = det F. The manual's page on solids and `gearshift-solid -help material` give the energy, the
/// parameters and their units for each law. There I1, I2, I3 are the invariants of C, mu = E / (2 (1 + nu)),
/// lambda = E nu / ((1 + nu) (1 - 2 nu)) with Young's modulus E and Poisson's ratio nu. Laws with ln J need J > 0;
/// otherwise callbacks throw InvalidState. (J. Bonet, R. Wood, Nonlinear Continuum Mechanics, ch. 6; P. Ciarlet,
/// Mathematical Elasticity I, 4.10.)
///
/// `j2` is a metal with plastic flow at large strains: with E_p the plastic part of the logarithmic strain E = ln(C) /
/// 2,
///     W = mu dev(E - E_p):dev(E - E_p) + K/2 (tr E)^2,   |dev T| <= sqrt(2/3) y(alpha),   T = dW/dE,
///     y = yield + hardening alpha + (voce_saturation - yield) (1 - exp(-voce_rate alpha)),
/// where E_p follows dev T and alpha' = sqrt(2/3) |E_p'| (associated flow, isotropic hardening: linear, and Voce's law
/// if voce_saturation > 0). It does not depend on the rate. Each step, and each load step of statics, starts from the
/// previous state and applies the radial return, which is of first order in time if the direction of dev T turns within
/// a step, and exact otherwise. Maxwell branches in the same body are then integrated step by step, too, by implicit
/// Euler. Plastic flow preserves volume, so that cells of degree 1 lock: use -degree 2. (C. Miehe, N. Apel, M.
/// Lambrecht, Comput. Methods Appl. Mech. Engrg. 191, 2002.)
///
/// Laws of rubber and soft tissue use the isochoric-volumetric split, W = W_iso + U(J), with the invariants Ibar and
/// principal stretches lbar of Fbar = J^-1/3 F in W_iso, and U selected by `volumetric`: `log2` K/2 (ln J)^2, `simo`
/// K/4 (J^2 - 1 - 2 ln J), `quadratic` K/2 (J - 1)^2, where K = bulk or E / (3 (1 - 2 nu)) is the bulk modulus at small
/// strains. Fibres carry no compression and are unstretched at rest; their direction a in the undeformed body is a unit
/// vector, evaluated at the centre of each cell. (R. Ogden, Proc. R. Soc. Lond. A 326 and 328, 1972; G. Holzapfel,
/// Nonlinear Solid Mechanics, 2000, 6.4 and 6.5)
///
/// Values beyond these are user-defined laws, compiled and registered: law.hpp.
enum class Law : int {
#define GEARSHIFT_ENUMERATOR(name, functions) name,
  GEARSHIFT_LAWS(GEARSHIFT_ENUMERATOR)
#undef GEARSHIFT_ENUMERATOR
};

/// The volumetric part U of laws with an isochoric-volumetric split (see Law).
enum class Volumetric : int { log2, simo, quadratic };

/// Returns the law's name in options ("neo_hookean").
GEARSHIFT_EXPORT const char* name_of(Law law);
/// Returns the law with this name; OptionError with the known names if there is none.
GEARSHIFT_EXPORT Law law_of(std::string_view name);

/// A law with its parameters. Moduli are in [force/length^2], rho in [mass/length^3] of the reference configuration.
///
/// A material with `prony_g` and `prony_tau` is viscoelastic: a generalised Maxwell model at finite strain. The law
/// gives the instantaneous response; its isochoric part W_iso(F) = W(J^-1/3 F) (for linear_elastic: its part in the
/// deviator of e) relaxes, at small strains with the shear modulus
///     G(t) = G_0 (1 - sum_i g_i (1 - exp(-t / tau_i))),
/// while the volumetric response remains elastic. With S_iso = F^-1 dW_iso/dF the second Piola-Kirchhoff stress is
///     S = S_law - sum_i z_i,   z_i' = (g_i S_iso - z_i) / tau_i,
/// that is, the overstresses h_i = g_i S_iso - z_i satisfy h_i' + h_i / tau_i = g_i S_iso'; in statics z_i = g_i S_iso.
/// All such materials except linear_elastic need J > 0. (J. Simo, Comput. Methods Appl. Mech. Engrg. 60, 1987; G.
/// Holzapfel, Nonlinear Solid Mechanics, 2000, 6.10.)
struct Material {
  Law law = Law::neo_hookean;
  PetscReal E = 0;                ///< Young's modulus > 0
  PetscReal nu = 0;               ///< Poisson's ratio, -1 < nu < 0.5
  PetscReal rho = 0;              ///< mass density > 0
  PetscReal mu1 = 0;              ///< Mooney-Rivlin, matrix of fibres: > 0; Ogden: any, with the sign of alpha1
  PetscReal mu2 = 0;              ///< Mooney-Rivlin: >= 0; Ogden
  PetscReal bulk = 0;             ///< mooney_rivlin: >= 2/3 (mu1 + mu2) + 2 mu2, so that lambda >= 0; laws with an
                                  ///< isochoric-volumetric split: >= 2/3 of the shear modulus
  PetscReal yield = 0;            ///< j2: stress at which flow begins > 0 [force/length^2]
  PetscReal hardening = 0;        ///< j2: slope of the yield stress over alpha, >= 0 [force/length^2]
  PetscReal voce_saturation = 0;  ///< j2: final yield stress of Voce's law >= yield; 0: without
  PetscReal voce_rate = 0;        ///< j2: exponential rate of Voce's law, > 0 with it [-]
  PetscReal mu3 = 0;              ///< Ogden
  PetscReal alpha1 = 0, alpha2 = 0, alpha3 = 0;  ///< Ogden: exponents, not 0 if the modulus is not 0 [-]
  PetscReal c1 = 0;                              ///< first coefficient of a polynomial in Ibar1 - 3: > 0
  PetscReal c2 = 0, c3 = 0;                      ///< further coefficients
  PetscReal k1 = 0;                              ///< fibres: modulus > 0
  PetscReal k2 = 0;                              ///< fibres: exponential stiffening coefficient, >= 0 [-]
  PetscReal dispersion = 0;                      ///< fibres: from 0 (all aligned) to 1/3 (isotropic) [-]
  Direction fibre_1 = {};                        ///< fibres: direction of the first family
  Direction fibre_2 = {};                        ///< fibres: direction of the second family, if there is one
  Volumetric volumetric = Volumetric::log2;      ///< U of the isochoric-volumetric split
  std::vector<PetscReal> parameters =
      {};  ///< parameters without a member here: of registered laws, and the locking stretch of arruda_boyce
  std::vector<PetscReal> prony_g = {};    ///< Maxwell branches: fractions of the shear modulus, each > 0, sum < 1
  std::vector<PetscReal> prony_tau = {};  ///< their relaxation times > 0 [time], one for each

  PetscReal rayleigh_mass = 0;       ///< r_m of Rayleigh damping r_m M v + r_k K(q) v of cells with this material, >= 0
                                     ///< [1/time]
  PetscReal rayleigh_stiffness = 0;  ///< r_k, >= 0 [time]; for the library's elastic laws, not for j2

  friend bool operator==(const Material&, const Material&) = default;
};

/// Returns Poisson's ratio at small strains for any law and parameters. Not collective.
GEARSHIFT_EXPORT PetscReal poisson_ratio(const Material& material);

/// Returns the volume ratio J at which the volumetric part U(J) of a law begins to soften, U''(J) = 0: e for K/2 (ln
/// J)^2, the part of `log2` and of j2; infinite for other laws, whose coupled volumetric part is not considered. Not
/// collective.
GEARSHIFT_EXPORT PetscReal softening_volume(const Material& material);

/// Throws OptionError for invalid parameters; `where` (a region's name, or empty) is part of its text.
GEARSHIFT_EXPORT void check_material(const Material& material, std::string_view where = {});

}  // namespace gearshift::solid
