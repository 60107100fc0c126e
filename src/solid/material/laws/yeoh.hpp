#pragma once

/// @file
/// Rubber with an isochoric-volumetric split: Yeoh.

#include "solid/material/first_invariant.hpp"
#include "solid/material/split_law.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// W_iso = c1 t + c2 t^2 + c3 t^3, t = Ibar1 - 3; p = {c1, c2, c3}. (O. Yeoh, Rubber Chem. Technol. 66, 1993)
using YeohLaw = SplitLaw<FirstInvariantPart<3>>;

}  // namespace GEARSHIFT_KERNELS

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, YeohLaw) {
  law.energy = "c1 t + c2 t^2 + c3 t^3 + U(J), t = Ibar1 - 3";
  law.parameters = {{"c1", "first modulus, half the shear modulus", stress, &Material::c1},
                    {"c2", "second modulus", stress, &Material::c2},
                    {"c3", "third modulus", stress, &Material::c3},
                    bulk_modulus};
  law.numbers = [](const Material& m, std::span<const double>) { return std::vector{m.c1, m.c2, m.c3}; };
  law.shear = [](const Material& m) { return 2 * m.c1; };
  law.example = [](Material& m) { m.c1 = 0.2, m.c2 = -0.01, m.c3 = 0.001; };
  law.check = [](const MaterialCheck& check) {
    const Material& m = check.material;
    if (!finite_positive(m.c1)) check.refuse("c1", m.c1, "give a modulus > 0, half the shear modulus");
    if (!std::isfinite(m.c2)) check.refuse("c2", m.c2, "give a modulus");
    if (!std::isfinite(m.c3)) check.refuse("c3", m.c3, "give a modulus");
  };
}
#endif

}  // namespace gearshift::solid
