#include "dynamics/equations/difference_tangent.hpp"

#include "dynamics/equations/all_parts.hpp"
#include "dynamics/equations/state_copy.hpp"
#include "petsc/queries.hpp"
#include "petsc/ranks/deferred.hpp"
#include "petsc/read_lock.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace gearshift {

using petsc::check;
using petsc::Handle;

namespace {

/// Returns the largest absolute entry of each component of the block size.
std::vector<PetscReal> component_sizes(Vec x) {
  PetscInt components = 1;
  check(VecGetBlockSize(x, &components));
  std::vector<PetscReal> sizes(components);
  if (components == 1)
    check(VecNorm(x, NORM_INFINITY, sizes.data()));
  else
    check(VecStrideNormAll(x, NORM_INFINITY, sizes.data()));
  return sizes;
}

/// Keeps the state of the last update and multiplies by System::tangent().
class TangentLinearization : public Linearization {
 public:
  explicit TangentLinearization(System& system) : system_(system) {}

  void update(const State& x) override { at_.take(x); }

  void apply(Shifts s, Vec in, Vec out) override {
    const State x = at_.state();
    const petsc::ReadLock q(x.q), v(x.v), a(x.a), w(in);
    system_.tangent(x, s, in, out);
  }

 private:
  System& system_;
  StateCopy at_;
};

}  // namespace

PetscReal difference_step(const State& x, Shifts s, Vec direction) {
  constexpr PetscReal relative = 1e-6;
  const std::vector<PetscReal> w = component_sizes(direction);
  std::vector<PetscReal> size(w.size(), 0);
  // For each component the largest of the steps that change q, v or a by the fraction `relative`; e is the smallest of
  // these.
  const std::array<std::pair<Vec, PetscReal>, 3> parts{{{x.q, s.q}, {x.v, s.v}, {x.a, s.a}}};
  for (const auto& [vec, shift] : parts) {
    if (shift == 0) continue;
    const std::vector<PetscReal> part = component_sizes(vec);
    for (std::size_t c = 0; c < w.size(); ++c) size[c] = std::max(size[c], part[c] / std::abs(shift));
  }
  PetscReal step = std::numeric_limits<PetscReal>::infinity();  // PETSC_INFINITY is a finite number
  PetscReal largest = 0;
  for (std::size_t c = 0; c < w.size(); ++c) {
    largest = std::max(largest, w[c]);
    if (w[c] > 0 && size[c] > 0) step = std::min(step, relative * size[c] / w[c]);
  }
  if (std::isfinite(step)) return step;
  return largest > 0 ? relative / largest : 1;  // a zero state defines no scale
}

void difference_tangent(System& system, const State& x, Shifts s, Vec in, Vec out) {
  const PetscReal e = difference_step(x, s, in);
  const std::array<std::pair<Vec, PetscReal>, 3> parts{{{x.q, s.q}, {x.v, s.v}, {x.a, s.a}}};
  std::array<Handle<Vec>, 3> moved;
  std::array<Vec, 3> point{};
  petsc::Handle<Vec> backward = petsc::duplicate(out);
  petsc::Deferred both;
  const AllParts all(system);
  const bool dependent = all->constraints->dependent();  // equal on all ranks
  for (const PetscReal sign : {-1.0, 1.0}) {
    for (std::size_t i = 0; i < parts.size(); ++i) {
      point[i] = parts[i].first;
      if (parts[i].second == 0 && !dependent) continue;
      if (!moved[i]) check(VecDuplicate(parts[i].first, moved[i].out()));
      check(VecWAXPY(moved[i].get(), sign * e * parts[i].second, in, parts[i].first));
      point[i] = moved[i].get();
    }
    both.run([&] {
      if (dependent) all->constraints->complete(x.t, point[0], point[1], point[2]);
      system.residual({x.t, point[0], point[1], point[2], x.internal}, sign < 0 ? backward.get() : out);
    });
  }
  // On all ranks before an exception leaves: a PETSc with checks compares the factors of all ranks.
  check(VecAXPY(out, -1, backward.get()));
  check(VecScale(out, 1 / (2 * e)));
  both.rethrow();
}

std::unique_ptr<Linearization> make_tangent_linearization(System& system) {
  return std::make_unique<TangentLinearization>(system);
}

}  // namespace gearshift
