#pragma once

#include "solid/material/completed.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {  // one copy for each instruction set

/// Rubber whose chains end: neo-Hooke with a stretch that cannot be reached, where I1 - 3 = Jm (A. Gent, Rubber
/// Chemistry and Technology 69, 1996),
///
///     W = -mu Jm / 2 ln(1 - (I1 - 3) / Jm) - mu ln J + lambda / 2 (ln J)^2.
///
/// With s = (I1 - 3) / Jm it is the neo-Hookean energy and mu Jm / 2 (-s - ln(1 - s)), which keeps its digits at small
/// strains. Beyond the last stretch all is NaN: the step is
/// rejected and a smaller one tried.
struct Gent {
  static constexpr const char* name = "gent";
  static constexpr const char* parameters[] = {"mu", "lambda", "Jm"};
  static constexpr bool needs_volume = true;

  template <class S>
  static S energy(const S* p, const Tensor<S>& H) {
    const S s = trace(twice_strain(H)) / p[2];
    return NeoHookeanLaw::energy(p, H) + 0.5 * p[0] * p[2] * log_remainder(-s);
  }

  /// P = P of neo-Hooke + mu s / (1 - s) F. Without this function the energy would be differentiated: the same numbers,
  /// slower.
  template <class S>
  static void stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    NeoHookeanLaw::stress(p, H, P);
    const S s = trace(twice_strain(H)) / p[2], root = square_root(1.0 - s);  // NaN beyond the last stretch
    const S more = p[0] * s / (root * root);
    const Tensor<S> F = plus_identity(H);
    for (int i = 0; i < 9; ++i) P.e[i] += more * F.e[i];
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
