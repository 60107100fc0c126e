#pragma once

/// @file
/// A user-defined law as a CompiledLaw for the instruction set of this file.

#include <gearshift/solid/compiled_law.hpp>

#include "solid/kernels/points/law_work.hpp"
#include "solid/material/completed.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class Law>
struct OwnLaw {
  static constexpr LawKernels work = make_law_kernels<Completed<Law>, false>();

  /// Computes the moduli from the stress of a small stretch along the first direction: the stress is lambda + 2 mu in
  /// that direction and lambda across it.
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
    static_assert(Completed<Law>::parameter_count <= CompiledLaw::max_parameters, "a law can have up to 8 parameters");
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
