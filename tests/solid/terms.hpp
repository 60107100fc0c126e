#pragma once

/// @file
/// Bodies with one term each, and states for testing them.

#include "boxes.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace gearshift::solid::test {

inline const std::vector<std::string> all_faces{"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};

enum class Kind {
  pressure,
  gas,
  force,
  torque,
  motor_torque,
  foundation,
  dashpots,
  absorbing,
  mass,
  point_mass,
  frame
};

inline void add(Body& body, Kind kind, std::string_view face) {
  switch (kind) {
    case Kind::pressure:
      return body.add_pressure(face, [](PetscReal t, const Vec3& X) { return 1 + t + 0.3 * X[0] - 0.2 * X[1] * X[2]; });
    case Kind::gas:
      return body.add_gas(face, 0.7, 1.4, Vec3{});
    case Kind::force:
      return body.add_follower(face, Follower::force, VectorExpression("1,t-2,0.3"));
    case Kind::torque:
      return body.add_follower(face, Follower::torque, VectorExpression("1,t-2,0.3"));
    case Kind::motor_torque:
      return body.add_follower(face, Follower::motor_torque, VectorExpression("1,t-2,0.3"));
    case Kind::foundation:
      return body.add_foundation(face, 3, 0.5);
    case Kind::dashpots:
      return body.add_dashpots(face, 2, 0.25);
    case Kind::absorbing:
      return body.absorb_waves(face);
    case Kind::mass:
      return body.add_mass(face, 7);
    case Kind::frame:
      body.add_mass(face, 7);
      return body.set_rotating_frame(VectorExpression("0.4+t,0-0.7,1.1*cos(t)"), {0.5, 1, -2});
    case Kind::point_mass:
      return body.add_point_mass("p", {-1.6, 0.7, 0.4}, 7);
  }
}

/// Returns a body clamped at xmin with the term on xmax.
inline std::unique_ptr<Body> body_with(Kind kind, Mesh mesh, int degree) {
  auto body = std::make_unique<Body>(std::move(mesh), degree);
  body->set_material(material(Law::neo_hookean));
  body->clamp("xmin");
  add(*body, kind, "xmax");
  body->set_up();
  return body;
}

/// A box whose face xmax faces the origin: x . n < 0 there, so that it encloses a volume.
inline Mesh slanted(int kind) {
  if (kind == 0) return box("2,2,3", "-1,2,1", "-2,0,0");
  if (kind == 1) return tetrahedra("2,2,2", "1,2,1");
  return file_of(kind == 2 ? Filling::hexahedra_and_wedges : Filling::wedges_and_tetrahedra, "2,2,2", 1,
                 [](const Vec3& X) {
                   return Vec3{X[0] - 2, 2 * X[1], X[2]};
                 });
}
inline int highest_degree(int kind) { return kind < 2 ? 3 : 2; }

/// A state: q and v.
struct Motion2 {
  explicit Motion2(const Body& body) : q(vector(body, wavy)), v(vector(body, ripple)), zero(vector(body)) {}
  Handle<Vec> q, v, zero;
  State at(PetscReal t) const { return {t, q.get(), v.get(), zero.get()}; }
};

inline Handle<Vec> residual(Body& body, const State& x) {
  auto r = vector(body);
  body.residual(x, r.get());
  return r;
}

inline Handle<Vec> moved(const Body& body, Vec base, PetscReal step, Vec along) {
  auto x = vector(body);
  check(VecWAXPY(x.get(), step, along, base));
  return x;
}

}  // namespace gearshift::solid::test
