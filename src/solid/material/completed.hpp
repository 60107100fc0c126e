#pragma once

/// @file
/// Completes a law: functions that kernels need and the law does not define are derived from its stress or its energy.

// Laws on which user-defined laws build.
#include "solid/material/laws/linear_elastic.hpp"
#include "solid/material/laws/mooney_rivlin.hpp"
#include "solid/material/laws/st_venant_kirchhoff.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// A user-defined law has
///   name                         as in options
///   parameters[]                 names of its parameters, as in options; p has them in this order
///   needs_volume                 true if J = det F > 0 is needed
///   energy(p, H)                 W
/// and optionally, only for speed:
///   stress(p, H, P)              P = dW/dF
///   prepare(p, H, T), dstress(p, T, dH, dP)   as in law_functions.hpp; both or neither
///   caches_modulus               true if the tangent keeps the modulus; default: true if dstress is missing
/// All are templates of the scalar type. Missing functions are computed by differentiation with dual numbers, exactly.
template <class Law>
struct Completed {
  static constexpr int parameter_count = sizeof(Law::parameters) / sizeof(Law::parameters[0]);
  static constexpr bool stores = true, needs_volume = Law::needs_volume, shares_logarithm = false,
                        has_cartesian_forms = false, objective = false;
  static constexpr bool has_stress = requires(const double* p, const Tensor<double>& H, Tensor<double>& P) {
    Law::stress(p, H, P);
  };
  static constexpr bool has_dstress =
      requires(const double* p, const double* T, const Tensor<double>& H, Tensor<double>& P) {
    Law::dstress(p, T, H, P);
  };
  static constexpr bool caches_modulus = [] {
    if constexpr (requires { Law::caches_modulus; })
      return Law::caches_modulus;
    else
      return !has_dstress;
  }();

  template <class S>
  GEARSHIFT_INLINE static S energy(const S* p, const Tensor<S>& H) {
    return Law::energy(p, H);
  }
  template <class S>
  GEARSHIFT_INLINE static S stress(const S* p, const Tensor<S>& H, Tensor<S>& P) {
    if constexpr (has_stress) {
      Law::stress(p, H, P);
    } else {
      Dual<S> q[parameter_count];
      for (int i = 0; i < parameter_count; ++i) q[i] = {p[i], S(0.0)};
      for (int unit = 0; unit < 9; ++unit) {
        Tensor<Dual<S>> G;
        for (int i = 0; i < 9; ++i) G.e[i] = {H.e[i], S(i == unit ? 1.0 : 0.0)};
        P.e[unit] = Law::energy(q, G).d;
      }
    }
    return change(H);
  }
  template <class S>
  GEARSHIFT_INLINE static S prepare(const S* p, const Tensor<S>& H, S* T) {
    if constexpr (has_dstress)
      Law::prepare(p, H, T);
    else
      for (int i = 0; i < 9; ++i) T[i] = H.e[i];
    return change(H);
  }
  template <class S>
  GEARSHIFT_INLINE static void dstress(const S* p, const S* T, const Tensor<S>& dH, Tensor<S>& dP) {
    if constexpr (has_dstress) {
      Law::dstress(p, T, dH, dP);
    } else {
      Dual<S> q[parameter_count];
      for (int i = 0; i < parameter_count; ++i) q[i] = {p[i], S(0.0)};
      Tensor<Dual<S>> H, P;
      for (int i = 0; i < 9; ++i) H.e[i] = {T[i], dH.e[i]};
      stress(q, H, P);
      for (int i = 0; i < 9; ++i) dP.e[i] = P.e[i].d;
    }
  }

 private:
  /// Returns J - 1 if it is needed, otherwise 0.
  template <class S>
  GEARSHIFT_INLINE static S change(const Tensor<S>& H) {
    if constexpr (needs_volume)
      return volume_change(H);
    else
      return S(0.0);
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
