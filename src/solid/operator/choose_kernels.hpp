#pragma once

/// @file
/// The choice of kernels by the name given in the options and by precision.

#include <gearshift/petsc/error.hpp>

#include "solid/kernels/table.hpp"

#include <string>
#include <type_traits>

namespace gearshift::solid {

/// Returns the kernels of that name; throws OptionError for names that are not available on this machine.
inline const Kernels& choose_kernels(const std::string& name) {
  const Kernels* found = find_kernels(name.c_str());
  if (!found)
    throw OptionError("option -solid_simd: '" + name + "' is not available here; give auto or one of " +
                      kernel_names());
  return *found;
}

/// Returns the kernels whose vectors and arithmetic have the precision T.
template <class T>
const LevelKernels<T>& in_precision(const Kernels& kernels) {
  if constexpr (std::is_same_v<T, float>)
    return kernels.in_float;
  else
    return kernels.in_double;
}

}  // namespace gearshift::solid
