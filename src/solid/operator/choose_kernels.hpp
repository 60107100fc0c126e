#pragma once

/// @file
/// The choice of kernels by name, as options give it.

#include <gearshift/petsc/error.hpp>

#include "solid/kernels/table.hpp"

#include <string>

namespace gearshift::solid {

/// OptionError for names that are not available on this machine.
inline const Kernels& choose_kernels(const std::string& name) {
  const Kernels* found = find_kernels(name.c_str());
  if (!found)
    throw OptionError("option -solid_simd: '" + name + "' is not available here; give auto or one of " +
                      kernel_names());
  return *found;
}

}  // namespace gearshift::solid
