#include "solid/terms/motion_estimate.hpp"

#include "petsc/queries.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

using petsc::check;

namespace {

constexpr PetscReal strain = 1e-4;     // small, but far above rounding
constexpr PetscReal smallest = 1e-12;  // relative to the body's size
constexpr PetscReal long_run = 1000;   // in units of T, for runs without an end time

/// Returns the sum of the magnitudes of the nodal forces. Collective.
PetscReal total_size(Vec forces) {
  PetscReal sum = 0;
  {
    const petsc::ReadView f(forces);
    for (std::size_t i = 0; i + 2 < f.size(); i += 3)
      sum += std::sqrt(f[i] * f[i] + f[i + 1] * f[i + 1] + f[i + 2] * f[i + 2]);
  }
  return petsc::reduced(petsc::comm_of(forces), MPI_SUM, sum);
}

}  // namespace

MotionEstimate estimate_motion(const Operator& op, const ForcesAt& forces, bool steady, const LoadTimes& times,
                               PetscReal motion_factor, PetscReal t, PetscReal until) {
  const Space& space = op.space();
  const petsc::Handle<Vec> shape = petsc::duplicate(space.layout()), small = petsc::duplicate(space.layout());
  const auto fill = [&](std::size_t axis, PetscReal slope, PetscReal origin) {
    const petsc::WriteView values(shape.get());
    for (std::size_t node = 0; 3 * node < values.size(); ++node)
      for (std::size_t c = 0; c < 3; ++c)
        values[3 * node + c] = c == axis ? slope * space.coordinates()[node][c] + origin : 0;
  };
  const auto energies = [&](bool stored) {
    check(VecAXPBY(small.get(), strain, 0, shape.get()));
    auto sums = op.energy(stored ? small.get() : nullptr, shape.get());
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), 2, MPIU_REAL, MPIU_SUM, space.comm());
    return sums;
  };
  fill(0, 0, 1);
  const PetscReal mass = 2 * energies(false)[1];
  PetscReal T = 0, size = 0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    // The centre of mass follows from the parallel axis theorem: sum m (x - c)^2 is a parabola in c.
    fill(axis, 1, 0);
    const PetscReal at_zero = energies(false)[1];
    fill(axis, 1, 1);
    const PetscReal at_one = energies(false)[1], middle = (at_one - at_zero) / mass - 0.5;
    fill(axis, 1, -middle);
    const auto [elastic, kinetic] = energies(true);
    size = std::max(size, std::sqrt(2 * kinetic / mass));
    if (elastic > 0) T = std::max(T, std::sqrt(kinetic / elastic) * strain);
  }
  if (!(T > 0) || !(mass > 0)) return {};
  if (!std::isfinite(until)) until = t + long_run * T;
  const LoadTimes::Peaks peaks = times.peaks(t, until);
  PetscReal acceleration = peaks.acceleration, force = 0;
  if (forces) {
    force = total_size(forces(t));
    for (const PetscReal when : peaks.times) force = std::max(force, total_size(forces(when)));
  }
  acceleration = std::max(std::abs(motion_factor) * acceleration, force / mass);
  const PetscReal acts = steady ? T : std::min(T, peaks.duration);
  const PetscReal v = acceleration * acts, least = smallest * size;
  return {std::max(v * T, least), std::max(v, least / T)};
}

}  // namespace gearshift::solid
