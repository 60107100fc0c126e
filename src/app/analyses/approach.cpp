#include "app/analyses/approach.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/queries.hpp"
#include "solid/space/extent_of.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::app {
namespace {

/// Returns the sum of the loads over the components without supports, as a unit vector; 0 if there is none.
solid::Vec3 direction_of_loads(const Run& run, const State& x) {
  const auto forces = petsc::duplicate(run.body.layout());
  run.body.external_forces(x, forces.get());
  std::array<PetscReal, 6> sums{};  // forces, and numbers of supported entries
  {
    const petsc::ReadView f(forces.get());
    for (std::size_t i = 0; i < f.size(); ++i) sums[i % 3] += f[i];
    const PetscInt first = petsc::first_entry_of(forces.get());
    if (const IS held = run.body.constrained())
      for (const PetscInt i : petsc::indices_of(held)) sums[3 + static_cast<std::size_t>((i - first) % 3)] += 1;
  }
  petsc::check(MPI_Allreduce(MPI_IN_PLACE, sums.data(), 6, MPIU_REAL, MPI_SUM, run.stepper.comm()));
  solid::Vec3 way{};
  for (std::size_t c = 0; c < 3; ++c) way[c] = sums[3 + c] > 0 ? 0 : sums[c];
  const PetscReal size = std::hypot(way[0], way[1], way[2]);
  for (PetscReal& component : way) component = size > 0 ? component / size : 0;
  return way;
}

PetscReal smallest_gap(const solid::Body& body, const State& x) {
  PetscReal gap = std::numeric_limits<PetscReal>::infinity();
  for (const auto& report : body.contact_reports(x))
    if (report.with_obstacle) gap = std::min(gap, report.gap);  // bodies approach obstacles together
  return gap;
}

}  // namespace

petsc::Handle<Vec> approach(const Run& run, PetscReal t) {
  constexpr PetscReal shortest = 1e-10;  // step, as a part of the first gap
  constexpr int most = 1000;             // steps; past the obstacle the gap grows again
  constexpr PetscReal far = 1000;        // in units of the first gap or the body's size
  State x = run.stepper.state();
  x.t = t;
  const PetscReal first = smallest_gap(run.body, x);
  if (!(first > 0) || !std::isfinite(first)) return {};
  const solid::Vec3 way = direction_of_loads(run, x);
  if (way == solid::Vec3{}) return {};
  const solid::Extent box = extent_of(run.body.space());
  const PetscReal limit = far * (first + std::sqrt(solid::squared_distance(box.high, box.low)));
  petsc::Handle<Vec> q = petsc::duplicate(x.q);
  x.q = q.get();
  PetscReal gap = first, done = 0;
  // The nearest obstacle is not nearer than the gap.
  for (int step = 0; step < most && gap > 0 && done < limit; ++step) {
    done += std::max(gap, shortest * first);
    petsc::check(VecCopy(run.stepper.state().q, q.get()));
    {
      const petsc::WriteView moved(q.get());
      for (std::size_t i = 0; i < moved.size(); ++i) moved[i] += done * way[i % 3];
    }
    gap = smallest_gap(run.body, x);
  }
  if (gap > 0) return {};
  x.at_rest = true;
  run.body.accept(x);  // friction begins here
  return q;
}

}  // namespace gearshift::app
