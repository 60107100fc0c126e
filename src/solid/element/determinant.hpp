#pragma once

/// @file
/// The determinant of a map's derivatives.

#include <gearshift/solid/types.hpp>

namespace gearshift::solid {

/// det A, A by rows.
inline double determinant(const std::array<Vec3, 3>& A) {
  return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) - A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
         A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

}  // namespace gearshift::solid
