#pragma once

/// @file
/// How many numbers of a quadrature point a law's prepare() writes.

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

constexpr int tangent_size = 10;

/// The number of values that prepare writes; laws that write more than `tangent_size` numbers have a `prepared_count`.
template <class Law>
constexpr int prepared_size = [] {
  if constexpr (requires { Law::prepared_count; })
    return Law::prepared_count;
  else
    return tangent_size;
}();

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
