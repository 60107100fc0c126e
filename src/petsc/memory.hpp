#pragma once

/// @file
/// Memory of this process as the operating system counts it.

#include <gearshift/petsc/error.hpp>

namespace gearshift::petsc {

/// Memory of the process, in bytes.
struct Memory {
  double resident;  ///< in memory now
  double peak;      ///< maximum since the start of the process or the last restart_memory_peak()
};

/// Returns the memory in use; NaN if the system has no /proc/self/status. Not collective.
GEARSHIFT_EXPORT Memory process_memory();

/// Resets Memory::peak to the present resident memory; returns false if the system does not allow it. Not collective.
GEARSHIFT_EXPORT bool restart_memory_peak();

/// Returns freed memory that the C library keeps to the system. Not collective.
GEARSHIFT_EXPORT void trim_memory();

}  // namespace gearshift::petsc
