#pragma once

/// @file
/// Compressible neo-Hookean rubber.

#include "solid/material/law_functions.hpp"
#include "solid/numerics/symmetric.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2; p = {mu, lambda, not used}. (J. Bonet, R. Wood, Nonlinear Continuum
/// Mechanics, ch. 6)
struct NeoHookeanLaw {
  static constexpr int parameter_count = 3;
  static constexpr bool stores = true, needs_volume = true, shares_logarithm = true, has_cartesian_forms = true,
                        caches_modulus = false;
  template <class S, class R>
  GEARSHIFT_INLINE static S energy(const R* p, const Tensor<S>& H) {
    // (I1 - 3)/2 - ln J = |sym H|^2 - (tr H)^2/2 - det H + (j - ln(1 + j)), j = J - 1
    const Tensor<S> e2 = twice_symmetric(H);
    const S t = trace(H), j = volume_change(H), ln = log_one_plus(j);
    const Tensor<S> C = cofactors(H);
    const S det = H(0, 0) * C(0, 0) + H(0, 1) * C(0, 1) + H(0, 2) * C(0, 2);
    return p[0] * (S(0.25) * dot(e2, e2) - S(0.5) * t * t - det + log_remainder(j)) + S(0.5) * p[1] * ln * ln;
  }
  template <class S, class R>
  GEARSHIFT_INLINE static S stress(const R* p, const Tensor<S>& H, Tensor<S>& P) {
    const S j = volume_change(H);
    stress(p, H, j, log_one_plus(j), P);
    return j;
  }
  /// Computes the stress from given j = J - 1 and ln J.
  template <class S, class R>
  GEARSHIFT_INLINE static void stress(const R* p, const Tensor<S>& H, const S& j, const S& ln, Tensor<S>& P) {
    // P = mu (F - F^-T) + lambda ln J F^-T. With C = cof H: cof F = (1 + tr H) I - H' + C, J = 1 + tr H + tr C + det H,
    // so J (I - F^-T) = (j - tr H) I + H' - C, in which no 1 cancels at small strains.
    const S scale = S(1.0) / (S(1.0) + j), a = p[0] * scale, b = p[1] * ln * scale, t = trace(H);
    const Tensor<S> C = cofactors(H);
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 3; ++i) P(c, i) = p[0] * H(c, i) + (a - b) * (H(i, c) - C(c, i));
    const S diagonal = a * (j - t) + b * (S(1.0) + t);
    for (int i = 0; i < 3; ++i) P(i, i) += diagonal;
  }
  template <class S, class R>
  GEARSHIFT_INLINE static S prepare(const R* p, const Tensor<S>& H, S* T) {
    const S j = volume_change(H), scale = S(1.0) / (S(1.0) + j);
    const Tensor<S> C = cofactors(plus_identity(H));
    for (int i = 0; i < 9; ++i) T[i] = scale * C.e[i];
    T[9] = p[0] - p[1] * log_one_plus(j);
    return j;
  }
  template <class S, class R>
  GEARSHIFT_INLINE static void dstress(const R* p, const S* T, const Tensor<S>& dH, Tensor<S>& dP) {
    // mu dH + lambda (G : dH) G + (mu - lambda ln J) G dH' G, G = F^-T
    Tensor<S> G;
    for (int i = 0; i < 9; ++i) G.e[i] = T[i];
    const S t = p[1] * dot(G, dH);
    Tensor<S> B;  // dH' G
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) B(i, j) = T[9] * (dH(0, i) * G(0, j) + dH(1, i) * G(1, j) + dH(2, i) * G(2, j));
    for (int i = 0; i < 3; ++i) B(i, i) += t;
    dP = product(G, B);
    for (int i = 0; i < 9; ++i) dP.e[i] += p[0] * dH.e[i];
  }
  /// tau = mu (F F' - I) + lambda ln J I,   c = lambda I I + 2 (mu - lambda ln J) 1. Returns J - 1.
  template <class S, class R>
  GEARSHIFT_INLINE static S moduli(const R* p, const Tensor<S>& H, Symmetric<S>& tau, SymmetricMap<S>& c) {
    const S j = volume_change(H), pressure = p[1] * log_one_plus(j), shear = p[0] - pressure;
    const Symmetric<S> square = symmetric_product(H, H);
    for (S& number : c.e) number = S(0.0);
    for (int e = 0; e < 6; ++e) {
      const int i = symmetric_row[e], k = symmetric_column[e];
      tau.e[e] = p[0] * (H(i, k) + H(k, i) + square.e[e]);
      if (i == k) tau.e[e] += pressure;
      c(e, e) = i == k ? shear + shear : shear;
    }
    constexpr int diagonal[] = {0, 3, 5};
    for (const int e : diagonal)
      for (const int f : diagonal)
        if (f >= e) c(e, f) += p[1];
    return j;
  }
};

}  // namespace GEARSHIFT_KERNELS

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, NeoHookeanLaw) {
  law.energy = "mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2";
  describe_by_E_and_nu(law);
}
#endif

}  // namespace gearshift::solid
