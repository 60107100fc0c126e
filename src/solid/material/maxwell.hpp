#pragma once

/// @file
/// Generalised Maxwell viscoelasticity in addition to any hyperelastic law.

#include "solid/material/spatial.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// A law with Maxwell branches at one instant. The internal stresses z_i' = (g_i S_iso - z_i) / tau_i consist of a part
/// kappa S_iso, which follows the strain at once, and the rest Z, so that
///     P = P_law - kappa P_iso - F Z
/// (for small strains P = P_law - kappa P_iso - Z). The parameters are the law's own, kappa, and Z (00 01 02 11 12 22).
/// With the overstresses h_i = g_i S_iso - z_i this is h_i' + h_i / tau_i = g_i S_iso'. (J. Simo, Comput. Methods Appl.
/// Mech. Engrg. 60, 1987; G. Holzapfel, Nonlinear Solid Mechanics, 2000, 6.10)
template <class Law>
struct MaxwellLaw {
  using Iso = Isochoric<Law>;
  static constexpr int kappa = Law::parameter_count, parameter_count = kappa + 7;
  static constexpr bool stores = true, needs_volume = !small_strains<Law>, shares_logarithm = false,
                        has_cartesian_forms = false, caches_modulus = true, objective = solid::objective<Law>,
                        twice_differentiable = solid::twice_differentiable<Law>;
  static constexpr int prepared_count = prepared_size<Law> + Iso::prepared_count;

  template <class S>
  GEARSHIFT_INLINE static S stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    Tensor<S> iso;
    Law::stress(p, H, P);
    const S j = Iso::stress(p, H, iso);
    subtract(p, iso, small_strains<Law> ? rest(p) : product(plus_identity(H), rest(p)), P);
    return j;
  }
  template <class S>
  GEARSHIFT_INLINE static S prepare(const S* p, const Tensor<S>& H, S* T) {
    Law::prepare(p, H, T);
    return Iso::prepare(p, H, T + prepared_size<Law>);
  }
  template <class S>
  GEARSHIFT_INLINE static void dstress(const S* p, const S* T, const Tensor<S>& dH, Tensor<S>& dP) {
    Tensor<S> iso, other;
    Law::dstress(p, T, dH, dP);
    Iso::dstress(p, T + prepared_size<Law>, dH, iso);
    if constexpr (small_strains<Law>)
      for (S& number : other.e) number = S(0.0);
    else
      other = product(dH, rest(p));
    subtract(p, iso, other, dP);
  }
  /// Computes tau = tau_law - kappa tau_iso - F Z F' and c = c_law - kappa c_iso (SpatialTangent); returns J - 1.
  template <class S>
  GEARSHIFT_INLINE static S moduli(const S* p, const Tensor<S>& H, Symmetric<S>& tau, SymmetricMap<S>& c) {
    Symmetric<S> iso, Z;
    SymmetricMap<S> iso_c;
    const S j = small_strains<Law> ? S(0.0) : volume_change(H);
    spatial_moduli<Law>(p, H, tau, c);
    if constexpr (small_strains<Law>) {
      spatial_moduli<Law>(p, H, iso, iso_c);
      for (S& number : Z.e) number = S(0.0);
    } else {
      S scale;
      spatial_moduli<Law>(p, without_volume(H, j, scale), iso, iso_c);
      for (int e = 0; e < 6; ++e) Z.e[e] = p[kappa + 1 + e];
      Z = moved(plus_identity(H), Z);
    }
    make_isochoric(iso, iso_c);
    for (int e = 0; e < 6; ++e) tau.e[e] = tau.e[e] - p[kappa] * iso.e[e] - Z.e[e];
    for (int e = 0; e < 21; ++e) c.e[e] = c.e[e] - p[kappa] * iso_c.e[e];
    return j;
  }

 private:
  template <class S>
  GEARSHIFT_INLINE static Tensor<S> rest(const S* p) {
    const S* Z = p + kappa + 1;
    return {Z[0], Z[1], Z[2], Z[1], Z[3], Z[4], Z[2], Z[4], Z[5]};
  }
  /// Computes P -= kappa iso + other.
  template <class S>
  GEARSHIFT_INLINE static void subtract(const S* p, const Tensor<S>& iso, const Tensor<S>& other, Tensor<S>& P) {
    for (int i = 0; i < 9; ++i) P.e[i] = P.e[i] - (p[kappa] * iso.e[i] + other.e[i]);
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
