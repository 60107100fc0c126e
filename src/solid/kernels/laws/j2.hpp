#pragma once

/// @file
/// J2 plasticity at quadrature points: its history is stored where Maxwell branches would be, one tensor per point.

#include "solid/kernels/points/law_work.hpp"
#include "solid/material/laws/j2.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class P>
struct Parameters<J2Law, P> {
  P p[J2Law::parameter_count];
  BatchBranches<P> history;
  GEARSHIFT_INLINE explicit Parameters(const Points<P>& points) : history(points) {
    for (int i = 0; i < J2Law::own_count; ++i) p[i] = points.parameter(i);
    p[J2Law::flows] = P(points.branches->rate < __builtin_inf() ? 1.0 : 0.0);
  }
  GEARSHIFT_INLINE void move_to(const Points<P>& points, int q) {
    history.base(0, points.first + q, p + J2Law::history);
  }
};

/// Computes z = {E_p, alpha} after the step.
template <class P>
void plastic_flow_at_points(const Points<P>& points, int used, double* z) {
  Parameters<J2Law, P> parameters(points);
  InversionCheck<P> check;
  for (int q = 0; q < points.count; ++q) {
    const Geometry<P, false> geometry(points, q);
    P values[6];
    parameters.move_to(points, q);
    check.note(q, J2Law::advance(parameters.p, geometry.gradient(points.slopes_at(q)), values));
    for (int e = 0; e < 6; ++e)
      for (int l = 0; l < used; ++l) z[parameters.history.at(0, points.first + q, l) + e] = values[e].v[l];
  }
  check.finish(points);
}

template <class P>
P elastic_energy_at_points(const Points<P>& points, const Batches<typename P::Scalar>& b) {
  Parameters<J2Law, P> parameters(points);
  P sum(0.0);
  for (int q = 0; q < points.count; ++q) {
    const Geometry<P, false> geometry(points, q);
    parameters.move_to(points, q);
    sum += P(b.point_weights[points.first + q]) * geometry.det *
           J2Law::energy(parameters.p, geometry.gradient(points.slopes_at(q)));
  }
  return sum;
}

/// Returns the plastic work done so far.
template <class P>
P plastic_work_at_points(const Points<P>& points, const Batches<typename P::Scalar>& b) {
  Parameters<J2Law, P> parameters(points);
  P sum(0.0);
  for (int q = 0; q < points.count; ++q) {
    const Geometry<P, false> geometry(points, q);
    P values[6];
    parameters.move_to(points, q);
    values[5] = parameters.p[J2Law::history + 5];
    if (any_positive(parameters.p[J2Law::flows]))
      J2Law::advance(parameters.p, geometry.gradient(points.slopes_at(q)), values);
    sum += P(b.point_weights[points.first + q]) * geometry.det * J2Law::plastic_work(parameters.p, values[5]);
  }
  return sum;
}

/// Returns the table for cells of all shapes.
constexpr LawKernels make_plastic_work() {
  LawKernels work = make_work<J2Law, false>(elastic_energy_at_points<Lanes>);
  work.internal = plastic_flow_at_points<Lanes>;
  work.dissipated = plastic_work_at_points<Lanes>;
  return work;
}
template <>
inline constexpr OwnWork own_work<J2Law>{make_plastic_work(), make_plastic_work()};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
