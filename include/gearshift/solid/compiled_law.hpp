#pragma once

/// @file
/// The interface between a user's compiled law and the library; it consists of plain numbers and pointers.

#include <gearshift/export.hpp>

namespace gearshift::solid {

/// A law compiled for one instruction set by `gearshift_add_law()` of the CMake package.
struct CompiledLaw {
  static constexpr int interface = 5;  ///< version number; changes whenever the type behind `work` changes
  static constexpr int max_parameters = 8;

  int made_for = 0;            ///< `interface` of the headers it was compiled with
  const char* simd = nullptr;  ///< instruction set: sse2, avx2, avx512, neon
  const char* name = nullptr;  ///< the name used in options
  int parameters = 0;
  const char* parameter_names[max_parameters] = {};
  int point_size = 0;  ///< number of values that the tangent stores per quadrature point
  /// Computes Lame's lambda and mu at small strains, {lambda, mu}.
  void (*lame)(const double* p, double* result) = nullptr;
  const void* work = nullptr;  ///< LawKernels of that instruction set
};

}  // namespace gearshift::solid
