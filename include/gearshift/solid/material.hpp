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

/// A law gives the stored energy W per reference volume, with F = I + H, H = grad u, C = F'F, E = (C - I)/2, J = det F.
/// The manual's page on solids and `gearshift-solid -help material` give the energy, the parameters and their units for each
/// law. In them I1, I2, I3 are the invariants of C,
/// mu = E / (2 (1 + nu)), lambda = E nu / ((1 + nu) (1 - 2 nu)) with Young's modulus E and Poisson's ratio nu; laws with
/// ln J need J > 0: elsewhere callbacks throw InvalidState. (J. Bonet, R. Wood, Nonlinear Continuum Mechanics, ch. 6;
/// P. Ciarlet, Mathematical Elasticity I, 4.10.)
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
/// Laws of rubber and soft tissue are in two parts, W = W_iso + U(J), with the invariants Ibar and principal stretches
/// lbar of Fbar = J^-1/3 F in W_iso, and U by `volumetric`: `log2` K/2 (ln J)^2, `simo` K/4 (J^2 - 1 - 2 ln J),
/// `quadratic` K/2 (J - 1)^2, K = bulk or E / (3 (1 - 2 nu)) the bulk modulus at small strains. Fibres carry no
/// compression and are unstretched at rest; their direction a in the undeformed body is a unit vector in the middle of
/// each cell. (R. Ogden, Proc. R. Soc. Lond. A 326 and 328, 1972; G. Holzapfel, Nonlinear Solid Mechanics, 2000, 6.4
/// and 6.5)
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
  PetscReal c1 = 0;                              ///< first coefficient of a polynomial in Ibar1 - 3: > 0
  PetscReal c2 = 0, c3 = 0;                      ///< and further ones
  PetscReal k1 = 0;                              ///< fibres: modulus > 0
  PetscReal k2 = 0;                              ///< fibres: how fast they stiffen, >= 0 [-]
  PetscReal dispersion = 0;                      ///< fibres: from 0, all alike, to 1/3, isotropic [-]
  Direction fibre_1 = {};                        ///< fibres: direction of the first family
  Direction fibre_2 = {};                        ///< and of the second, where there is one
  Volumetric volumetric = Volumetric::log2;      ///< U of laws in two parts
  std::vector<PetscReal> parameters =
      {};  ///< those without a member here: of registered laws, and the locking stretch of arruda_boyce
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
