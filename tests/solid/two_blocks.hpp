#pragma once

/// @file
/// Two bodies in contact.

#include <gearshift/solid/contact.hpp>

#include "solid/assemblies.hpp"
#include "solid/terms.hpp"

#include <cmath>
#include <memory>
#include <vector>

namespace gearshift::solid::test {

struct Given {
  Filling below = Filling::hexahedra, above = Filling::hexahedra;
  int degree = 1;
  PetscReal friction = 0, viscosity = 0;
  int order = 1;
  Contact::Overlap overlap = Contact::Overlap::keep;
};

/// Returns the rotation of a vector about (1, 2, 2) / 3.
inline Vec3 turned(const Vec3& x, PetscReal angle = 0.7) {
  const Vec3 axis{1.0 / 3, 2.0 / 3, 2.0 / 3};
  const PetscReal c = std::cos(angle), s = std::sin(angle);
  const PetscReal along = axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2];
  const Vec3 across{axis[1] * x[2] - axis[2] * x[1], axis[2] * x[0] - axis[0] * x[2], axis[0] * x[1] - axis[1] * x[0]};
  Vec3 y{};
  for (std::size_t i = 0; i < 3; ++i) y[i] = c * x[i] + s * across[i] + (1 - c) * along * axis[i];
  return y;
}

/// The surface between the blocks before they are turned.
inline PetscReal bump(PetscReal x, PetscReal y) { return 0.05 * std::cos(2 * x) * std::cos(y); }

/// Two curved blocks, one on the other, turned in space; the upper one hangs over.
inline std::unique_ptr<Body> two_blocks(const Given& given) {
  auto body = std::make_unique<Body>(assembly({{"low",
                                                given.below,
                                                {3, 2, 1},
                                                [=](const Vec3& X) {
                                                  const PetscReal x = 1.5 * X[0], y = X[1];
                                                  return turned({x, y, -0.6 + X[2] * (0.6 + bump(x, y))});
                                                },
                                                given.order},
                                               {"up",
                                                given.above,
                                                {2, 3, 2},
                                                [=](const Vec3& X) {
                                                  const PetscReal x = 0.4 + 1.4 * X[0], y = 0.1 + 0.8 * X[1];
                                                  return turned({x, y, bump(x, y) - 0.02 + X[2] * (0.7 - bump(x, y))});
                                                },
                                                given.order}}),
                                     given.degree);
  body->set_material(material(Law::neo_hookean));
  body->add_contact({.name = "touch",
                     .faces = {"low_zmax"},
                     .with = {"up_zmin"},
                     .stiffness = 0.5,
                     .viscosity = given.viscosity,
                     .friction = given.friction,
                     .slip_speed = 0.05,
                     .overlap = given.overlap});
  body->set_up();
  return body;
}

inline Vec3 small_wave(const Vec3& X) {
  return {0.01 * std::sin(3 * X[1] + X[2]), 0.01 * std::cos(2 * X[0]), 0.008 * std::sin(2 * X[0] - X[1])};
}

inline const std::vector<Given> kinds{
    {Filling::hexahedra, Filling::hexahedra, 1, 0.4, 0.7},
    {Filling::hexahedra, Filling::tetrahedra, 2, 0.4, 0.7, 2},
    {Filling::wedges, Filling::hexahedra, 2, 0.4, 0, 2},
    {Filling::tetrahedra, Filling::tetrahedra, 3, 0, 0.7, 2},
    {Filling::tetrahedra, Filling::wedges, 1, 0, 0},
    {Filling::hexahedra, Filling::hexahedra, 3, 0, 0, 2},
    {Filling::tetrahedra, Filling::hexahedra, 2, 0.4, 0.7, 2, Contact::Overlap::remove}};

}  // namespace gearshift::solid::test
