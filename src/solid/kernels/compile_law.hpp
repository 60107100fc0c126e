#pragma once

/// @file
/// A user's law as a CompiledLaw of this file's instruction set.

#include <gearshift/solid/compiled_law.hpp>

#include "solid/kernels/law_work.hpp"
#include "solid/material/completed.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class Law>
struct OwnLaw {
  static constexpr LawKernels work = make_law_kernels<Completed<Law>, false>();

  /// From the stress of a small stretch along the first direction: lambda + 2 mu there, lambda across.
  static void lame(const double* p, double* result) {
    const Tensor<double> none{};
    Tensor<double> stretch{}, stress;
    stretch(0, 0) = 1;
    double T[tangent_size] = {};
    Completed<Law>::prepare(p, none, T);
    Completed<Law>::dstress(p, T, stretch, stress);
    result[0] = stress(1, 1);
    result[1] = (stress(0, 0) - stress(1, 1)) / 2;
  }

  static constexpr CompiledLaw compiled() {
    static_assert(Completed<Law>::parameter_count <= CompiledLaw::max_parameters, "a law has 8 parameters at most");
    CompiledLaw result;
    result.made_for = CompiledLaw::interface;
    result.simd = GEARSHIFT_KERNELS_NAME;
    result.name = Law::name;
    result.parameters = Completed<Law>::parameter_count;
    for (int i = 0; i < result.parameters; ++i) result.parameter_names[i] = Law::parameters[i];
    result.point_size = work.point_size;
    result.lame = lame;
    result.work = &work;
    return result;
  }
};

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
