#pragma once

/// @file
/// Rubber in two parts: Yeoh.

#include "solid/material/laws/neo_hookean.hpp"
#include "solid/material/split_law.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

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

using YeohLaw = SplitLaw<YeohPart>;

}  // namespace GEARSHIFT_KERNELS

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, YeohLaw) {
  law.parameters = {{"c1", "first modulus, half the shear modulus", stress, &Material::c1},
                    {"c2", "second modulus", stress, &Material::c2},
                    {"c3", "third modulus", stress, &Material::c3},
                    bulk_modulus};
  law.numbers = [](const Material& m, const Vec3&) { return std::vector{m.c1, m.c2, m.c3}; };
  law.shear = [](const Material& m) { return 2 * m.c1; };
  law.check = [](const MaterialCheck& check) {
    const Material& m = check.material;
    if (!finite_positive(m.c1)) check.refuse("c1", m.c1, "give a modulus > 0, half the shear modulus");
    if (!std::isfinite(m.c2)) check.refuse("c2", m.c2, "give a modulus");
    if (!std::isfinite(m.c3)) check.refuse("c3", m.c3, "give a modulus");
  };
}
#endif

}  // namespace gearshift::solid
