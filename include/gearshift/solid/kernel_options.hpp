#pragma once

/// @file
/// Use of the processor by the operator products of a Body.

#include <gearshift/petsc/error.hpp>

#include <string>

namespace gearshift::solid {

/// Options of the kernels. One binary holds them for several instruction sets; the widest set that the machine supports
/// is used, unless the user chooses another.
struct KernelOptions {
  /// `-solid_simd`: auto, or sse2, avx2, avx512 (2, 4, 8 cells at a time); neon on ARM64.
  std::string simd = "auto";
  /// `-solid_points float`: the tangent's data at quadrature points are stored in single precision; arithmetic stays in
  /// double. Products are faster and have errors of about 1e-7; residuals do not change.
  bool lean_points = false;
  /// `-solid_levels float`: the matrix-free levels of the multigrid work in single precision, with twice the number of
  /// lanes and half the memory. `double`: in double precision, to compare.
  bool single_levels = true;
};

/// Reads the options above. Collective. OptionError for an instruction set that the machine does not support.
GEARSHIFT_EXPORT KernelOptions read_kernel_options(MPI_Comm comm);

}  // namespace gearshift::solid
