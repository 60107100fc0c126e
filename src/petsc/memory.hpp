#pragma once

/// @file
/// Memory of this process as the operating system counts it.

#include <gearshift/petsc/error.hpp>

namespace gearshift::petsc {

/// Bytes.
struct Memory {
  double resident;  ///< in memory now
  double peak;      ///< most of them since the start of the process or the last restart_memory_peak()
};

/// NaN where the system has no /proc/self/status. Not collective.
GEARSHIFT_EXPORT Memory process_memory();

/// Lets Memory::peak begin anew at what is resident; false where the system does not allow it. Not collective.
GEARSHIFT_EXPORT bool restart_memory_peak();

/// Gives memory that was freed back to the system, where the C library keeps it. Not collective.
GEARSHIFT_EXPORT void trim_memory();

}  // namespace gearshift::petsc
