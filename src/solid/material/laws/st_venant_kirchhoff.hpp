#pragma once

/// @file
/// St. Venant-Kirchhoff: large rotations, small strains.

#include "solid/material/law_functions.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// W = mu E:E + lambda/2 (tr E)^2, E = (C - I)/2; p = {mu, lambda, not used}.
struct StVenantKirchhoffLaw {
  static constexpr int parameter_count = 3;
  static constexpr bool stores = true, needs_volume = false, shares_logarithm = false, has_cartesian_forms = false,
                        caches_modulus = false;
  template <class S, class R>
  GEARSHIFT_INLINE static S energy(const R* p, const Tensor<S>& H) {
    const Tensor<S> E2 = twice_strain(H);
    const S t = trace(E2);
    return S(0.25) * p[0] * dot(E2, E2) + S(0.125) * p[1] * t * t;
  }
  template <class S, class R>
  GEARSHIFT_INLINE static Tensor<S> second_stress(const R* p, const Tensor<S>& E2) {
    Tensor<S> stress;
    const S t = S(0.5) * p[1] * trace(E2);
    for (int i = 0; i < 9; ++i) stress.e[i] = p[0] * E2.e[i];
    for (int i = 0; i < 3; ++i) stress(i, i) += t;
    return stress;
  }
  template <class S, class R>
  GEARSHIFT_INLINE static S stress(const R* p, const Tensor<S>& H, Tensor<S>& P) {
    P = product(plus_identity(H), second_stress(p, twice_strain(H)));
    return S(0.0);
  }
  template <class S, class R>
  GEARSHIFT_INLINE static S prepare(const R*, const Tensor<S>& H, S* T) {
    for (int i = 0; i < 9; ++i) T[i] = H.e[i];
    return S(0.0);
  }
  template <class S, class R>
  GEARSHIFT_INLINE static void dstress(const R* p, const S* T, const Tensor<S>& dH, Tensor<S>& dP) {
    Tensor<S> H;
    for (int i = 0; i < 9; ++i) H.e[i] = T[i];
    const Tensor<S> F = plus_identity(H);
    const Tensor<S> dS = second_stress(p, twice_symmetric(transposed_product(F, dH)));
    dP = product(F, dS);
    const Tensor<S> other = product(dH, second_stress(p, twice_strain(H)));
    for (int i = 0; i < 9; ++i) dP.e[i] += other.e[i];
  }
};

}  // namespace GEARSHIFT_KERNELS

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, StVenantKirchhoffLaw) {
  law.energy = "mu E:E + lambda/2 (tr E)^2: large rotations, small strains";
  describe_by_E_and_nu(law);
  law.bulk_stands_apart = false;
}
#endif

}  // namespace gearshift::solid
