#pragma once

/// @file
/// Rubber with an isochoric-volumetric split: the eight-chain model of Arruda and Boyce.

#include "solid/material/first_invariant.hpp"
#include "solid/material/split_law.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Chains of limited length, with the first five terms of the series of the inverse Langevin function,
///     W_iso = mu1 sum over i = 1 .. 5 of C_i / L^(2 i - 2) (Ibar1^i - 3^i),
///     C = 1/2, 1/20, 11/1050, 19/7000, 519/673750,
/// where L is the stretch at which chains are straight. p contains the coefficients of t = Ibar1 - 3, so that no 3^i
/// cancels.
/// (E. Arruda, M. Boyce, J. Mech. Phys. Solids 41, 1993)
using ArrudaBoyceLaw = SplitLaw<FirstInvariantPart<5>>;

}  // namespace GEARSHIFT_KERNELS

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, ArrudaBoyceLaw) {
  law.energy =
      "mu1 sum over i = 1 .. 5 of C_i / L^(2 i - 2) (Ibar1^i - 3^i) + U(J), C = 1/2, 1/20, 11/1050, 19/7000, "
      "519/673750, L = locking_stretch";
  law.parameters = {{"mu1", "modulus of the chains", stress, &Material::mu1},
                    {"locking_stretch",
                     "stretch L > 1 at which the chains are straight; the shear modulus is "
                     "mu1 (1 + 3/(5 L^2) + ..)",
                     number},
                    bulk_modulus};
  law.numbers = [](const Material& m, std::span<const double>) {
    constexpr std::array C{1.0 / 2, 1.0 / 20, 11.0 / 1050, 19.0 / 7000, 519.0 / 673750};
    const double L = m.parameters.at(0);
    std::vector<double> p(C.size());
    double scale = m.mu1;
    for (std::size_t i = 1; i <= C.size(); ++i, scale /= L * L) {
      double term = scale * C[i - 1];  // times binomial(i, k) 3^(i - k), from k = i down
      for (std::size_t k = i; k > 0; --k) {
        p[k - 1] += term;
        term *= 3 * static_cast<double>(k) / static_cast<double>(i - k + 1);
      }
    }
    return p;
  };
  law.shear = [](const Material& m) { return 2 * description_of(m.law).numbers(m, {})[0]; };
  law.example = [](Material& m) { m.parameters = {2}; };
  law.check = [](const MaterialCheck& check) {
    const Material& m = check.material;
    if (!finite_positive(m.mu1)) check.refuse("mu1", m.mu1, "give a modulus > 0");
    if (!(m.parameters[0] > 1)) check.refuse("locking_stretch", m.parameters[0], "give a stretch > 1");
  };
}
#endif

}  // namespace gearshift::solid
