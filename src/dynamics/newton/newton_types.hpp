#pragma once

#include <gearshift/petsc/error.hpp>

#include <petscsnes.h>

#include <string_view>

namespace gearshift {

/// Whether the SNES is Newton's method with a line search, the one that everything here is made for.
inline bool is_line_search_newton(SNES snes) {
  SNESType type = nullptr;
  petsc::check(SNESGetType(snes, &type));
  return !type || std::string_view(type) == SNESNEWTONLS;
}

/// Whether the increments of the SNES solve with the tangent.
inline bool is_newton(SNES snes) {
  SNESType type = nullptr;
  petsc::check(SNESGetType(snes, &type));
  return !type || std::string_view(type) == SNESNEWTONLS || std::string_view(type) == SNESNEWTONTR ||
         std::string_view(type) == SNESKSPONLY;
}

}  // namespace gearshift
