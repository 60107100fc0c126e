#pragma once

/// @file
/// Rubber with an isochoric-volumetric split: neo-Hooke.

#include "solid/material/laws/neo_hookean.hpp"
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

using IsochoricNeoHookeanLaw = SplitLaw<NeoHookeanPart>;

}  // namespace GEARSHIFT_KERNELS

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, IsochoricNeoHookeanLaw) {
  law.energy = "mu/2 (Ibar1 - 3) + U(J)";
  law.parameters = {Youngs_modulus, Poissons_ratio};
  law.numbers = [](const Material& m, std::span<const double>) { return std::vector{lame(m).mu}; };
  law.with_bulk = [](Material m, double stiffness) {  // E and nu cannot describe a material without bulk stiffness
    m.mu1 = lame(m).mu;
    m.mu2 = 0;
    m.bulk = stiffness;
    m.law = Law::isochoric_mooney_rivlin;
    return m;
  };
  law.check = check_engineering_moduli;
}
#endif

}  // namespace gearshift::solid
