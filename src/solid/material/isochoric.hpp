#pragma once

/// @file
/// The isochoric part of any hyperelastic law.

#include "solid/material/law_functions.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// True for laws of small strains, which do not distinguish stress measures.
template <class Law>
constexpr bool small_strains = [] {
  if constexpr (requires { Law::small_strains; })
    return Law::small_strains;
  else
    return false;
}();

/// Returns Hbar for H and j = J - 1, and J^-1/3 in `scale`.
template <class S>
GEARSHIFT_INLINE Tensor<S> without_volume(const Tensor<S>& H, const S& j, S& scale) {
  const S change = exp_minus_one(S(-1.0 / 3) * log_one_plus(j));
  scale = S(1.0) + change;
  Tensor<S> bar;
  for (int i = 0; i < 9; ++i) bar.e[i] = scale * H.e[i];
  for (int i = 0; i < 3; ++i) bar(i, i) += change;
  return bar;
}
/// Returns F^-T.
template <class S>
GEARSHIFT_INLINE Tensor<S> inverse_transposed(const Tensor<S>& H, const S& j) {
  Tensor<S> G = cofactors(plus_identity(H));
  const S scale = S(1.0) / (S(1.0) + j);
  for (S& number : G.e) number = scale * number;
  return G;
}

/// The isochoric part of a law W, which changes of volume do not affect; for finite strains
///     W_iso(F) = W(Fbar),   Fbar = J^-1/3 F = I + Hbar,   Hbar = (J^-1/3 - 1) I + J^-1/3 H,
///     P_iso = J^-1/3 Pbar - (Pbar : Fbar) F^-T / 3,   Pbar = dW/dF (Fbar),
/// and for small strains W_iso(H) = W(dev H). No 1 cancels at small strains.
/// (G. Holzapfel, Nonlinear Solid Mechanics, 2000, 6.4)
template <class Law>
struct Isochoric {
  static constexpr int prepared_count = 29 + prepared_size<Law>;

  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const Tensor<S>& H) {
    S scale;
    return Law::energy(p, without_volume(H, volume_change(H), scale));
  }
  /// Returns J - 1.
  template <class S>
  GEARSHIFT_INLINE static S stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    const S j = volume_change(H);
    S scale;
    const Tensor<S> bar = without_volume(H, j, scale), G = inverse_transposed(H, j);
    Tensor<S> Pbar;
    Law::stress(p, bar, Pbar);
    const S pull = S(1.0 / 3) * (trace(Pbar) + dot(Pbar, bar));
    for (int i = 0; i < 9; ++i) P.e[i] = scale * Pbar.e[i] - pull * G.e[i];
    return j;
  }
  /// Computes the second Piola-Kirchhoff stress F^-1 P_iso; returns J - 1.
  template <class S>
  GEARSHIFT_INLINE static S second_stress(const S* p, const Tensor<S>& H, Tensor<S>& second) {
    Tensor<S> P;
    const S j = stress(p, H, P);
    second = twice_symmetric(transposed_product(inverse_transposed(H, j), P));
    for (S& number : second.e) number = S(0.5) * number;
    return j;
  }
  template <class S>
  GEARSHIFT_INLINE static S prepare(const S* p, const Tensor<S>& H, S* T) {
    const S j = volume_change(H);
    S scale;
    const Tensor<S> bar = without_volume(H, j, scale), G = inverse_transposed(H, j);
    Tensor<S> Pbar;
    Law::stress(p, bar, Pbar);
    for (int i = 0; i < 9; ++i) {
      T[i] = bar.e[i];
      T[9 + i] = Pbar.e[i];
      T[18 + i] = G.e[i];
    }
    T[27] = scale;
    T[28] = S(1.0 / 3) * (trace(Pbar) + dot(Pbar, bar));
    Law::prepare(p, bar, T + 29);
    return j;
  }
  template <class S>
  GEARSHIFT_INLINE static void dstress(const S* p, const S* T, const Tensor<S>& dH, Tensor<S>& dP) {
    Tensor<S> bar, Pbar, G, dbar, dPbar;
    for (int i = 0; i < 9; ++i) {
      bar.e[i] = T[i];
      Pbar.e[i] = T[9 + i];
      G.e[i] = T[18 + i];
    }
    const S &scale = T[27], &pull = T[28];
    // d J^-1/3 = -J^-1/3 (F^-T : dH) / 3, and d F^-T = -F^-T dH' F^-T
    const S shrink = S(-1.0 / 3) * dot(G, dH);
    for (int i = 0; i < 9; ++i) dbar.e[i] = shrink * bar.e[i] + scale * dH.e[i];
    for (int i = 0; i < 3; ++i) dbar(i, i) += shrink;
    Law::dstress(p, T + 29, dbar, dPbar);
    const S dpull = S(1.0 / 3) * (trace(dPbar) + dot(dPbar, bar) + dot(Pbar, dbar));
    const Tensor<S> turned = product(G, transposed_product(dH, G));
    for (int i = 0; i < 9; ++i)
      dP.e[i] = scale * (shrink * Pbar.e[i] + dPbar.e[i]) - dpull * G.e[i] + pull * turned.e[i];
  }
};

template <class Law>
requires(small_strains<Law>) struct Isochoric<Law> {
  static constexpr int prepared_count = tangent_size;

  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const Tensor<S>& H) {
    return Law::energy(p, deviator(H));
  }
  template <class S>
  GEARSHIFT_INLINE static S stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    Law::stress(p, deviator(H), P);
    P = deviator(P);
    return S(0.0);
  }
  template <class S>
  GEARSHIFT_INLINE static S second_stress(const S* p, const Tensor<S>& H, Tensor<S>& second) {
    return stress(p, H, second);
  }
  template <class S>
  GEARSHIFT_INLINE static S prepare(const S*, const Tensor<S>&, S*) {
    return S(0.0);
  }
  template <class S>
  GEARSHIFT_INLINE static void dstress(const S* p, const S*, const Tensor<S>& dH, Tensor<S>& dP) {
    stress(p, dH, dP);
  }

 private:
  template <class S>
  GEARSHIFT_INLINE static Tensor<S> deviator(Tensor<S> A) {
    const S mean = S(1.0 / 3) * trace(A);
    for (int i = 0; i < 3; ++i) A(i, i) = A(i, i) - mean;
    return A;
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
