/// Reports and fields of a contact between faces, and the steps that it allows.

#include "petsc/queries.hpp"
#include "solid/terms/contact/pair/pair_contact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::solid {

ContactReport PairContact::report(TermPoint& x) {
  std::array<PetscReal, 4> greatest{};  // traction, penetration, -gap, penetration / h
  PetscReal area = 0;
  for (const Touch& touch : *touching(x)) {
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
  for (const Near& near : near_points()) greatest[2] = std::max(greatest[2], -near.gap);
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

std::pair<double, double> PairContact::speed_and_distance(const Values& v) const {
  // Sums of velocities and of places on each side, each node of this rank once.
  std::array<PetscReal, 12> sums{};
  std::vector<Sides> sides(known_.subset()->count(), 0);
  for (std::size_t f = 0; f < facets_.count(); ++f)
    for (const std::size_t node : known_.nodes(f)) sides[node] |= facets_[f].sides;
  const auto for_nodes = [&](auto&& use) {
    for (std::size_t node = 0; node < sides.size(); ++node)
      if (sides[node] != 0 && known_.subset()->owned(node) >= 0) use(node);
  };
  for_nodes([&](std::size_t node) {
    for (std::size_t c = 0; c < 3; ++c) {
      sums[c] += v[node][c];
      for (const std::size_t side : {0U, 1U})
        if ((sides[node] >> side & 1U) != 0) sums[4 + 4 * side + c] += places_[node][c];
    }
    sums[3] += 1;
    for (const std::size_t side : {0U, 1U})
      if ((sides[node] >> side & 1U) != 0) sums[7 + 4 * side] += 1;
  });
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 12, MPIU_REAL, MPI_SUM, space_.comm()));
  const auto mean = [&](std::size_t at) { return (1 / sums[at + 3]) * Vec3{sums[at], sums[at + 1], sums[at + 2]}; };
  const std::array<Vec3, 3> means{mean(0), mean(4), mean(8)};
  std::array<PetscReal, 3> most{};  // speed, radius of each side
  for_nodes([&](std::size_t node) {
    most[0] = std::max(most[0], norm(v[node] - means[0]));
    for (const std::size_t side : {0U, 1U})
      if ((sides[node] >> side & 1U) != 0)
        most[1 + side] = std::max(most[1 + side], norm(places_[node] - means[1 + side]));
  });
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, most.data(), 3, MPIU_REAL, MPI_MAX, space_.comm()));
  const double apart = norm(means[1] - means[2]) - most[1] - most[2];
  return {most[0], given_.with_itself ? 0 : apart};
}

/// Points that see nothing of the other side are farther away than near_points() are, or the sides themselves are.
PetscReal PairContact::safe_step(TermPoint& x) {
  if (!place(x.state().q)) return 0;
  const Values v = values(x.state().v), a = x.state().a ? values(x.state().a) : Values(v.size());
  const auto [speed, distance] = speed_and_distance(v);
  PetscReal safe = std::numeric_limits<PetscReal>::infinity();
  for (const double size : sizes_)
    if (speed > 0) safe = std::min(safe, std::max(distance, sight * size) / (2 * speed));
  for (const Near& near : near_points()) {
    const std::size_t f = near.own;
    const auto own = known_.shape(f).at_point(near.point);
    std::vector<FacetJet<double>> functions;
    known_.shape(near.facet).evaluate(near.at.place, functions);
    const auto relative = [&](const Values& of) {
      return value(own, known_.nodes(f), of) - value(functions, known_.nodes(near.facet), of);
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
  const auto count = [&] { return known_.subset()->count(); };
  if (!place(x.state().q)) return;
  Values areas(count()), sums(count());
  for (std::size_t f = 0; f < facets_.count(); ++f) {
    const auto nodes = known_.nodes(f);
    for (std::size_t q = 0; q < known_.shape(f).points(); ++q)
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        const double N = known_.shape(f).at_point(q)[i].value;
        areas[nodes[i]][0] += N * N * pressed_area(f, q);
      }
  }
  for (const Touch& touch : *touching(x)) {
    PairLaw::Rates rates;
    touch.law.forces(touch.state, &rates);
    const auto nodes = known_.nodes(touch.facet);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double N = known_.shape(touch.facet).at_point(touch.point)[i].value, w = N * N * touch.area;
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
    known_.subset()->add(*values, view.span().data());
  }
  Values gaps(count(), Vec3{largest_, 0, 0});
  for (const Near& near : near_points())
    for (const std::size_t node : known_.nodes(near.own)) gaps[node][0] = std::min(gaps[node][0], near.gap);
  const petsc::Handle<Vec> of_gaps = petsc::duplicate(space_.layout());
  petsc::check(VecSet(of_gaps.get(), largest_));
  {
    const petsc::WriteView view(of_gaps.get());
    known_.subset()->give(gaps, [&view](PetscInt node, const Vec3& value) {
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
