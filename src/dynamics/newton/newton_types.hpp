#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscsnes.h>

#include <string_view>

namespace gearshift {

/// Returns true if the SNES is Newton's method with a line search, the method for which this code is made.
inline bool is_line_search_newton(SNES snes) {
  SNESType type = nullptr;
  petsc::check(SNESGetType(snes, &type));
  return !type || std::string_view(type) == SNESNEWTONLS;
}

/// Returns true if the SNES computes its increments with the tangent.
inline bool is_newton(SNES snes) {
  SNESType type = nullptr;
  petsc::check(SNESGetType(snes, &type));
  return !type || std::string_view(type) == SNESNEWTONLS || std::string_view(type) == SNESNEWTONTR ||
         std::string_view(type) == SNESKSPONLY;
}

}  // namespace gearshift
