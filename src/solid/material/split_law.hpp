#pragma once

/// @file
/// Laws with an isochoric-volumetric split, W = W_iso(Fbar) + U(J), Fbar = J^-1/3 F.

#include "solid/material/isochoric.hpp"
#include "solid/material/volumetric.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// `Part` defines W_iso for an Fbar = I + H whose determinant is 1:
///   energy(p, H)              W_iso
///   stress(p, H, P)           a derivative of it by Fbar, up to a multiple of Fbar^-T that is chosen so that P
///                             vanishes with H to round-off
///   parameter_count           number of entries of p
///   kept_count, keep(p, H, T) values that the tangent keeps at the point in addition to H and J
///   change(p, T, F, dF, P, dP)   the derivative by Fbar, up to a multiple of Fbar^-T that is the differential of a
///                             function of det F, and its differential
/// The parameters are those of the part, followed by those of U.
///
/// With s = J^-1/3, G = F^-T and c = (P:Fbar)/3 for the part's own P
///     P_law = s P + (J U' - c) G
///     dP_law = s (dP - (G:dF)/3 P) - dc G + J (J U')' (G:dF) G - (J U' - c) G dF' G
/// (G. Holzapfel, Nonlinear Solid Mechanics, 2000, 6.4 and 6.6)
template <class Part>
struct SplitLaw {
  using Volume = VolumetricPart;
  static constexpr int volume = Part::parameter_count, parameter_count = volume + Volume::parameter_count;
  static constexpr bool stores = true, needs_volume = true, shares_logarithm = false, has_cartesian_forms = false,
                        caches_modulus = false;
  static constexpr int prepared_count = 9 + 3 + Part::kept_count;

  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const Tensor<S>& H) {
    return Isochoric<Part>::energy(p, H) + Volume::energy(p + volume, volume_change(H));
  }
  /// Returns J - 1.
  template <class S>
  GEARSHIFT_INLINE static S stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    const S j = Isochoric<Part>::stress(p, H, P), pressure = Volume::stress(p + volume, j);
    const Tensor<S> G = inverse_transposed(H, j);
    for (int i = 0; i < 9; ++i) P.e[i] += pressure * G.e[i];
    return j;
  }
  template <class S>
  GEARSHIFT_INLINE static S prepare(const S* p, const Tensor<S>& H, S* T) {
    const S j = volume_change(H);
    const Tensor<S> bar = without_volume(H, j, T[9]);
    for (int i = 0; i < 9; ++i) T[i] = bar.e[i];
    T[10] = Volume::stress(p + volume, j);
    T[11] = Volume::slope(p + volume, j);
    Part::keep(p, bar, T + 12);
    return j;
  }
  template <class S>
  GEARSHIFT_INLINE static void dstress(const S* p, const S* T, const Tensor<S>& dH, Tensor<S>& dP) {
    Tensor<S> F, dbar, P, dpart;
    for (int i = 0; i < 9; ++i) F.e[i] = T[i];
    F = plus_identity(F);
    const S &scale = T[9], &pressure = T[10], &slope = T[11];
    Tensor<S> G = cofactors(F);  // Fbar^-T s
    for (S& number : G.e) number = scale * number;
    const S volume_rate = dot(G, dH), shrink = S(-1.0 / 3) * volume_rate;
    for (int i = 0; i < 9; ++i) dbar.e[i] = shrink * F.e[i] + scale * dH.e[i];
    Part::change(p, T + 12, F, dbar, P, dpart);
    const S pull = pressure - S(1.0 / 3) * dot(P, F);
    const S along = slope * volume_rate - S(1.0 / 3) * (dot(dpart, F) + dot(P, dbar));
    Tensor<S> B;  // along I - pull dF' G
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        const S turned = dH(0, i) * G(0, j) + dH(1, i) * G(1, j) + dH(2, i) * G(2, j);
        B(i, j) = i == j ? along - pull * turned : -(pull * turned);
      }
    dP = product(G, B);
    for (int i = 0; i < 9; ++i) dP.e[i] += scale * (shrink * P.e[i] + dpart.e[i]);
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
