#pragma once

/// @file
/// How a Body's products run on the machine.

#include <gearshift/petsc/error.hpp>

#include <string>

namespace gearshift::solid {

/// One binary holds the kernels for several instruction sets; the widest that the machine has runs, unless the user
/// says otherwise.
struct KernelOptions {
  /// `-solid_simd`: auto, or sse2, avx2, avx512 (2, 4, 8 cells at a time); on ARM64 neon.
  std::string simd = "auto";
  /// `-solid_points float`: the tangent's data of quadrature points are kept in single precision, arithmetic stays in
  /// double. Products are faster and off by about 1e-7; residuals do not change.
  bool lean_points = false;
  /// `-solid_levels float`: the multigrid's matrix-free levels work in single precision, at twice the lanes and half the
  /// bytes. `double`: PETSc's PCMG in double throughout, with all its keys.
  bool single_levels = true;
};

/// Reads the keys above. Collective. OptionError for instruction sets that the machine lacks.
GEARSHIFT_EXPORT KernelOptions read_kernel_options(MPI_Comm comm);

}  // namespace gearshift::solid
