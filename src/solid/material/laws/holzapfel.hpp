#pragma once

/// @file
/// Soft tissue with one or two families of fibres.

#include "solid/material/laws/neo_hookean.hpp"
#include "solid/material/split_law.hpp"
#include "solid/numerics/eigen.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// A neo-Hookean matrix with families of fibres in directions a of the undeformed body,
///     W_iso = mu/2 (Ibar1 - 3) + sum over families of k1 / (2 k2) (exp(k2 <E>^2) - 1),
///     E = kappa (Ibar1 - 3) + (1 - 3 kappa) (a.Cbar a - 1),   <E> = max(E, 0):
/// fibres carry no compression, so that the stress is continuous and the tangent jumps at E = 0. kappa is the
/// dispersion around a, from 0 (all along a) to 1/3 (isotropic). (T. Gasser, R. Ogden, G. Holzapfel, J. R. Soc.
/// Interface 3, 2006; kappa = 0: G. Holzapfel, T. Gasser, R. Ogden, J. Elasticity 61, 2000)
///
/// p = {mu, k2, kappa, then k1 and a of each family}; k1 = 0 without a second family.
struct FibrePart {
  static constexpr int families = 2, parameter_count = 3 + 4 * families, kept_count = 2 * families;

  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const Tensor<S>& H) {
    const S neo[] = {p[0], S(0.0)}, rate = where_positive(p[1], p[1], S(1.0));
    S sum = NeoHookeanLaw::energy(neo, H);
    for (int f = 0; f < families; ++f) {
      const S E = extension(p, p + 3 + 4 * f, H), square = E * E;
      sum += S(0.5) * p[3 + 4 * f] * where_positive(p[1], exp_minus_one(p[1] * square) / rate, square);
    }
    return sum;
  }
  template <class S>
  GEARSHIFT_INLINE static void stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    const S neo[] = {p[0], S(0.0)};
    NeoHookeanLaw::stress(neo, H, volume_change(H), S(0.0), P);
    const Tensor<S> F = plus_identity(H);
    for (int f = 0; f < families; ++f) {
      S T[2];
      keep_family(p, p + 3 + 4 * f, H, T);
      const Tensor<S> slope = gradient(p, p + 4 + 4 * f, F);
      for (int i = 0; i < 9; ++i) P.e[i] += T[0] * slope.e[i];
    }
  }
  template <class S>
  GEARSHIFT_INLINE static void keep(const S* p, const Tensor<S>& H, S* T) {
    for (int f = 0; f < families; ++f) keep_family(p, p + 3 + 4 * f, H, T + 2 * f);
  }
  template <class S>
  GEARSHIFT_INLINE static void change(const S* p, const S* T, const Tensor<S>& F, const Tensor<S>& dF, Tensor<S>& P,
                                      Tensor<S>& dP) {
    // With f = F a, dE/dF = 2 kappa F + rest f a': the factors of F and dF are collected, and the vectors times a'.
    const S spread = p[2] + p[2], rest = S(2.0) - S(3.0) * spread, along = spread * dot(F, dF);
    S plain = p[0], further(0.0);
    Tensor<S> fibres, dfibres;
    for (int f = 0; f < families; ++f, T += 2) {
      const S* a = p + 4 + 4 * f;
      S stretched[3], change[3];
      for (int i = 0; i < 3; ++i) {
        stretched[i] = rest * (F(i, 0) * a[0] + F(i, 1) * a[1] + F(i, 2) * a[2]);
        change[i] = dF(i, 0) * a[0] + dF(i, 1) * a[1] + dF(i, 2) * a[2];
      }
      const S rate = T[1] * (along + stretched[0] * change[0] + stretched[1] * change[1] + stretched[2] * change[2]);
      plain += T[0] * spread;
      further += rate * spread;
      for (int i = 0; i < 3; ++i) {
        const S own = T[0] * stretched[i], turned = T[0] * rest * change[i] + rate * stretched[i];
        for (int j = 0; j < 3; ++j) {
          fibres(i, j) = f == 0 ? own * a[j] : fibres(i, j) + own * a[j];
          dfibres(i, j) = f == 0 ? turned * a[j] : dfibres(i, j) + turned * a[j];
        }
      }
    }
    for (int i = 0; i < 9; ++i) {
      P.e[i] = plain * F.e[i] + fibres.e[i];
      dP.e[i] = plain * dF.e[i] + further * F.e[i] + dfibres.e[i];
    }
  }

 private:
  /// Returns <E>; `family` = {k1, a}
  template <class S>
  GEARSHIFT_INLINE static S extension(const S* p, const S* family, const Tensor<S>& H) {
    const Tensor<S> E2 = twice_strain(H);
    const S* a = family + 1;
    S along(0.0);
    for (int i = 0; i < 3; ++i) along += a[i] * (E2(i, 0) * a[0] + E2(i, 1) * a[1] + E2(i, 2) * a[2]);
    const S E = p[2] * trace(E2) + (S(1.0) - S(3.0) * p[2]) * along;
    return where_positive(E, E, S(0.0));
  }
  /// Computes dW/dE and its slope; the slope is 0 if the fibres are not stretched.
  template <class S>
  GEARSHIFT_INLINE static void keep_family(const S* p, const S* family, const Tensor<S>& H, S* T) {
    const S E = extension(p, family, H), square = E * E;
    const S growth = family[0] * (S(1.0) + exp_minus_one(p[1] * square));
    T[0] = growth * E;
    T[1] = where_positive(E, growth * (S(1.0) + S(2.0) * p[1] * square), S(0.0));
  }
  /// Returns 2 A (kappa I + (1 - 3 kappa) a a'); for A = F this is dE/dF.
  template <class S>
  GEARSHIFT_INLINE static Tensor<S> gradient(const S* p, const S* a, const Tensor<S>& A) {
    const S spread = p[2] + p[2], rest = S(2.0) - S(3.0) * spread;
    Tensor<S> result;
    for (int i = 0; i < 3; ++i) {
      const S along = rest * (A(i, 0) * a[0] + A(i, 1) * a[1] + A(i, 2) * a[2]);
      for (int j = 0; j < 3; ++j) result(i, j) = spread * A(i, j) + along * a[j];
    }
    return result;
  }
};

using HolzapfelLaw = SplitLaw<FibrePart>;

}  // namespace GEARSHIFT_KERNELS

#ifdef GEARSHIFT_DESCRIBES_LAWS
inline void describe(LawDescription& law, HolzapfelLaw) {
  law.energy =
      "mu1/2 (Ibar1 - 3) + sum over families of k1 / (2 k2) (exp(k2 E+^2) - 1) + U(J), E = dispersion (Ibar1 - 3) + (1 "
      "- 3 dispersion) (a.Cbar a - 1), E+ = max(E, 0)";
  constexpr const char* alone = "has fibres";
  law.parameters = {{"mu1", "shear modulus of the matrix", stress, &Material::mu1},
                    {"k1", "modulus of fibres (tension only, no compression)", stress, &Material::k1, alone},
                    {"k2", "exponential stiffening coefficient of fibres", number, &Material::k2, alone},
                    {"dispersion", "dispersion of fibres around their direction, 0: none, 1/3: isotropic", number,
                     &Material::dispersion, alone},
                    bulk_modulus};
  constexpr auto direction = PointField::Kind::direction;
  law.fields = {{"fibre_1", "direction ax,ay,az of fibres at rest, of any length", direction,
                 [](const Material& m) -> const PointField& { return m.fibre_1; },
                 [](Material& m, PointField a) { m.fibre_1 = Direction(std::move(a)); }},
                {"fibre_2", "direction ax,ay,az of a second family of fibres, if there is one", direction,
                 [](const Material& m) -> const PointField& { return m.fibre_2; },
                 [](Material& m, PointField a) { m.fibre_2 = Direction(std::move(a)); }}};
  law.jumps = "fibres begin to carry load";
  law.numbers = [](const Material& m, std::span<const double> a) {
    const auto k1_of = [&](const Direction& fibre) { return fibre.given() ? m.k1 : 0; };
    return std::vector{m.mu1, m.k2, m.dispersion, k1_of(m.fibre_1), a[0], a[1], a[2], k1_of(m.fibre_2),
                       a[3],  a[4], a[5]};
  };
  law.shear = [](const Material& m) { return m.mu1; };
  law.example = [](Material& m) { m.k1 = 0.2, m.k2 = 0.5, m.fibre_1 = {"1,0.5,0"}, m.fibre_2 = {"1,-0.5,0"}; };
  law.check = [](const MaterialCheck& check) {
    const Material& m = check.material;
    if (!finite_positive(m.mu1)) check.refuse("mu1", m.mu1, "give the matrix a shear modulus > 0");
    if (!finite_positive(m.k1)) check.refuse("k1", m.k1, "give a modulus > 0 to the fibres");
    if (!std::isfinite(m.k2) || m.k2 < 0) check.refuse("k2", m.k2, "give a number >= 0");
    if (!(m.dispersion >= 0 && m.dispersion <= 1.0 / 3))
      check.refuse("dispersion", m.dispersion, "give a number from 0 (all fibres aligned) to 1/3 (isotropic)");
    if (!m.fibre_1.given())
      check.refuse("the number of fibre families", 0.0, "give a direction by fibre_1, and by fibre_2 for two");
  };
}
#endif

}  // namespace gearshift::solid
