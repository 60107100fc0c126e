#pragma once

/// @file
/// The table of a law (law_table.hpp), built from its functions.

#include "solid/kernels/points/branches.hpp"
#include "solid/kernels/points/law_table.hpp"
#include "solid/kernels/points/tangents.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// The form of a law's tangent; laws with a special form define it in laws/<name>.hpp.
template <class Law, bool cartesian, class P>
struct TangentForm {
  using Type = LawTangent<Law, false, P>;
};
template <class Law, bool cartesian, class P>
requires(Law::caches_modulus&& objective<Law>) struct TangentForm<Law, cartesian, P> {
  using Type = SpatialTangent<Law, P>;
};
template <class Law, bool cartesian, class P>
requires(Law::caches_modulus && !objective<Law>) struct TangentForm<Law, cartesian, P> {
  using Type = CachedModulus<Law, P>;
};

template <class Law, bool cartesian, class P, class Data>
constexpr TangentWork<P, Data> make_tangent_work() {
  using Form = typename TangentForm<Law, cartesian, P>::Type;
  using General = typename TangentForm<Law, false, P>::Type;
  TangentWork<P, Data> work{tangent_at_points<Form, P, Data>, nullptr, modulus_at_point<General, P, Data>};
  if constexpr (General::point_size > 0) work.prepare = prepare_at_points<Law, General, P, Data>;
  return work;
}

/// Returns the entries that laws with and without branches share, in the form for one shape of cells or in the general
/// one.
template <class Law, bool cartesian>
constexpr LawKernels make_work(Lanes (*energy)(const Points<Lanes>&, const Batches<double>&)) {
  using Form = typename TangentForm<Law, cartesian, Lanes>::Type;
  using General = typename TangentForm<Law, false, Lanes>::Type;
  LawKernels work{};
  work.point_size = General::point_size;
  work.has_metric = General::has_metric;
  work.has_modes = Form::has_modes;
  work.stress = stress_at_points<Law, cartesian, Lanes>;
  if constexpr (twice_differentiable<Law>) work.second_derivative = second_derivative_at_points<Law, Lanes>;
  work.energy = energy;
  work.full = make_tangent_work<Law, cartesian, Lanes, double>();
  work.lean = make_tangent_work<Law, cartesian, Lanes, float>();
  work.single = make_tangent_work<Law, cartesian, SingleLanes, float>();
  return work;
}

/// Returns the table of a law with Maxwell branches, for cells of all shapes.
template <class Law>
constexpr LawKernels make_work_with_branches() {
  LawKernels work = make_work<MaxwellLaw<Law>, false>(energy_with_branches<Law, Lanes>);
  work.internal = internal_at_points<Law, Lanes>;
  work.dissipation = dissipation_at_points<Law, Lanes>;
  return work;
}

template <class Law>
struct WithBranches {
  static constexpr LawKernels work = make_work_with_branches<Law>();
};

template <class Law, bool cartesian>
constexpr LawKernels make_law_kernels() {
  LawKernels work = make_work < Law, cartesian && Law::has_cartesian_forms > (energy_at_points<Law, Lanes>);
  work.with_branches = &WithBranches<Law>::work;
  return work;
}
template <class Law>
constexpr OwnWork own_work{make_law_kernels<Law, false>(), make_law_kernels<Law, true>()};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
