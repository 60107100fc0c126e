#pragma once

/// @file
/// Isochoric parts of laws that depend only on the first invariant.

#include "solid/material/laws/neo_hookean.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// W_iso = sum over k = 1 .. terms of p_k t^k, t = Ibar1 - 3: a part of a SplitLaw (split_law.hpp).
template <int terms>
struct FirstInvariantPart {
  static constexpr int parameter_count = terms, kept_count = 2;
  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const Tensor<S>& H) {
    const S t = excess(H);
    S sum = p[terms - 1];
    for (int k = terms - 1; k > 0; --k) sum = p[k - 1] + t * sum;
    return t * sum;
  }
  template <class S>
  GEARSHIFT_INLINE static void stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    const S neo[] = {twice_slope(p, excess(H)), S(0.0)};
    NeoHookeanLaw::stress(neo, H, volume_change(H), S(0.0), P);
  }
  /// Writes 2 dW/dt and 4 d2W/dt2.
  template <class S>
  GEARSHIFT_INLINE static void keep(const S* p, const Tensor<S>& H, S* T) {
    const S t = excess(H);
    T[0] = twice_slope(p, t);
    T[1] = S(4.0 * terms * (terms - 1)) * p[terms - 1];
    for (int k = terms - 1; k > 1; --k) T[1] = S(4.0 * k * (k - 1)) * p[k - 1] + T[1] * t;
  }
  template <class S>
  GEARSHIFT_INLINE static void change(const S*, const S* T, const Tensor<S>& F, const Tensor<S>& dF, Tensor<S>& P,
                                      Tensor<S>& dP) {
    const S further = T[1] * dot(F, dF);
    for (int i = 0; i < 9; ++i) {
      P.e[i] = T[0] * F.e[i];
      dP.e[i] = T[0] * dF.e[i] + further * F.e[i];
    }
  }

 private:
  template <class S>
  GEARSHIFT_INLINE static S excess(const Tensor<S>& H) {
    const S twice[] = {S(2.0), S(0.0)};
    return NeoHookeanLaw::energy(twice, H);
  }
  template <class S>
  GEARSHIFT_INLINE static S twice_slope(const S* p, const S& t) {
    S sum = S(2.0 * terms) * p[terms - 1];
    for (int k = terms - 1; k > 0; --k) sum = S(2.0 * k) * p[k - 1] + t * sum;
    return sum;
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
