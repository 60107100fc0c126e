#pragma once

/// @file
/// Three-dimensional vectors and maps.

#include <gearshift/solid/types.hpp>

#include <array>
#include <cmath>

namespace gearshift::solid {

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline Vec3 operator*(double s, const Vec3& a) { return {s * a[0], s * a[1], s * a[2]}; }
inline double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline double norm(const Vec3& a) { return std::sqrt(dot(a, a)); }
inline Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// Returns the value at x of one of six rigid-body motions: three translations and three rotations about a centre.
inline Vec3 rigid_motion(std::size_t mode, const Vec3& x, const Vec3& centre) {
  Vec3 value{};
  if (mode < 3) {
    value[mode] = 1;
  } else {
    const std::size_t i = (mode + 1) % 3, j = (mode + 2) % 3;
    value[i] = centre[j] - x[j];
    value[j] = x[i] - centre[i];
  }
  return value;
}

/// Returns S x for a symmetric S: 00 01 02 11 12 22.
inline Vec3 product(const std::array<double, 6>& S, const Vec3& x) {
  return {S[0] * x[0] + S[1] * x[1] + S[2] * x[2], S[1] * x[0] + S[3] * x[1] + S[4] * x[2],
          S[2] * x[0] + S[4] * x[1] + S[5] * x[2]};
}

/// Returns det A, A by rows.
inline double determinant(const std::array<Vec3, 3>& A) {
  return A[0][0] * (A[1][1] * A[2][2] - A[1][2] * A[2][1]) - A[0][1] * (A[1][0] * A[2][2] - A[1][2] * A[2][0]) +
         A[0][2] * (A[1][0] * A[2][1] - A[1][1] * A[2][0]);
}

}  // namespace gearshift::solid
