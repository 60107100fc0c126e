#include "dynamics/equations/motion_map.hpp"

#include "petsc/log.hpp"
#include "petsc/queries.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace gearshift {

using petsc::check;
using petsc::duplicate;

namespace {

/// Computes out = slope x + factor base, in one pass, because a step needs three of these for each state. Loops are
/// written out: VecSet() and VecCopy() cache norms, and a rank that skips the write would not have them
/// (MotionMap::holds_state_of()).
void affine(Vec out, PetscReal slope, Vec x, PetscReal factor, Vec base) {
  const bool shifted = base && factor != 0;
  const petsc::ScopedSweep sweep(1 + (slope != 0 ? 1 : 0) + (shifted ? 1 : 0));
  const petsc::ReadView from(x), shift(shifted ? base : x);
  const petsc::WriteView to(out);
  if (slope == 0)
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = shifted ? factor * shift[i] : 0;
  else if (shifted)
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = slope * from[i] + factor * shift[i];
  else
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = slope * from[i];
}

/// Marks the Vec as written: no rank keeps a cached norm that others have lost.
void touch(Vec x) { const petsc::WriteView written(x); }

/// Returns the sign of a perturbation. It depends on the global index, not on the distribution over the ranks.
PetscReal direction(PetscInt index) {
  const std::uint64_t mixed = (static_cast<std::uint64_t>(index) + 1) * 0x9E3779B97F4A7C15ULL;
  return (mixed >> 40) & 1 ? 1 : -1;
}

void perturb(Vec state, PetscReal relative, PetscInt first, PetscReal slope, Vec x, PetscReal factor, Vec base,
             PetscReal shift_of_all = 0) {
  const petsc::ScopedSweep sweep(base ? 4 : 3);
  const petsc::WriteView to(state);
  const petsc::ReadView from(x), shift(base ? base : x);
  for (std::size_t i = 0; i < to.size(); ++i) {
    const PetscReal terms = std::abs(slope * from[i]) + (base ? std::abs(factor * shift[i]) : 0);
    to[i] += direction(first + static_cast<PetscInt>(i)) * relative * std::max(terms, std::abs(to[i])) + shift_of_all;
  }
}

}  // namespace

PetscReal coefficient(Shifts s) {
  if (s.v != 0) return s.a != 0 ? s.a / s.v : s.v / s.q;
  return s.a != 0 ? PETSC_MAX_REAL : 0;
}

MotionMap::MotionMap(GuardedSystem& system, Vec layout)
    : system_(system), q_(duplicate(layout)), v_(duplicate(layout)), a_(duplicate(layout)), fixed_(system, q_.get()) {
  (void)find_constrained();
}

bool MotionMap::find_constrained() {
  const bool changed = fixed_.find();
  for (auto& values : prescribed_) values.resize(fixed_.constrained().size());
  return changed;
}

Vec MotionMap::place(int level) const {
  const std::array<Vec, 3> own{q_.get(), v_.get(), a_.get()}, given{map_.to_q, map_.to_v, map_.to_a};
  return given[level] ? given[level] : own[level];
}

void MotionMap::set(const AffineMap& map) {
  map_ = map;
  give_up_state();
  if (fixed_.any_constrained()) prescribed_at(map.t, prescribed_);
}

void MotionMap::set(const AffineMap& map, const ConstrainedValues& values) {
  map_ = map;
  give_up_state();
  prescribed_ = values;
}

void MotionMap::prescribe(PetscReal t, Vec q, Vec v, Vec a) {
  system_.parts().constraints->prescribe(t, q, v, a);
  if (fixed_.any_dependent()) system_.parts().constraints->complete(t, q, v, a);
}

void MotionMap::prescribed_at(PetscReal t, ConstrainedValues& values) {
  whole_ = false;
  system_.parts().constraints->prescribe(t, q_.get(), v_.get(), a_.get());
  const std::array<Vec, 3> levels{q_.get(), v_.get(), a_.get()};
  const std::vector<PetscInt>& entries = fixed_.constrained();
  for (std::size_t level = 0; level < levels.size(); ++level) {
    values[level].resize(entries.size());
    const petsc::ReadView written(levels[level]);
    for (std::size_t i = 0; i < entries.size(); ++i) values[level][i] = fixed_.depends(i) ? 0 : written[entries[i]];
  }
}

bool MotionMap::supports_move() const {
  if (!fixed_.any_constrained()) return false;
  const auto& velocities = prescribed_[1];
  return petsc::any(system_.comm(),
                    std::any_of(velocities.begin(), velocities.end(), [](PetscScalar v) { return v != 0; }));
}

void MotionMap::pin(const State& x, Shifts slope) {
  map_ = {};
  map_.t = x.t;
  map_.slope = slope;
  map_.internal = x.internal;
  check(VecCopy(x.q, q_.get()));
  check(VecCopy(x.v, v_.get()));
  check(VecCopy(x.a, a_.get()));
  give_up();
  pinned_ = true;
}

void MotionMap::constrain(Vec x) const {
  const petsc::WriteView view(x);
  const std::vector<PetscInt>& entries = fixed_.constrained();
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (!fixed_.depends(i)) view[entries[i]] = prescribed_[map_.unknown][i];
  for (const PetscInt i : fixed_.excluded()) view[i] = 0;
}

State MotionMap::state_at(Vec x) {
  if (pinned_) return state();
  for (int level = 0; level < 3; ++level) write_level(level, x);
  complete();
  whole_ = true;
  return state();
}

void MotionMap::write_level(int level, Vec x) {
  const std::array<PetscReal, 3> slope{map_.slope.q, map_.slope.v, map_.slope.a};
  const std::array<PetscReal, 3> factor{map_.factor_q, map_.factor_v, map_.factor_a};
  const std::array<Vec, 3> base{map_.base_q, map_.base_v, map_.base_a};
  now_[level] = place(level);
  affine(now_[level], slope[level], x, factor[level], base[level]);
  write_prescribed(level, now_[level]);
}

void MotionMap::write_prescribed(int level, Vec to) const {
  if (!fixed_.any_constrained()) return;
  const petsc::WriteView values(to);
  const std::vector<PetscInt>& entries = fixed_.constrained();
  for (std::size_t i = 0; i < entries.size(); ++i) values[entries[i]] = prescribed_[level][i];
}

void MotionMap::complete() {
  if (fixed_.any_dependent()) system_.parts().constraints->complete(map_.t, now_[0], now_[1], now_[2]);
}

/// Returns true if the present state is known to belong to x, that is, if the level that is the unknown has the entries
/// of x. Not collective, and code that depends on the result must not be collective either.
bool MotionMap::holds_state_of(Vec x) const {
  if (!whole_ || now_[map_.unknown] == x) return false;
  const petsc::ReadView mine(now_[map_.unknown]), theirs(x);
  if (!std::equal(mine.begin(), mine.end(), theirs.begin(), [](PetscScalar a, PetscScalar b) {
        return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
      }))
    return false;
  const petsc::ScopedSweep sweep(2);
  for (const Vec level : now_) touch(level);
  return true;
}

State MotionMap::state_still_at(Vec x) { return pinned_ || holds_state_of(x) ? state() : state_at(x); }

State MotionMap::solution(Vec x) {
  const bool written = holds_state_of(x);
  for (int level = 0; level < 3; ++level)
    if (level != map_.unknown && !written) write_level(level, x);
  write_prescribed(map_.unknown, x);
  now_[map_.unknown] = x;
  complete();
  map_.to_q = map_.to_v = map_.to_a = nullptr;
  whole_ = false;  // the caller owns x
  return state();
}

void MotionMap::give_up() {
  map_.to_q = map_.to_v = map_.to_a = nullptr;
  give_up_state();
}

void MotionMap::give_up_state() {
  now_ = {place(0), place(1), place(2)};
  whole_ = false;
}

State MotionMap::perturbed_state_at(Vec x, PetscReal relative) {
  const State at = state_at(x);
  whole_ = false;
  const PetscInt first = petsc::first_entry_of(x);
  const AffineMap& m = map_;
  const PetscReal shift = relative * system_.parts().rigid_motion->farthest_position();
  perturb(at.q, relative, first, m.slope.q, x, m.factor_q, m.base_q, shift);
  perturb(at.v, relative, first, m.slope.v, x, m.factor_v, m.base_v);
  perturb(at.a, relative, first, m.slope.a, x, m.factor_a, m.base_a);
  complete();
  return at;
}

void MotionMap::fix_rows(Vec x, Vec f, Vec reactions) const {
  if (fixed_.none()) return;
  const petsc::WriteView force(f), reaction(reactions);
  const petsc::ReadView unknown(x);
  const std::vector<PetscInt>& entries = fixed_.constrained();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const PetscInt entry = entries[i];
    const bool depends = fixed_.depends(i);
    reaction[entry] = depends ? 0 : force[entry];  // the work of these reactions is done by the others
    force[entry] = depends ? 0 : unknown[entry] - prescribed_[map_.unknown][i];
  }
  for (const PetscInt i : fixed_.excluded()) force[i] = unknown[i];
}

}  // namespace gearshift
