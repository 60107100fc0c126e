#pragma once

/// @file
/// The neo-Hookean law as users write it, with different degrees of completeness.

#include "solid/material/completed.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Only the energy: the rest is differentiated, and the tangent stores the modulus.
struct NeoByEnergy {
  static constexpr const char* name = "neo_by_energy";
  static constexpr const char* parameters[] = {"mu", "lambda"};
  static constexpr bool needs_volume = true;
  template <class S>
  static S energy(const S* p, const Tensor<S>& H) {
    return NeoHookeanLaw::energy(p, H);
  }
};

/// Energy and stress: every product differentiates the stress. The parameters are in another order, after unused ones.
struct NeoByStress {
  static constexpr const char* name = "neo_by_stress";
  static constexpr const char* parameters[] = {"a", "b", "c", "lambda", "mu"};
  static constexpr bool needs_volume = true, caches_modulus = false;
  template <class S>
  static S energy(const S* p, const Tensor<S>& H) {
    const S q[] = {p[4], p[3]};
    return NeoHookeanLaw::energy(q, H);
  }
  template <class S>
  static void stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    const S q[] = {p[4], p[3]};
    NeoHookeanLaw::stress(q, H, P);
  }
};

/// All functions by hand.
struct NeoWhole {
  static constexpr const char* name = "neo_whole";
  static constexpr const char* parameters[] = {"mu", "lambda"};
  static constexpr bool needs_volume = true;
  template <class S>
  static S energy(const S* p, const Tensor<S>& H) {
    return NeoHookeanLaw::energy(p, H);
  }
  template <class S>
  static void stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    NeoHookeanLaw::stress(p, H, P);
  }
  template <class S>
  static void prepare(const S* p, const Tensor<S>& H, S* T) {
    NeoHookeanLaw::prepare(p, H, T);
  }
  template <class S>
  static void dstress(const S* p, const S* T, const Tensor<S>& dH, Tensor<S>& dP) {
    NeoHookeanLaw::dstress(p, T, dH, dP);
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
