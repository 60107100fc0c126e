#pragma once

/// @file
/// The functions of laws at a point. They depend on H = grad u and work with any scalar type (double, Lanes, Dual of
/// either). Each law of the library is defined in laws/<its name>.hpp and listed in gearshift/solid/law_list.hpp.
///
/// Each law has
///   energy(p, H)           W
///   stress(p, H, P)        P = dW/dF; returns J - 1 (0 for laws that need no J > 0)
///   prepare(p, H, T)       values that dstress needs at the point, prepared_size<Law> numbers; also returns J - 1
///   dstress(p, T, dH, dP)  dP = d2W/dF2 : dH
///   parameter_count        number of entries of p
///   stores                 true if prepare writes anything
///   needs_volume           true if J > 0 is needed
///   shares_logarithm       true if stress receives J - 1 and ln J from its caller, which hides their latency
///   has_cartesian_forms    true if the law has its own work at points for Cartesian cells
///   caches_modulus         true if the tangent keeps the whole modulus of a point (SpatialTangent, CachedModulus)
/// and, if they differ from the defaults,
///   prepared_count         the numbers that prepare writes, if they are more than tangent_size
///   twice_differentiable   false if dual numbers cannot differentiate the tangent: it has no derivative at the onset
///                          of plastic flow, and eigenvectors have none at equal stretches, as in the undeformed body
///   in_pairs               true if stress is a long chain of operations, worth computing at two points at once
///   objective              false if W may depend on rotations, which only user-defined laws can
///   moduli                 stress and modulus in the current configuration (spatial.hpp); then a law whose tangent
///                          keeps the modulus needs neither prepare nor dstress
/// A law of the library also has, visible only to the list of laws (GEARSHIFT_DESCRIBES_LAWS),
///   describe(description, law)   its other properties (law_description.hpp)
/// All forms keep full relative accuracy at small strains: they start from C - I and J - 1 as polynomials in H.
/// (The idea: Shakeri et al., stable formulations for libCEED/Ratel, 2024.)

#include "solid/numerics/tensor.hpp"

#ifdef GEARSHIFT_DESCRIBES_LAWS
#include "solid/material/law_description.hpp"
#endif

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

constexpr int tangent_size = 10;

/// The number of values that prepare writes.
template <class Law>
constexpr int prepared_size = [] {
  if constexpr (requires { Law::prepared_count; })
    return Law::prepared_count;
  else
    return tangent_size;
}();

template <class Law>
constexpr bool in_pairs = [] {
  if constexpr (requires { Law::in_pairs; })
    return Law::in_pairs;
  else
    return false;
}();

template <class Law>
constexpr bool objective = [] {
  if constexpr (requires { Law::objective; })
    return Law::objective;
  else
    return true;
}();

template <class Law>
constexpr bool twice_differentiable = [] {
  if constexpr (requires { Law::twice_differentiable; })
    return Law::twice_differentiable;
  else
    return true;
}();

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
