#pragma once

/// @file
/// Hollow spheres: meshes of second-order cells, and equilibria under inner pressure to eleven digits.

#include "solid/gmsh_samples.hpp"
#include "solid/written.hpp"

#include <array>
#include <map>
#include <vector>

namespace gearshift::solid::test {

/// Inner and outer radius.
struct Hollow {
  PetscReal inside, outside;
};

/// A cube's surface projected onto spheres: `along` cells along an edge of each square, `across` through the wall, of
/// 27 nodes. The whole sphere, or the eighth with x, y, z >= 0. Faces "inner", "outer"; for the eighth also "x0", "y0",
/// "z0".
inline GmshSample hollow_sphere(Hollow size, int along, int across, bool whole) {
  using Place = std::array<int, 4>;  // on the cube's surface, and through the wall; two steps per cell
  GmshSample sample;
  sample.names = {{3, 1, "wall"}, {2, 2, "inner"}, {2, 3, "outer"}};
  if (!whole)
    for (int axis = 0; axis < 3; ++axis) sample.names.push_back({2, 4 + axis, std::string(1, "xyz"[axis]) + "0"});
  const int high = 2 * along, low = whole ? -high : 0;
  std::map<Place, int> numbers;
  const auto number = [&](const Place& at) {
    const auto [found, fresh] = numbers.try_emplace(at, static_cast<int>(sample.nodes.size()));
    if (fresh) {
      std::array<double, 3> x{};
      for (std::size_t c = 0; c < 3; ++c) x[c] = at[c] == 0 ? 0 : std::tan(PETSC_PI / 4 * at[c] / high);
      const double radius = size.inside + (size.outside - size.inside) * at[3] / (2 * across);
      const double scale = radius / std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
      for (double& value : x) value *= scale;
      sample.nodes.push_back(x);
      sample.tags.push_back(static_cast<int>(sample.nodes.size()));
    }
    return found->second;
  };
  /// Gmsh's order of the nodes, given by twice their reference coordinates, 0..2.
  static constexpr std::array<std::array<int, 3>, 27> cell_nodes = {
      {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}, {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}, {1, 0, 0},
       {0, 1, 0}, {0, 0, 1}, {2, 1, 0}, {2, 0, 1}, {1, 2, 0}, {2, 2, 1}, {0, 2, 1}, {1, 0, 2}, {0, 1, 2},
       {2, 1, 2}, {1, 2, 2}, {1, 1, 0}, {1, 0, 1}, {0, 1, 1}, {2, 1, 1}, {1, 2, 1}, {1, 1, 2}, {1, 1, 1}}};
  static constexpr std::array<std::array<int, 2>, 9> face_nodes = {
      {{0, 0}, {2, 0}, {2, 2}, {0, 2}, {1, 0}, {2, 1}, {1, 2}, {0, 1}, {1, 1}}};
  std::vector<GmshSample::Element> hexahedra;
  std::map<int, std::vector<GmshSample::Element>> faces;  // by the tag of their name
  for (int axis = 0; axis < 3; ++axis)
    for (const int side : whole ? std::vector<int>{low, high} : std::vector<int>{high}) {
      // Right-handed with the outward direction.
      const auto n = static_cast<std::size_t>(axis);
      std::size_t b = (n + 1) % 3, c = (n + 2) % 3;
      if (side < 0) std::swap(b, c);
      const auto at = [&](int i, int j, int k) {
        Place place{};
        place[n] = side;
        place[b] = i;
        place[c] = j;
        place[3] = k;
        return number(place);
      };
      const auto face = [&](int tag, auto&& node) {
        GmshSample::Element element{2, 10, tag, tag, {}};
        for (const auto& xi : face_nodes) element.nodes.push_back(node(xi[0], xi[1]));
        faces[tag].push_back(element);
      };
      for (int j = low; j < high; j += 2)
        for (int i = low; i < high; i += 2) {
          for (int k = 0; k < 2 * across; k += 2) {
            GmshSample::Element cell{3, 12, 1, 1, {}};
            for (const auto& xi : cell_nodes) cell.nodes.push_back(at(i + xi[0], j + xi[1], k + xi[2]));
            hexahedra.push_back(cell);
            if (!whole && i == 0) face(4 + static_cast<int>(b), [&](int x, int y) { return at(0, j + x, k + y); });
            if (!whole && j == 0) face(4 + static_cast<int>(c), [&](int x, int y) { return at(i + x, 0, k + y); });
          }
          face(2, [&](int x, int y) { return at(i + x, j + y, 0); });
          face(3, [&](int x, int y) { return at(i + x, j + y, 2 * across); });
        }
    }
  for (const auto& [tag, list] : faces)
    for (const auto& element : list) sample.add(element);
  for (const auto& cell : hexahedra) sample.add(cell);
  return sample;
}

inline Mesh hollow_sphere_mesh(Hollow size, int along, int across, bool whole) {
  return read(Written(write_gmsh(hollow_sphere(size, along, across, whole), {"2.2"})));
}

/// Spheres of the compressible neo-Hookean law, W = mu/2 (I1 - 3) - mu ln J + lambda/2 (ln J)^2: with r(R), the
/// stretches r' and r/R (twice), and first Piola stresses P_r, P_t,
///     dP_r/dR = 2 (P_t - P_r) / R,   P_r(A) = -p (a/A)^2,   P_r(B) = 0.
/// (R. W. Ogden, Non-Linear Elastic Deformations, 1984, 5.3.) Integrating from the outer surface inwards needs no
/// shooting.
class SphereEquilibrium {
 public:
  SphereEquilibrium(Hollow size, PetscReal mu, PetscReal lambda, int steps = 400)
      : size_(size), mu_(mu), lambda_(lambda), steps_(steps) {}

  struct Point {
    PetscReal radius, pressure;  ///< deformed inner radius; pressure on it
  };
  /// Returns the state for a given deformed outer radius.
  Point from_outside(PetscReal b) const {
    PetscReal R = size_.outside, r = b, stress = 0;
    const PetscReal h = (size_.inside - size_.outside) / steps_;
    const auto rates = [&](PetscReal at, PetscReal radius, PetscReal P) {
      const PetscReal hoop = radius / at, radial = stretch(P, hoop);
      return std::pair{radial, 2 * (this->stress(hoop, radial * hoop * hoop) - P) / at};
    };
    for (int i = 0; i < steps_; ++i) {
      runge_kutta(rates, R, h, r, stress);
      R = size_.outside + h * (i + 1);
    }
    const PetscReal hoop = r / size_.inside;
    return {r, -stress / (hoop * hoop)};
  }
  /// Returns the pressure at which the inner surface has this radius.
  PetscReal pressure(PetscReal inner_radius) const {
    PetscReal low = size_.outside, high = size_.outside + inner_radius - size_.inside;
    for (int i = 0; i < 60; ++i) {
      const PetscReal middle = (low + high) / 2;
      (from_outside(middle).radius < inner_radius ? low : high) = middle;
    }
    return from_outside(low).pressure;
  }

 private:
  /// Returns a principal first Piola stress.
  PetscReal stress(PetscReal stretch, PetscReal J) const {
    return mu_ * (stretch - 1 / stretch) + lambda_ * std::log(J) / stretch;
  }
  /// Returns the radial stretch under P_r, a monotonic function; by Newton's method.
  PetscReal stretch(PetscReal P, PetscReal hoop) const {
    PetscReal x = 1 / (hoop * hoop);
    for (int i = 0; i < 50; ++i) {
      const PetscReal J = x * hoop * hoop;
      const PetscReal slope = mu_ * (1 + 1 / (x * x)) + lambda_ * (1 - std::log(J)) / (x * x);
      const PetscReal change = (stress(x, J) - P) / slope;
      x -= change;
      if (std::abs(change) < 1e-15 * x) break;
    }
    return x;
  }

  Hollow size_;
  PetscReal mu_, lambda_;
  int steps_;
};

}  // namespace gearshift::solid::test
