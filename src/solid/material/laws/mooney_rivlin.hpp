#pragma once

/// @file
/// Compressible Mooney-Rivlin rubber.

#include "solid/material/laws/neo_hookean.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// W = mu1/2 (I1 - 3) + mu2/2 (I2 - 3) - (mu1 + 2 mu2) ln J + lambda/2 (ln J)^2; p = {mu1, lambda - 2 mu2, mu2} with
/// the moduli at small strains. (P. Ciarlet, Mathematical Elasticity I, 4.10)
struct MooneyRivlinLaw {
  static constexpr int parameter_count = 3;
  static constexpr bool stores = true, needs_volume = true, shares_logarithm = true, has_cartesian_forms = false,
                        caches_modulus = false;
  template <class S, class R>
  GEARSHIFT_INLINE static S energy(const R* p, const Tensor<S>& H) {
    // With N = (I1 - 3)/2 - ln J as in NeoHookeanLaw and I2 - 3 = 2 t + t^2/2 - E2:E2/2, t = I1 - 3:
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

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, MooneyRivlinLaw) {
  law.energy =
      "mu1/2 (I1 - 3) + mu2/2 (I2 - 3) - (mu1 + 2 mu2) ln J + lambda/2 (ln J)^2, lambda = bulk - 2 mu2 - 2/3 (mu1 + "
      "mu2)";
  law.parameters = {{"mu1", "first modulus", stress, &Material::mu1},
                    {"mu2", "second modulus", stress, &Material::mu2},
                    bulk_modulus};
  law.numbers = [](const Material& m, std::span<const double>) {
    return std::vector{m.mu1, lame(m).lambda - 2 * m.mu2, m.mu2};
  };
  law.shear = [](const Material& m) { return m.mu1 + m.mu2; };
  law.with_bulk = [](Material m, double stiffness) {
    m.bulk = stiffness + 2 * m.mu2 + 2 * lame(m).mu / 3;
    return m;
  };
  law.check = [](const MaterialCheck& check) {
    const Material& m = check.material;
    if (!finite_positive(m.mu1)) check.refuse("mu1", m.mu1, "give a modulus > 0");
    if (!std::isfinite(m.mu2) || m.mu2 < 0) check.refuse("mu2", m.mu2, "give a modulus >= 0");
    if (!std::isfinite(m.bulk) || m.bulk < 2 * (m.mu1 + m.mu2) / 3 + 2 * m.mu2)
      check.refuse("bulk", m.bulk,
                   "give a bulk modulus >= 2/3 (mu1 + mu2) + 2 mu2, so that the law resists changes of volume");
  };
}
#endif

}  // namespace gearshift::solid
