#pragma once

/// @file
/// The functions of a law that sweeps call at the points, as a table: each law is compiled separately, those of the
/// library (laws/) as well as user-defined ones.

#include "solid/kernels/points/points.hpp"
#include "solid/material/law_count.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// Tangents of vectors and arithmetic in packs P, with point data in the precision of Data.
template <class P, class Data>
struct TangentWork {
  void (*apply)(const Points<P>&, const Data*);
  void (*prepare)(const Points<P>&, Data*);  ///< null if there are no point data
  void (*modulus)(const Points<P>&, const Data*, int q, P* A);
};

/// One law in the cells of one shape.
struct LawKernels {
  int point_size;   ///< number of values that `prepare` writes per point and lane
  bool has_metric;  ///< true if tangents read the metric of the cells; Batches then holds it
  bool has_modes;   ///< true if the tangent is a CartesianElasticTangent, applied by ModeSweeps
  void (*stress)(const Points<Lanes>&);
  /// Null for laws that do not have one; never called for cells with internal variables.
  void (*second_derivative)(const Points<Lanes>&, const Points<Lanes>&, const Points<Lanes>&);
  Lanes (*energy)(const Points<Lanes>&, const Batches<double>&);
  TangentWork<Lanes, double> full;
  TangentWork<Lanes, float> lean;
  TangentWork<SingleLanes, float> single;
  const LawKernels* with_branches;  ///< the law with Maxwell branches; null for such a law itself
  // Only for laws with internal variables, null if a law does not need them; see branches.hpp, laws/j2.hpp.
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

/// A law of the library in general and in Cartesian cells.
struct OwnWork {
  LawKernels general, cartesian;
};
#define GEARSHIFT_DECLARE_WORK(name, functions) extern const OwnWork name;
GEARSHIFT_LAWS(GEARSHIFT_DECLARE_WORK)
#undef GEARSHIFT_DECLARE_WORK
/// The laws of the library in the order of Law.
extern const OwnWork* const own_laws[own_law_count];

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
