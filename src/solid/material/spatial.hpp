#pragma once

/// @file
/// Stress and modulus of objective laws in the current configuration.

#include "solid/material/isochoric.hpp"
#include "solid/numerics/symmetric.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Computes the Kirchhoff stress tau = P F' and the modulus c of a law, with h = dF F^-1 and d = (h + h') / 2:
///     dP F' = c : d + h tau.
/// A law may define moduli(p, H, tau, c) itself; otherwise its tangent along the six symmetric h gives c. Laws of small
/// strains have F = I and tau = 0. (J. Bonet, R. Wood, Nonlinear Continuum Mechanics, 6.3)
template <class Law, class S>
GEARSHIFT_INLINE void spatial_moduli(const S* p, const Tensor<S>& H, Symmetric<S>& tau, SymmetricMap<S>& c) {
  if constexpr (requires { Law::moduli(p, H, tau, c); }) {
    Law::moduli(p, H, tau, c);
  } else {
    S T[prepared_size<Law>];
    for (S& number : T) number = S(0.0);
    Law::prepare(p, H, T);
    Tensor<S> F{}, P;
    for (int i = 0; i < 9; ++i) F.e[i] = small_strains<Law> ? S(0.0) : H.e[i];
    F = plus_identity(F);
    if constexpr (small_strains<Law>) {
      for (S& number : tau.e) number = S(0.0);
    } else {
      Law::stress(p, H, P);
      tau = symmetric_product(P, F);
    }
    for (int e = 0; e < 6; ++e) {
      const int k = symmetric_row[e], l = symmetric_column[e];
      Tensor<S> dF, dP;
      for (S& number : dF.e) number = S(0.0);
      for (int i = 0; i < 3; ++i) {  // d F and d tau for d = (e_k e_l' + e_l e_k') / 2
        dF(k, i) += S(0.5) * F(l, i);
        dF(l, i) += S(0.5) * F(k, i);
      }
      Law::dstress(p, T, dF, dP);
      Symmetric<S> column = symmetric_product(dP, F);
      for (int f = 0; f <= e; ++f) {
        const int i = symmetric_row[f], j = symmetric_column[f];
        if (i == k) column.e[f] = column.e[f] - S(0.5) * tau(l, j);
        if (i == l) column.e[f] = column.e[f] - S(0.5) * tau(k, j);
        c(f, e) = column.e[f];
      }
    }
  }
}

/// Returns dxi/dx for K = dxi/dX.
template <class S>
GEARSHIFT_INLINE Tensor<S> current_geometry(const Tensor<S>& K, const Tensor<S>& H, const S& j) {
  const Tensor<S> G = inverse_transposed(H, j);
  Tensor<S> result;
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i) result(a, i) = K(a, 0) * G(i, 0) + K(a, 1) * G(i, 1) + K(a, 2) * G(i, 2);
  return result;
}

/// Replaces tau and c of a law at Fbar by those of its isochoric part at F: with the projection D to deviators,
///     tau_iso = D tau,   c_iso = D (c + 2/3 (tr tau) I) D - 2/3 (I tau_iso + tau_iso I).
/// (G. Holzapfel, Nonlinear Solid Mechanics, 2000, 6.6)
template <class S>
GEARSHIFT_INLINE void make_isochoric(Symmetric<S>& tau, SymmetricMap<S>& c) {
  constexpr int diagonal[] = {0, 3, 5}, others[] = {1, 2, 4};
  const S mean = S(1.0 / 3) * trace(tau);
  for (const int a : diagonal) tau.e[a] = tau.e[a] - mean;
  for (int a = 0; a < 6; ++a) c(a, a) += symmetric_row[a] == symmetric_column[a] ? S(2.0) * mean : mean;
  S means[6], all(0.0);
  for (int a = 0; a < 6; ++a) means[a] = S(1.0 / 3) * (c(0, a) + c(3, a) + c(5, a));
  for (const int a : diagonal) all += S(1.0 / 3) * means[a];
  for (const int a : diagonal) {
    const auto reduce = [&](int b, const S& share) __attribute__((always_inline)) {
      c(a, b) = c(a, b) - share - S(2.0 / 3) * tau.e[b];
    };
    for (const int b : others) reduce(b, means[b]);
    for (const int b : diagonal)
      if (b >= a) reduce(b, means[a] + means[b] - all + S(2.0 / 3) * tau.e[a]);
  }
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
