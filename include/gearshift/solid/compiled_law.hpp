#pragma once

/// @file
/// The interface between a user's compiled law and the library: plain numbers and pointers.

#include <gearshift/export.hpp>

namespace gearshift::solid {

/// A law compiled for one instruction set, as `gearshift_add_law()` of the CMake package makes it.
struct CompiledLaw {
  static constexpr int interface = 5;  ///< changes with what `work` points to
  static constexpr int max_parameters = 8;

  int made_for = 0;            ///< `interface` of the headers it was compiled with
  const char* simd = nullptr;  ///< instruction set: sse2, avx2, avx512, neon
  const char* name = nullptr;  ///< as in options
  int parameters = 0;
  const char* parameter_names[max_parameters] = {};
  int point_size = 0;  ///< numbers that the tangent stores per quadrature point
  /// Lame's lambda and mu at small strains, {lambda, mu}.
  void (*lame)(const double* p, double* result) = nullptr;
  const void* work = nullptr;  ///< LawKernels of that instruction set
};

}  // namespace gearshift::solid
