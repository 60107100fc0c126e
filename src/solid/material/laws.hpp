#pragma once

/// @file
/// The hyperelastic laws as functions of H = grad u, for any scalar type (double, Lanes, Dual of either).
///
/// Each law has
///   energy(p, H)           W
///   stress(p, H, P)        P = dW/dF; returns J - 1 (0 for laws that need no J > 0)
///   prepare(p, H, T)       what dstress needs of the point, prepared_size<Law> numbers; returns J - 1 alike
///   dstress(p, T, dH, dP)  dP = d2W/dF2 : dH
///   parameter_count        how many p has; of those here {mu (Mooney-Rivlin: mu1), lambda, mu2}
///   stores                 whether prepare writes anything
///   needs_volume           whether J > 0 is needed
///   shares_logarithm       whether stress takes J - 1 and ln J from its caller, who hides their latency
///   has_cartesian_forms    whether Cartesian cells have work at points of their own
///   caches_modulus         whether the tangent keeps the whole modulus of a point (CachedModulus)
/// All forms keep full relative accuracy at small strains: they start from C - I and J - 1 as polynomials in H.
/// (The idea: Shakeri et al., stable formulations for libCEED/Ratel, 2024.)

#include "solid/material/prepared_size.hpp"
#include "solid/numerics/tensor.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

struct LinearElasticLaw {
  static constexpr int parameter_count = 3;
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
  /// The same with j = J - 1 and ln J at hand.
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
};

struct MooneyRivlinLaw {
  static constexpr int parameter_count = 3;
  static constexpr bool stores = true, needs_volume = true, shares_logarithm = true, has_cartesian_forms = false,
                        caches_modulus = false;
  template <class S, class R>
  GEARSHIFT_INLINE static S energy(const R* p, const Tensor<S>& H) {
    // With N = (I1 - 3)/2 - ln J as above and I2 - 3 = 2 t + t^2/2 - E2:E2/2, t = I1 - 3:
    // (I2 - 3)/2 - 2 ln J = 2 N + t^2/4 - E2:E2/4
    const R neo[2] = {p[0] + 2.0 * p[2], p[1]};
    const Tensor<S> E2 = twice_strain(H);
    const S t = trace(E2);
    return NeoHookeanLaw::energy(neo, H) + S(0.25) * p[2] * (t * t - dot(E2, E2));
  }
  template <class S, class R>
  GEARSHIFT_INLINE static S stress(const R* p, const Tensor<S>& H, Tensor<S>& P) {
    const S j = volume_change(H);
    stress(p, H, j, log_one_plus(j), P);
    return j;
  }
  template <class S, class R>
  GEARSHIFT_INLINE static void stress(const R* p, const Tensor<S>& H, const S& j, const S& ln, Tensor<S>& P) {
    // P = F^-T (mu1 E2 + mu2 (t I + (1 + t) E2 - E2 E2) + lambda ln J I), E2 = C - I, t = tr E2
    const S scale = S(1.0) / (S(1.0) + j);
    const Tensor<S> E2 = twice_strain(H), square = product(E2, E2);
    const S t = trace(E2), linear = p[0] + p[2] * (S(1.0) + t);
    Tensor<S> A;
    for (int i = 0; i < 9; ++i) A.e[i] = scale * (linear * E2.e[i] - p[2] * square.e[i]);
    for (int i = 0; i < 3; ++i) A(i, i) += scale * (p[2] * t + p[1] * ln);
    P = product(cofactors(plus_identity(H)), A);
  }
  template <class S, class R>
  GEARSHIFT_INLINE static S prepare(const R* p, const Tensor<S>& H, S* T) {
    const S j = volume_change(H);
    for (int i = 0; i < 9; ++i) T[i] = H.e[i];
    T[9] = p[0] + 2.0 * p[2] - p[1] * log_one_plus(j);
    return j;
  }
  template <class S, class R>
  GEARSHIFT_INLINE static void dstress(const R* p, const S* T, const Tensor<S>& dH, Tensor<S>& dP) {
    // dH ((mu1 + mu2 (2 + t)) I - mu2 E2) + mu2 F (dt I - dE2) + lambda (G : dH) G + k G dH' G,
    // k = mu1 + 2 mu2 - lambda ln J
    Tensor<S> H;
    for (int i = 0; i < 9; ++i) H.e[i] = T[i];
    const Tensor<S> F = plus_identity(H), E2 = twice_strain(H);
    const S scale = S(1.0) / (S(1.0) + volume_change(H));
    Tensor<S> G = cofactors(F);
    for (int i = 0; i < 9; ++i) G.e[i] = scale * G.e[i];
    Tensor<S> D = twice_symmetric(transposed_product(F, dH));
    const S dt = trace(D), t = trace(E2);
    for (int i = 0; i < 9; ++i) D.e[i] = -(p[2] * D.e[i]);
    for (int i = 0; i < 3; ++i) D(i, i) += p[2] * dt;
    dP = product(F, D);
    Tensor<S> A;
    for (int i = 0; i < 9; ++i) A.e[i] = -(p[2] * E2.e[i]);
    for (int i = 0; i < 3; ++i) A(i, i) += p[0] + p[2] * (S(2.0) + t);
    const Tensor<S> first = product(dH, A);
    Tensor<S> B;
    const S trace_part = p[1] * dot(G, dH);
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) B(i, j) = T[9] * (dH(0, i) * G(0, j) + dH(1, i) * G(1, j) + dH(2, i) * G(2, j));
    for (int i = 0; i < 3; ++i) B(i, i) += trace_part;
    const Tensor<S> last = product(G, B);
    for (int i = 0; i < 9; ++i) dP.e[i] += first.e[i] + last.e[i];
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
