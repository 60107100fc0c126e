#pragma once

/// @file
/// The performance limits of the machine.

#include <mpi.h>

#include <string>

namespace gearshift::bench {

/// Limits of all ranks together.
struct Machine {
  double triad = 0;  ///< bytes per second of x = y + s z on arrays larger than the caches (24 bytes per entry)
  double peak = 0;   ///< double operations per second of independent multiply-adds with the vector width of the kernels
};

/// Measures both limits. Collective.
/// @param simd name of the kernels, see KernelOptions
Machine measure_machine(MPI_Comm comm, const std::string& simd, int repeat);

}  // namespace gearshift::bench
