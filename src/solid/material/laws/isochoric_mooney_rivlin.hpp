#pragma once

/// @file
/// Rubber with an isochoric-volumetric split: Mooney-Rivlin.

#include "solid/material/laws/mooney_rivlin.hpp"
#include "solid/material/split_law.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

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
  /// P = mu1 F + mu2 (I1 F - F C), derived from the plain invariants.
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

using IsochoricMooneyRivlinLaw = SplitLaw<MooneyRivlinPart>;

}  // namespace GEARSHIFT_KERNELS

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, IsochoricMooneyRivlinLaw) {
  law.energy = "mu1/2 (Ibar1 - 3) + mu2/2 (Ibar2 - 3) + U(J)";
  law.parameters = {{"mu1", "first modulus", stress, &Material::mu1},
                    {"mu2", "second modulus", stress, &Material::mu2},
                    bulk_modulus};
  law.numbers = [](const Material& m, std::span<const double>) { return std::vector{m.mu1, m.mu2}; };
  law.shear = [](const Material& m) { return m.mu1 + m.mu2; };
  law.check = [](const MaterialCheck& check) {
    const Material& m = check.material;
    if (!std::isfinite(m.mu1) || m.mu1 < 0) check.refuse("mu1", m.mu1, "give a modulus >= 0");
    if (!std::isfinite(m.mu2) || m.mu2 < 0) check.refuse("mu2", m.mu2, "give a modulus >= 0");
    if (!(m.mu1 + m.mu2 > 0)) check.refuse("mu1 + mu2", m.mu1 + m.mu2, "give a shear modulus > 0");
  };
}
#endif

}  // namespace gearshift::solid
