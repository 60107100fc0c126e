#pragma once

/// @file
/// What sweeps call at the points of a law, as a table: laws that are compiled elsewhere bring their own.

#include "solid/kernels/plasticity.hpp"
#include "solid/kernels/principal_tangent.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Tangents of vectors and arithmetic in packs P, with point data in the precision of Data.
template <class P, class Data>
struct TangentWork {
  void (*apply)(const Points<P>&, const Data*);
  void (*prepare)(const Points<P>&, Data*);  ///< null: there are no point data
  void (*modulus)(const Points<P>&, const Data*, int q, P* A);
};

/// One law in the cells of one shape.
struct LawWork {
  int point_size;   ///< numbers a point and lane that prepare writes
  bool has_metric;  ///< whether tangents read the metric of the cells, which Batches then holds
  bool has_modes;   ///< whether the tangent is a CartesianElasticTangent, which ModeSweeps apply
  void (*stress)(const Points<Lanes>&);
  /// Null of laws that have none; nobody asks for it where there are internal variables.
  void (*second_derivative)(const Points<Lanes>&, const Points<Lanes>&, const Points<Lanes>&);
  Lanes (*energy)(const Points<Lanes>&, const Batches<double>&);
  TangentWork<Lanes, double> full;
  TangentWork<Lanes, float> lean;
  TangentWork<SingleLanes, float> single;
  const LawWork* with_branches;  ///< the law with Maxwell branches; of that itself null
  // Of laws with internal variables alone, null where they have nothing to say; as in branches.hpp, plasticity.hpp.
  void (*internal)(const Points<Lanes>&, int used, double* z);
  Lanes (*dissipation)(const Points<Lanes>& at, const Points<Lanes>& along, const Batches<double>&);
  Lanes (*dissipated)(const Points<Lanes>&, const Batches<double>&);

  template <class P, class Data>
  const TangentWork<P, Data>& tangent() const {
    if constexpr (P::width == single_lanes)
      return single;
    else if constexpr (sizeof(Data) == sizeof(float))
      return lean;
    else
      return full;
  }
};

/// The form of a law's tangent.
template <class Law, bool cartesian, class P>
struct TangentForm {
  using Type = LawTangent<Law, false, P>;
};
template <class P>
struct TangentForm<LinearElasticLaw, true, P> {
  using Type = CartesianElasticTangent<P>;
};
template <bool cartesian, class P>
struct TangentForm<NeoHookeanLaw, cartesian, P> {
  using Type = NeoHookeanTangent<cartesian, P>;
};
template <bool cartesian, class P>
struct TangentForm<OgdenLaw, cartesian, P> {
  using Type = PrincipalTangent<P>;
};
template <class Law, bool cartesian, class P>
requires(Law::caches_modulus) struct TangentForm<Law, cartesian, P> {
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

/// Laws whose tangent's derivative dual numbers find: where plastic flow begins there is none, and eigenvectors have none
/// where stretches are equal, as in the undeformed body.
template <class Law>
constexpr bool differentiable = true;
template <>
inline constexpr bool differentiable<J2Law> = false;
template <>
inline constexpr bool differentiable<OgdenLaw> = false;
template <>
inline constexpr bool differentiable<MaxwellLaw<OgdenLaw>> = false;

/// What a law with or without branches has in common, in its forms for one shape of cells or in the general ones.
template <class Law, bool cartesian>
constexpr LawWork make_work(Lanes (*energy)(const Points<Lanes>&, const Batches<double>&)) {
  using Form = typename TangentForm<Law, cartesian, Lanes>::Type;
  using General = typename TangentForm<Law, false, Lanes>::Type;
  LawWork work{};
  work.point_size = General::point_size;
  work.has_metric = General::has_metric;
  work.has_modes = Form::has_modes;
  work.stress = stress_at_points<Law, cartesian, Lanes>;
  if constexpr (differentiable<Law>) work.second_derivative = second_derivative_at_points<Law, Lanes>;
  work.energy = energy;
  work.full = make_tangent_work<Law, cartesian, Lanes, double>();
  work.lean = make_tangent_work<Law, cartesian, Lanes, float>();
  work.single = make_tangent_work<Law, cartesian, SingleLanes, float>();
  return work;
}

/// A law with Maxwell branches, in cells of all shapes.
template <class Law>
constexpr LawWork make_work_with_branches() {
  LawWork work = make_work<MaxwellLaw<Law>, false>(energy_with_branches<Law, Lanes>);
  work.internal = internal_at_points<Law, Lanes>;
  work.dissipation = dissipation_at_points<Law, Lanes>;
  return work;
}

template <class Law>
struct WithBranches {
  static constexpr LawWork work = make_work_with_branches<Law>();
};

/// J2 plasticity, in cells of all shapes.
constexpr LawWork make_plastic_work() {
  LawWork work = make_work<J2Law, false>(elastic_energy_at_points<Lanes>);
  work.internal = plastic_flow_at_points<Lanes>;
  work.dissipated = plastic_work_at_points<Lanes>;
  return work;
}

template <class Law, bool cartesian>
constexpr LawWork make_law_work() {
  LawWork work = make_work < Law, cartesian && Law::has_cartesian_forms > (energy_at_points<Law, Lanes>);
  work.with_branches = &WithBranches<Law>::work;
  return work;
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
