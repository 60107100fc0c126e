#pragma once

/// @file
/// Isochoric parts of rubber's laws in the first two invariants.

#include "solid/material/split_law.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// W_iso = mu/2 (Ibar1 - 3); p = {mu}.
struct NeoHookeanPart {
  static constexpr int parameter_count = 1, kept_count = 0;
  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const Tensor<S>& H) {
    const S neo[] = {p[0], S(0.0)};
    return NeoHookeanLaw::energy(neo, H);
  }
  template <class S>
  GEARSHIFT_INLINE static void stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    const S neo[] = {p[0], S(0.0)};
    NeoHookeanLaw::stress(neo, H, volume_change(H), S(0.0), P);
  }
  template <class S>
  GEARSHIFT_INLINE static void keep(const S*, const Tensor<S>&, S*) {}
  template <class S>
  GEARSHIFT_INLINE static void change(const S* p, const S*, const Tensor<S>& F, const Tensor<S>& dF, Tensor<S>& P,
                                      Tensor<S>& dP) {
    for (int i = 0; i < 9; ++i) {
      P.e[i] = p[0] * F.e[i];
      dP.e[i] = p[0] * dF.e[i];
    }
  }
};

/// W_iso = mu1/2 (Ibar1 - 3) + mu2/2 (Ibar2 - 3); p = {mu1, mu2}. (M. Mooney, J. Appl. Phys. 11, 1940; R. Rivlin, 1948)
struct MooneyRivlinPart {
  static constexpr int parameter_count = 2, kept_count = 0;
  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const Tensor<S>& H) {
    const S coupled[] = {p[0], S(0.0), p[1]};
    return MooneyRivlinLaw::energy(coupled, H);
  }
  template <class S>
  GEARSHIFT_INLINE static void stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    const S coupled[] = {p[0], S(0.0), p[1]};
    MooneyRivlinLaw::stress(coupled, H, volume_change(H), S(0.0), P);
  }
  template <class S>
  GEARSHIFT_INLINE static void keep(const S*, const Tensor<S>&, S*) {}
  /// P = mu1 F + mu2 (I1 F - F C) of the plain invariants
  template <class S>
  GEARSHIFT_INLINE static void change(const S* p, const S*, const Tensor<S>& F, const Tensor<S>& dF, Tensor<S>& P,
                                      Tensor<S>& dP) {
    const Tensor<S> C = transposed_product(F, F), dC = twice_symmetric(transposed_product(F, dF));
    const S linear = p[0] + p[1] * trace(C), change = p[1] * trace(dC);
    Tensor<S> A, dA;
    for (int i = 0; i < 9; ++i) {
      A.e[i] = -(p[1] * C.e[i]);
      dA.e[i] = -(p[1] * dC.e[i]);
    }
    for (int i = 0; i < 3; ++i) {
      A(i, i) += linear;
      dA(i, i) += change;
    }
    P = product(F, A);
    dP = product(dF, A);
    const Tensor<S> other = product(F, dA);
    for (int i = 0; i < 9; ++i) dP.e[i] += other.e[i];
  }
};

/// W_iso = c1 t + c2 t^2 + c3 t^3, t = Ibar1 - 3; p = {c1, c2, c3}. (O. Yeoh, Rubber Chem. Technol. 66, 1993)
struct YeohPart {
  static constexpr int parameter_count = 3, kept_count = 2;
  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const Tensor<S>& H) {
    const S t = excess(H);
    return t * (p[0] + t * (p[1] + t * p[2]));
  }
  template <class S>
  GEARSHIFT_INLINE static void stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    const S neo[] = {slope(p, excess(H)), S(0.0)};
    NeoHookeanLaw::stress(neo, H, volume_change(H), S(0.0), P);
  }
  template <class S>
  GEARSHIFT_INLINE static void keep(const S* p, const Tensor<S>& H, S* T) {
    const S t = excess(H);
    T[0] = slope(p, t);
    T[1] = S(8.0) * p[1] + S(24.0) * p[2] * t;
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
  /// 2 dW/dt
  template <class S>
  GEARSHIFT_INLINE static S slope(const S* p, const S& t) {
    return S(2.0) * p[0] + t * (S(4.0) * p[1] + S(6.0) * p[2] * t);
  }
};

using IsochoricNeoHookeanLaw = SplitLaw<NeoHookeanPart>;
using IsochoricMooneyRivlinLaw = SplitLaw<MooneyRivlinPart>;
using YeohLaw = SplitLaw<YeohPart>;

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
