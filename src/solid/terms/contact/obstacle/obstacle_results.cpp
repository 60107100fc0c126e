/// Reports and fields of a contact, and the steps that it allows.

#include "petsc/queries.hpp"
#include "petsc/ranks/agree.hpp"
#include "solid/terms/contact/obstacle/obstacle_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::solid {

namespace {

/// Returns the area of a point to which pressures refer.
double pressed_area(const Surface::Facet& own, bool deforms, std::size_t q, const NodalValues& u) {
  if (!deforms) return own.point(q).size();
  const auto [along, across] = own.tangents(q, u);
  return own.point(q).weight * norm(cross(along, across));
}

}  // namespace

ContactReport ObstacleContact::report(TermPoint& x) {
  std::array<PetscReal, 4> greatest{};  // traction, penetration, -gap, penetration / h
  PetscReal area = 0;
  const NodalValues& u = x.q();
  for_touching(x, [&](std::size_t p, std::size_t q, const Touch& touch) {
    if (!(touch.there.d < 0)) return;
    greatest[0] = std::max(greatest[0],
                           touch.traction * touch.area / pressed_area(facet(parts_[p]), parts_[p].layer.deforms, q, u));
    greatest[1] = std::max(greatest[1], -touch.there.d);
    greatest[3] = std::max(greatest[3], -touch.there.d / parts_[p].layer.depth);
    area += touch.area;
  });
  greatest[2] = -smallest_gap_;
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, greatest.data(), 4, MPIU_REAL, MPI_MAX, space_.comm()));
  return {given_.name, greatest[0], greatest[1], greatest[3], petsc::reduced(space_.comm(), MPI_SUM, area),
          -greatest[2]};
}

PetscReal ObstacleContact::safe_step(TermPoint& x) {
  obstacle_.move_to(x.t(), x.load_factor());
  PetscReal safe = std::numeric_limits<PetscReal>::infinity();
  const NodalValues &u = x.q(), &v = x.v(), &a = x.a();
  for_points(u, [&](std::size_t p, std::size_t q, const Vec3& place, const Distance& there) {
    const Surface::Facet& own = facet(parts_[p]);
    const Vec3 relative = own.value(q, v) - obstacle_.velocity(place);
    const Vec3& n = there.normal;
    const Vec3 faster = own.value(q, a) - obstacle_.acceleration(place);
    const double rate = dot(n, relative) + there.rate;
    const double bend = dot(n, faster) + dot(relative, product(there.curvature, relative));
    if (has_friction() && there.d < 0)
      safe = std::min(safe, time_to_change(relative - dot(n, relative) * n, faster - dot(n, faster) * n));
    safe = std::min(safe, time_to_penetrate(there.d, rate, bend, parts_[p].layer.depth));
  });
  return petsc::reduced(space_.comm(), MPI_MIN, safe);
}

void ObstacleContact::fields(TermPoint& x, std::span<Vec3> values) {
  obstacle_.move_to(x.t(), x.load_factor());
  const NodalValues& u = x.q();
  const NodalValues* v = moves(x.state()) ? &x.v() : nullptr;
  const petsc::Handle<Vec> pressures = petsc::duplicate(space_.layout());
  GhostValues ghosts;
  {
    NodalSum sum(space_, pressures.get(), ghosts);
    for (const Part& part : parts_) {
      const Surface::Facet& own = facet(part);
      for (std::size_t q = 0; q < own.points(); ++q) {
        const double size = pressed_area(own, part.layer.deforms, q, u);
        for (std::size_t i = 0; i < own.nodes(); ++i) sum.add(own.node(i), {0, weight_at_node(own, q, i) * size, 0});
      }
    }
    for_touching(x, [&](std::size_t p, std::size_t q, const Touch& touch) {
      const Surface::Facet& own = facet(parts_[p]);
      const double force = touch.traction * touch.area;
      for (std::size_t i = 0; i < own.nodes(); ++i) sum.add(own.node(i), {weight_at_node(own, q, i) * force, 0, 0});
    });
    sum.finish();
  }
  const NodalValues sums(space_, pressures.get(), nullptr, ghosts);
  for (std::size_t node = 0; node < values.size(); ++node) {
    const auto n = static_cast<PetscInt>(node);
    const Vec3& X = space_.coordinates()[node];
    const Vec3 place = X + u[n];
    const Distance there = obstacle_.at(place);
    auto& [pressure, gap, slip] = values[node];
    gap = std::min(gap, there.d - overlap_at(X));
    if (!(sums[n][0] > 0)) continue;
    pressure = std::max(pressure, sums[n][0] / sums[n][1]);
    if (!v) continue;
    const Vec3 relative = (*v)[n] - obstacle_.velocity(place);
    slip = std::max(slip, norm(relative - dot(there.normal, relative) * there.normal));
  }
}

}  // namespace gearshift::solid
