#pragma once

#include "solid/material/completed.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {  // one copy for each instruction set

/// Rubber with a limit to its stretch: neo-Hooke, but stiffening without bound as I1 - 3 approaches Jm (A. Gent, Rubber
/// Chemistry and Technology 69, 1996),
///
///     W = -mu Jm / 2 ln(1 - (I1 - 3) / Jm) - mu ln J + lambda / 2 (ln J)^2.
///
/// With s = (I1 - 3) / Jm it is the neo-Hookean energy and mu Jm / 2 (-s - ln(1 - s)), which keeps its digits at small
/// strains. Beyond the limit everything is NaN, so that the step is rejected and a smaller one tried.
struct Gent {
  static constexpr const char* name = "gent";
  static constexpr const char* parameters[] = {"mu", "lambda", "Jm"};
  static constexpr bool needs_volume = true;

  template <class S>
  static S energy(const S* p, const Tensor<S>& H) {
    const S s = trace(twice_strain(H)) / p[2];
    return NeoHookeanLaw::energy(p, H) + 0.5 * p[0] * p[2] * log_remainder(-s);
  }

  /// P = P of neo-Hooke + mu s / (1 - s) F. Without this function the energy would be differentiated, with the same
  /// result, but more slowly.
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
