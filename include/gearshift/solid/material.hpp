#pragma once

/// @file
/// Materials: the laws and their parameters.

#include <gearshift/petsc/error.hpp>
#include <gearshift/solid/direction.hpp>
#include <gearshift/solid/law_list.hpp>

#include <petscsys.h>

#include <string_view>
#include <vector>

namespace gearshift::solid {

/// Stored energies W per reference volume, F = I + H, H = grad u, C = F'F, E = (C - I)/2, J = det F:
///
/// | law | W | parameters |
/// |---|---|---|
/// | linear_elastic | mu e:e + lambda/2 (tr e)^2, e = sym H (small rotations) | E, nu |
/// | st_venant_kirchhoff | mu E:E + lambda/2 (tr E)^2 (large rotations, small strains) | E, nu |
/// | neo_hookean | mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2 | E, nu |
/// | mooney_rivlin | mu1/2 (I1 - 3) + mu2/2 (I2 - 3) - (mu1 + 2 mu2) ln J + lambda/2 (ln J)^2 | mu1, mu2, bulk |
///
/// mu = E / (2 (1 + nu)), lambda = E nu / ((1 + nu) (1 - 2 nu)). For the coupled Mooney-Rivlin law, the small-strain
/// shear modulus is mu1 + mu2 and the small-strain bulk modulus is `bulk` = lambda + 2 mu2 + 2/3 (mu1 + mu2); mu2 = 0
/// is the neo-Hookean law. (J. Bonet, R. Wood, Nonlinear Continuum Mechanics, ch. 6; P. Ciarlet, Mathematical
/// Elasticity I, 4.10.) The laws with ln J need J > 0; elsewhere callbacks throw InvalidState.
///
/// `j2` is a metal that flows plastically at large strains: with E_p the plastic part of the logarithmic strain
/// E = ln(C) / 2,
///     W = mu dev(E - E_p):dev(E - E_p) + K/2 (tr E)^2,   |dev T| <= sqrt(2/3) y(alpha),   T = dW/dE,
///     y = yield + hardening alpha + (voce_saturation - yield) (1 - exp(-voce_rate alpha)),
/// E_p following dev T and alpha' = sqrt(2/3) |E_p'| (associated flow, isotropic hardening: linear, and after Voce
/// where voce_saturation > 0). It does not depend on the rate; each step, and each load step of statics, goes from the
/// state before by the radial return, of first order in time where the direction of dev T turns within a step and exact
/// where it does not. In a body with Maxwell branches elsewhere these go step by step too, by the implicit Euler rule.
/// Flow keeps the volume, which cells of degree 1 resist: use -degree 2. (C. Miehe, N. Apel,
/// M. Lambrecht, Comput. Methods Appl. Mech. Engrg. 191, 2002.)
///
/// Of rubber and soft tissue there are laws in two parts, W = W_iso + U(J), with the invariants and principal stretches
/// of Fbar = J^-1/3 F in W_iso:
///
/// | law | W_iso | parameters |
/// |---|---|---|
/// | isochoric_neo_hookean | mu/2 (Ibar1 - 3) | E, nu |
/// | isochoric_mooney_rivlin | mu1/2 (Ibar1 - 3) + mu2/2 (Ibar2 - 3) | mu1, mu2, bulk |
/// | yeoh | c1 t + c2 t^2 + c3 t^3, t = Ibar1 - 3 | c1, c2, c3, bulk |
/// | arruda_boyce | mu1 sum over i = 1 .. 5 of C_i / L^(2 i - 2) (Ibar1^i - 3^i), C = 1/2, 1/20, 11/1050, 19/7000, 519/673750 | mu1, bulk; L = parameters[0] |
/// | ogden | sum over up to 3 terms of mu_r / alpha_r (lbar1^alpha_r + lbar2^alpha_r + lbar3^alpha_r - 3) | mu1, alpha1, mu2, alpha2, mu3, alpha3, bulk |
/// | holzapfel | mu1/2 (Ibar1 - 3) + sum over families of k1 / (2 k2) (exp(k2 E+^2) - 1), E = dispersion (Ibar1 - 3) + (1 - 3 dispersion) (a.Cbar a - 1), E+ = max(E, 0) | mu1, k1, k2, dispersion, fibre_1, fibre_2, bulk |
///
/// and U by `volumetric`: `log2` K/2 (ln J)^2, `simo` K/4 (J^2 - 1 - 2 ln J), `quadratic` K/2 (J - 1)^2, K = bulk or
/// E / (3 (1 - 2 nu)) the bulk modulus at small strains. The shear modulus there is mu1 + mu2 of Mooney-Rivlin, 2 c1 of
/// Yeoh, half the sum of mu_r alpha_r of Ogden, and mu1 of a matrix with fibres, which carry no compression and are
/// unstretched at rest. a is the fibres' direction in the undeformed body, a unit vector in the middle of each cell.
/// (R. Ogden, Proc. R. Soc. Lond. A 326 and 328, 1972; O. Yeoh, Rubber Chem. Technol. 66, 1993; T. Gasser, R. Ogden,
/// G. Holzapfel, J. R. Soc. Interface 3, 2006; G. Holzapfel, Nonlinear Solid Mechanics, 2000, 6.4 and 6.5)
///
/// Chains of `arruda_boyce` are straight at the stretch L. (E. Arruda, M. Boyce, J. Mech. Phys. Solids 41, 1993)
///
/// Values beyond these are laws that users compile and register themselves: law.hpp.
enum class Law : int {
#define GEARSHIFT_ENUMERATOR(name, functions) name,
  GEARSHIFT_LAWS(GEARSHIFT_ENUMERATOR)
#undef GEARSHIFT_ENUMERATOR
};

/// How laws in two parts resist changes of volume (material.hpp, U).
enum class Volumetric : int { log2, simo, quadratic };

/// The law's name as in options ("neo_hookean").
GEARSHIFT_EXPORT const char* name_of(Law law);
/// The law with this name; OptionError with the known names if there is none.
GEARSHIFT_EXPORT Law law_of(std::string_view name);

/// A law with its parameters. Moduli in [force/length^2], rho in [mass/length^3] of the reference configuration.
///
/// With `prony_g` and `prony_tau` it is viscoelastic: a generalised Maxwell model at finite strain. The law gives the
/// instantaneous response; its isochoric part W_iso(F) = W(J^-1/3 F) (of linear_elastic: of the deviator of e) relaxes,
/// at small strains with the shear modulus
///     G(t) = G_0 (1 - sum_i g_i (1 - exp(-t / tau_i))),
/// while the volumetric response stays elastic. With S_iso = F^-1 dW_iso/dF the second Piola-Kirchhoff
/// stress is
///     S = S_law - sum_i z_i,   z_i' = (g_i S_iso - z_i) / tau_i,
/// that is overstresses h_i = g_i S_iso - z_i with h_i' + h_i / tau_i = g_i S_iso'; in statics z_i = g_i S_iso. All
/// such materials need J > 0, but linear_elastic. (J. Simo, Comput. Methods Appl. Mech. Engrg. 60, 1987; G. Holzapfel,
/// Nonlinear Solid Mechanics, 2000, 6.10.)
struct Material {
  Law law = Law::neo_hookean;
  PetscReal E = 0;                ///< Young's modulus > 0
  PetscReal nu = 0;               ///< Poisson's ratio, -1 < nu < 0.5
  PetscReal rho = 0;              ///< mass density > 0
  PetscReal mu1 = 0;              ///< Mooney-Rivlin, matrix of fibres: > 0; Ogden: any, of alpha1's sign
  PetscReal mu2 = 0;              ///< Mooney-Rivlin: >= 0; Ogden
  PetscReal bulk = 0;             ///< mooney_rivlin: >= 2/3 (mu1 + mu2) + 2 mu2, so that lambda >= 0; of laws in
                                  ///< two parts >= 2/3 of the shear modulus
  PetscReal yield = 0;            ///< j2: stress at which flow begins > 0 [force/length^2]
  PetscReal hardening = 0;        ///< j2: slope of the yield stress over alpha, >= 0 [force/length^2]
  PetscReal voce_saturation = 0;  ///< j2: yield stress of Voce's law at last >= yield; 0: without
  PetscReal voce_rate = 0;        ///< j2: how fast Voce's law gets there, > 0 with it [-]
  PetscReal mu3 = 0;              ///< Ogden
  PetscReal alpha1 = 0, alpha2 = 0, alpha3 = 0;  ///< Ogden: exponents, not 0 where there is a modulus [-]
  PetscReal c1 = 0;                              ///< Yeoh: > 0
  PetscReal c2 = 0, c3 = 0;                      ///< Yeoh
  PetscReal k1 = 0;                              ///< fibres: modulus > 0
  PetscReal k2 = 0;                              ///< fibres: how fast they stiffen, >= 0 [-]
  PetscReal dispersion = 0;                      ///< fibres: from 0, all alike, to 1/3, isotropic [-]
  Direction fibre_1 = {};                        ///< fibres: direction of the first family
  Direction fibre_2 = {};                        ///< and of the second, where there is one
  Volumetric volumetric = Volumetric::log2;      ///< U of laws in two parts
  std::vector<PetscReal> parameters = {};        ///< those without a name here: of registered laws, and of arruda_boyce
  std::vector<PetscReal> prony_g = {};    ///< Maxwell branches: shares of the shear modulus, each > 0, together < 1
  std::vector<PetscReal> prony_tau = {};  ///< and their relaxation times > 0 [time], as many

  PetscReal rayleigh_mass = 0;       ///< r_m of Rayleigh damping r_m M v + r_k K(q) v of these cells, >= 0 [1/time]
  PetscReal rayleigh_stiffness = 0;  ///< r_k, >= 0 [time]; of the library's elastic laws, not of j2

  friend bool operator==(const Material&, const Material&) = default;
};

/// Poisson's ratio at small strains, whatever the law's parameters are. Not collective.
GEARSHIFT_EXPORT PetscReal poisson_ratio(const Material& material);

/// The ratio of volumes J at which the volumetric part U(J) of a law begins to soften, U''(J) = 0: e for K/2 (ln J)^2, the part
/// of `log2` and of j2; infinite for other laws, whose coupled volumetric part is not considered. Not collective.
GEARSHIFT_EXPORT PetscReal softening_volume(const Material& material);

/// Throws OptionError for invalid parameters; `where` (a region's name, or empty) goes into its text.
GEARSHIFT_EXPORT void check_material(const Material& material, std::string_view where = {});

}  // namespace gearshift::solid
