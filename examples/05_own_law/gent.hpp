#pragma once

#include "solid/material/completed.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {  // one copy for each instruction set

/// Rubber with limited extensibility: neo-Hookean at small stretch, and stiffening without bound as I1 - 3 approaches
/// Jm (A. Gent, Rubber Chemistry and Technology 69, 1996),
///
///     W = -mu Jm / 2 ln(1 - (I1 - 3) / Jm) - mu ln J + lambda / 2 (ln J)^2.
///
/// With s = (I1 - 3) / Jm this equals the neo-Hookean energy plus mu Jm / 2 (-s - ln(1 - s)), a form that avoids
/// cancellation at small strains. Beyond the limit all results are NaN, so that the step is rejected and repeated with
/// a smaller size.
struct Gent {
  static constexpr const char* name = "gent";
  static constexpr const char* parameters[] = {"mu", "lambda", "Jm"};
  static constexpr bool needs_volume = true;

  template <class S>
  static S energy(const S* p, const Tensor<S>& H) {
    const S s = trace(twice_strain(H)) / p[2];
    return NeoHookeanLaw::energy(p, H) + 0.5 * p[0] * p[2] * log_remainder(-s);
  }

  /// P = P of the neo-Hookean law + mu s / (1 - s) F. Without this function the library would differentiate the energy,
  /// with the same result but more slowly.
  template <class S>
  static void stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    NeoHookeanLaw::stress(p, H, P);
    const S s = trace(twice_strain(H)) / p[2], root = square_root(1.0 - s);  // NaN beyond the limit
    const S more = p[0] * s / (root * root);
    const Tensor<S> F = plus_identity(H);
    for (int i = 0; i < 9; ++i) P.e[i] += more * F.e[i];
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
