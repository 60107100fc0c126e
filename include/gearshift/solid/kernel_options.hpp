#pragma once

/// @file
/// How a Body's operator products use the processor.

#include <gearshift/petsc/error.hpp>

#include <string>

namespace gearshift::solid {

/// One binary holds the kernels for several instruction sets; the widest one that the machine has is used, unless the
/// user chooses another.
struct KernelOptions {
  /// `-solid_simd`: auto, or sse2, avx2, avx512 (2, 4, 8 cells at a time); on ARM64 neon.
  std::string simd = "auto";
  /// `-solid_points float`: the tangent's data at quadrature points are stored in single precision; arithmetic stays in
  /// double. Products are faster and have errors of about 1e-7; residuals do not change.
  bool lean_points = false;
  /// `-solid_levels float`: the multigrid's matrix-free levels work in single precision, with twice the lanes and half
  /// the memory. `double`: PETSc's PCMG in double throughout, with all its keys.
  bool single_levels = true;
};

/// Reads the keys above. Collective. OptionError for instruction sets that the machine lacks.
GEARSHIFT_EXPORT KernelOptions read_kernel_options(MPI_Comm comm);

}  // namespace gearshift::solid
