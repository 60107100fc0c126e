#pragma once

/// @file
/// The machine's limits.

#include <mpi.h>

#include <string>

namespace gearshift::bench {

/// All ranks together.
struct Machine {
  double triad = 0;  ///< bytes a second of x = y + s z on arrays beyond the caches (24 bytes an entry)
  double peak = 0;   ///< double operations a second of independent multiply-adds at the kernels' width
};

/// @param simd name of the kernels, see KernelOptions. Collective.
Machine measure_machine(MPI_Comm comm, const std::string& simd, int repeat);

}  // namespace gearshift::bench
