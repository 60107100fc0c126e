#pragma once

/// @file
/// The functions of laws at a point, of H = grad u, for any scalar type (double, Lanes, Dual of either). Each law of the library
/// stands in laws/<its name>.hpp, and in the list of gearshift/solid/law_list.hpp.
///
/// Each law has
///   energy(p, H)           W
///   stress(p, H, P)        P = dW/dF; returns J - 1 (0 for laws that need no J > 0)
///   prepare(p, H, T)       what dstress needs of the point, prepared_size<Law> numbers; returns J - 1 alike
///   dstress(p, T, dH, dP)  dP = d2W/dF2 : dH
///   parameter_count        how many p has
///   stores                 whether prepare writes anything
///   needs_volume           whether J > 0 is needed
///   shares_logarithm       whether stress takes J - 1 and ln J from its caller, who hides their latency
///   has_cartesian_forms    whether Cartesian cells have work at points of their own
///   caches_modulus         whether the tangent keeps the whole modulus of a point (CachedModulus)
/// and, where they are not the usual ones,
///   prepared_count         the numbers that prepare writes, if they are more than tangent_size
///   twice_differentiable   false where dual numbers cannot differentiate the tangent: where plastic flow begins there is no
///                          derivative, nor have eigenvectors one where stretches are equal, as in the undeformed body
/// A law of the library also has, seen by the list of laws alone (GEARSHIFT_DESCRIBES_LAWS),
///   describe(description, law)   what else there is to know of it (law_description.hpp)
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
constexpr bool twice_differentiable = [] {
  if constexpr (requires { Law::twice_differentiable; })
    return Law::twice_differentiable;
  else
    return true;
}();

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
