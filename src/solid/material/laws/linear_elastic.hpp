#pragma once

/// @file
/// Linear elasticity: small strains and rotations.

#include "solid/material/law_functions.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// W = mu e:e + lambda/2 (tr e)^2, e = sym H; p = {mu, lambda, not used}.
struct LinearElasticLaw {
  static constexpr int parameter_count = 3;
  static constexpr bool small_strains = true;
  static constexpr bool stores = false, needs_volume = false, shares_logarithm = false, has_cartesian_forms = true,
                        caches_modulus = false;
  template <class S, class R>
  GEARSHIFT_INLINE static S energy(const R* p, const Tensor<S>& H) {
    const Tensor<S> e2 = twice_symmetric(H);
    const S t = trace(H);
    return S(0.25) * p[0] * dot(e2, e2) + S(0.5) * p[1] * t * t;
  }
  template <class S, class R>
  GEARSHIFT_INLINE static S stress(const R* p, const Tensor<S>& H, Tensor<S>& P) {
    P = twice_symmetric(H);
    const S t = p[1] * trace(H);
    for (int i = 0; i < 9; ++i) P.e[i] = p[0] * P.e[i];
    for (int i = 0; i < 3; ++i) P(i, i) += t;
    return S(0.0);
  }
  template <class S, class R>
  GEARSHIFT_INLINE static S prepare(const R*, const Tensor<S>&, S*) {
    return S(0.0);
  }
  template <class S, class R>
  GEARSHIFT_INLINE static void dstress(const R* p, const S*, const Tensor<S>& dH, Tensor<S>& dP) {
    stress(p, dH, dP);
  }
};

}  // namespace GEARSHIFT_KERNELS

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, LinearElasticLaw) {
  law.energy = "mu e:e + lambda/2 (tr e)^2, e = sym H: small rotations";
  describe_by_E_and_nu(law);
}
#endif

}  // namespace gearshift::solid
