#pragma once

/// @file
/// The tangent of linear elasticity in Cartesian cells.

#include "solid/kernels/points/law_work.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class P>
struct TangentForm<LinearElasticLaw, true, P> {
  using Type = CartesianElasticTangent<P>;
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
