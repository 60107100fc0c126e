#pragma once

/// @file
/// The elements that loops over batches are compiled for.

#include "solid/kernels/modes.hpp"
#include "solid/kernels/moment_sweeps.hpp"
#include "solid/kernels/simplex_sweeps.hpp"
#include "solid/kernels/sweeps.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// N nodes and Gauss points a direction.
template <int N>
struct Hexahedron {
  static constexpr int nodes = N * N * N, points = nodes, mass_points = nodes;
  template <class P>
  using Sweeps = solid::Sweeps<N, P>;
  template <class P>
  using Modes = ModeSweeps<N, P>;
};

struct NoModes {
  static constexpr bool exist = false;
  template <class Batches>
  NoModes(const Batches&, double) {}
};

/// Points of stress and of mass of tetrahedra of degree 1, 2, 3.
constexpr int tetrahedron_points[] = {1, 4, 14}, tetrahedron_mass_points[] = {4, 14, 24};

template <int degree>
struct Tetrahedron {
  static constexpr int nodes = (degree + 1) * (degree + 2) * (degree + 3) / 6;
  static constexpr int points = tetrahedron_points[degree - 1], mass_points = tetrahedron_mass_points[degree - 1];
  template <class P>
  using Sweeps = SimplexSweeps<nodes, points, mass_points, P>;
  template <class P>
  using Modes = NoModes;
};

/// Calls use.operator()<Element>() for the element of some batches.
template <class T, class Use>
GEARSHIFT_INLINE void with_element(const Batches<T>& b, Use&& use) {
  switch (b.simplex ? b.n + 8 : b.n) {
    case 2:
      return use.template operator()<Hexahedron<2>>();
    case 3:
      return use.template operator()<Hexahedron<3>>();
    case 4:
      return use.template operator()<Hexahedron<4>>();
    case 5:
      return use.template operator()<Hexahedron<5>>();
    case 6:
      return use.template operator()<Hexahedron<6>>();
    case 7:
      return use.template operator()<Hexahedron<7>>();
    case 10:
      return use.template operator()<Tetrahedron<1>>();
    case 11:
      return use.template operator()<Tetrahedron<2>>();
    default:
      return use.template operator()<Tetrahedron<3>>();
  }
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
