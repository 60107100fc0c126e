/// Reports and fields of a contact between faces, and the steps that it allows.

#include "petsc/queries.hpp"
#include "solid/terms/contact/constants.hpp"
#include "solid/terms/contact/pair/pair_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::solid {

ContactReport PairContact::report(TermPoint& x) {
  std::array<PetscReal, 4> greatest{};  // traction, penetration, -gap, penetration / h
  PetscReal area = 0;
  const auto touches = touching(x);
  for (const Touch& touch : *touches) {
    if (!(touch.gap < 0)) continue;
    PairLaw::Rates rates;
    touch.law.forces(touch.state, &rates);
    // Each side has half of the pressure.
    greatest[0] = std::max(greatest[0], 2 * rates.traction * touch.area / pressed_area(touch.facet, touch.point));
    greatest[1] = std::max(greatest[1], -touch.gap);
    greatest[3] = std::max(greatest[3], -touch.gap / layers_[touch.facet].depth);
    if ((facets_[touch.facet].sides & first_side) != 0) area += touch.area;
  }
  greatest[2] = std::numeric_limits<PetscReal>::lowest();
  for (const Near& near : near_->near_points()) greatest[2] = std::max(greatest[2], -near.gap);
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, greatest.data(), 4, MPIU_REAL, MPI_MAX, space_.comm()));
  return {given_.name,
          greatest[0],
          greatest[1],
          greatest[3],
          petsc::reduced(space_.comm(), MPI_SUM, area),
          greatest[2] > std::numeric_limits<PetscReal>::lowest() ? -greatest[2]
                                                                 : std::numeric_limits<PetscReal>::infinity(),
          false};
}

/// Points that see nothing of the other side are farther away than near_points() are, or the sides themselves are.
PetscReal PairContact::safe_step(TermPoint& x) {
  if (!near_->place(x.state().q)) return 0;
  const Values v = near_->values(x.state().v), a = x.state().a ? near_->values(x.state().a) : Values(v.size());
  const auto [speed, distance] = near_->speed_and_distance(v);
  PetscReal safe = std::numeric_limits<PetscReal>::infinity();
  for (std::size_t f = 0; speed > 0 && f < facets_.count(); ++f)
    safe = std::min(safe, std::max(distance, contact::sight * (*near_)[f].size) / (2 * speed));
  for (const Near& near : near_->near_points()) {
    const std::size_t f = near.own;
    const auto own = near_->nodes().shape(f).at_point(near.point);
    std::vector<FacetJet<double>> functions;
    near_->nodes().shape(near.facet).evaluate(near.at.place, functions);
    const auto relative = [&](const Values& of) {
      return value_of(own, near_->nodes().nodes(f), of) - value_of(functions, near_->nodes().nodes(near.facet), of);
    };
    const Vec3 w = relative(v), faster = relative(a);
    const Vec3& n = near.normal;
    safe = std::min(safe, time_to_penetrate(near.gap, dot(n, w), dot(n, faster), layers_[f].depth));
    if (has_friction() && near.gap < 0)
      safe = std::min(safe, time_to_change(w - dot(n, w) * n, faster - dot(n, faster) * n));
  }
  return petsc::reduced(space_.comm(), MPI_MIN, safe);
}

/// The gap at a node is the smallest one of the points of its facets, at most the size of the largest facet.
void PairContact::fields(TermPoint& x, std::span<Vec3> fields) {
  const auto count = [&] { return near_->nodes().subset()->count(); };
  if (!near_->place(x.state().q)) return;
  Values areas(count()), sums(count());
  for (std::size_t f = 0; f < facets_.count(); ++f) {
    const auto nodes = near_->nodes().nodes(f);
    for (std::size_t q = 0; q < near_->nodes().shape(f).points(); ++q)
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double N = near_->nodes().shape(f).at_point(q)[i].value;
        areas[nodes[i]][0] += N * N * pressed_area(f, q);
      }
  }
  const auto touches = touching(x);
  for (const Touch& touch : *touches) {
    PairLaw::Rates rates;
    touch.law.forces(touch.state, &rates);
    const auto nodes = near_->nodes().nodes(touch.facet);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double N = near_->nodes().shape(touch.facet).at_point(touch.point)[i].value, w = N * N * touch.area;
      sums[nodes[i]][0] += 2 * w * rates.traction;
      if (touch.law.moves) sums[nodes[i]][1] += w * norm(rates.slip);
      sums[nodes[i]][2] += w;
    }
  }
  const petsc::Handle<Vec> at_nodes = petsc::duplicate(space_.layout()), of_areas = petsc::duplicate(space_.layout());
  GhostValues ghosts, area_ghosts, gap_ghosts;
  for (const auto& [values, vec] : {std::pair(&sums, at_nodes.get()), std::pair(&areas, of_areas.get())}) {
    petsc::check(VecZeroEntries(vec));
    const petsc::WriteView view(vec);
    near_->nodes().subset()->add(*values, view.span().data());
  }
  Values gaps(count(), Vec3{near_->largest(), 0, 0});
  for (const Near& near : near_->near_points())
    for (const std::size_t node : near_->nodes().nodes(near.own)) gaps[node][0] = std::min(gaps[node][0], near.gap);
  const petsc::Handle<Vec> of_gaps = petsc::duplicate(space_.layout());
  petsc::check(VecSet(of_gaps.get(), near_->largest()));
  {
    const petsc::WriteView view(of_gaps.get());
    near_->nodes().subset()->give(gaps, [&view](PetscInt node, const Vec3& value) {
      double& gap = view.span()[3 * static_cast<std::size_t>(node)];
      gap = std::min(gap, value[0]);
    });
  }
  const NodalValues of(space_, at_nodes.get(), nullptr, ghosts), per(space_, of_areas.get(), nullptr, area_ghosts),
      nearest(space_, of_gaps.get(), nullptr, gap_ghosts);
  for (std::size_t node = 0; node < fields.size(); ++node) {
    const auto n = static_cast<PetscInt>(node);
    auto& [pressure, gap, slip] = fields[node];
    gap = std::min(gap, nearest[n][0]);
    if (!(of[n][0] > 0)) continue;
    pressure = std::max(pressure, of[n][0] / per[n][0]);
    slip = std::max(slip, of[n][1] / of[n][2]);
  }
}

}  // namespace gearshift::solid
