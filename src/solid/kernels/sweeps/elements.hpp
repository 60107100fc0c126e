#pragma once

/// @file
/// The elements for which loops over batches are compiled.

#include "solid/kernels/sweeps/dense_sweeps.hpp"
#include "solid/kernels/sweeps/legendre.hpp"
#include "solid/kernels/sweeps/moment_sweeps.hpp"
#include "solid/kernels/sweeps/sweeps.hpp"
#include "solid/kernels/sweeps/wedge_sweeps.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

/// The number of polynomials of degree m or less: the pressures of a cell, see BulkPressure::functions().
constexpr int polynomials(int m) { return m < 0 ? 1 : (m + 1) * (m + 2) * (m + 3) / 6; }

/// N nodes and Gauss points per direction.
template <int N>
struct Hexahedron {
  static constexpr int corners = 8, nodes = N * N * N, points = nodes, mass_points = nodes,
                       pressures = polynomials(N - 2);
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

/// The numbers of points of stress and of mass of tetrahedra of degree 1, 2, 3.
constexpr int tetrahedron_points[] = {1, 4, 14}, tetrahedron_mass_points[] = {4, 14, 24};

template <int degree>
struct Tetrahedron {
  static constexpr int corners = 4, nodes = (degree + 1) * (degree + 2) * (degree + 3) / 6;
  static constexpr int points = tetrahedron_points[degree - 1], mass_points = tetrahedron_mass_points[degree - 1];
  static constexpr int pressures = polynomials(degree - 2);
  template <class P>
  using Sweeps = DenseSweeps<nodes, points, mass_points, P>;
  template <class P>
  using Modes = NoModes;
};

template <int degree>
struct Wedge {
  static constexpr int corners = 6, across = (degree + 1) * (degree + 2) / 2, nodes = (degree + 1) * across;
  static constexpr int points = nodes, mass_points = nodes, pressures = polynomials(degree - 2);
  template <class P>
  using Sweeps = WedgeSweeps<degree + 1, across, P>;
  template <class P>
  using Modes = NoModes;
};

/// Calls use.operator()<Element>() for the element of this kind and degree.
template <class Use>
GEARSHIFT_INLINE void with_hexahedron(int degree, Use& use) {
  switch (degree) {
    case 1:
      return use.template operator()<Hexahedron<2>>();
    case 2:
      return use.template operator()<Hexahedron<3>>();
    case 3:
      return use.template operator()<Hexahedron<4>>();
    case 4:
      return use.template operator()<Hexahedron<5>>();
    case 5:
      return use.template operator()<Hexahedron<6>>();
    default:
      return use.template operator()<Hexahedron<7>>();
  }
}
template <class Use>
GEARSHIFT_INLINE void with_tetrahedron(int degree, Use& use) {
  switch (degree) {
    case 1:
      return use.template operator()<Tetrahedron<1>>();
    case 2:
      return use.template operator()<Tetrahedron<2>>();
    default:
      return use.template operator()<Tetrahedron<3>>();
  }
}
template <class Use>
GEARSHIFT_INLINE void with_wedge(int degree, Use& use) {
  return degree == 1 ? use.template operator()<Wedge<1>>() : use.template operator()<Wedge<2>>();
}

/// Calls use.operator()<Element>() for the element of some batches.
template <class T, class Use>
GEARSHIFT_INLINE void with_element(const Batches<T>& b, Use&& use) {
  switch (b.kind) {
    case CellKind::hexahedron:
      return with_hexahedron(b.n - 1, use);
    case CellKind::tetrahedron:
      return with_tetrahedron(b.n - 1, use);
    case CellKind::wedge:
      return with_wedge(b.n - 1, use);
  }
}

/// A function of the table of kernels: calls loop.operator()<Element>(b, arguments...) for the element of the batches.
template <auto loop, class T, class... Arguments>
void for_element(const Batches<T>& b, Arguments... arguments) {
  with_element(b, [&]<class Element>() { loop.template operator()<Element>(b, arguments...); });
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
