/// Times at which a formula is not smooth, found from its branches.

#include <gearshift/expression/expression.hpp>

#include "expression/run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gearshift::expression {
namespace {

/// The variables that an operand depends on.
struct Dependence {
  bool on_time = false, on_place = false;
  bool affine = true;  // in t

  Dependence with(const Dependence& other) const {
    return {on_time || other.on_time, on_place || other.on_place, affine && other.affine};
  }
};

/// Returns the dependences of the branches of a program, in the order in which run() reaches them.
std::vector<Dependence> branches_of(const Program& program) {
  std::vector<Dependence> branches;
  std::vector<Dependence> stack;
  const auto pop = [&stack] {
    const Dependence last = stack.back();
    stack.pop_back();
    return last;
  };
  for (const Expression::Instruction& instruction : program) {
    const Op op = operation(instruction);
    if (op == Op::number) {
      stack.push_back({});
    } else if (op == Op::t) {
      stack.push_back({true, false, true});
    } else if (op <= Op::z) {
      stack.push_back({false, true, true});
    } else if (op <= Op::ramp) {
      Dependence a = pop();
      if (op == Op::abs || op == Op::step || op == Op::table || op == Op::ramp) branches.push_back(a);
      if (op == Op::ramp) branches.push_back(a);
      a.affine = a.affine && (op == Op::negate || !a.on_time);
      stack.push_back(a);
    } else if (op == Op::select) {
      const Dependence b = pop(), a = pop(), condition = pop();
      Dependence all = a.with(b).with(condition);
      all.affine = !all.on_time;
      stack.push_back(all);
    } else {
      const Dependence b = pop(), a = pop();
      Dependence both = a.with(b);
      if (op == Op::min || op == Op::max || (op >= Op::less && op <= Op::greater_equal)) branches.push_back(both);
      const bool keeps = op == Op::add || op == Op::subtract || (op == Op::multiply && !(a.on_time && b.on_time)) ||
                         (op == Op::divide && !b.on_time);
      both.affine = both.affine && (keeps || !both.on_time);
      stack.push_back(both);
    }
  }
  return branches;
}

/// Finds the times at which branches of a program change, at one position.
class SwitchFinder {
 public:
  SwitchFinder(const Program& program, const Place& X)
      : program_(program),
        X_(X),
        depends_(branches_of(program)),
        now_(depends_.size()),
        next_(depends_.size()),
        levels_(depends_.size()) {}

  /// Returns the first change in (from, until] of a branch that may affect the formula. `which` receives the branch.
  std::optional<PetscReal> first(PetscReal from, PetscReal until, std::size_t& which) {
    std::optional<PetscReal> found;
    const auto take = [&](std::size_t k, PetscReal t) {
      if (t > from && t <= until && (!found || t < *found)) {
        found = t;
        which = k;
      }
    };
    bool others = false;
    std::fill(levels_.begin(), levels_.end(), 0.0);
    look(from, now_);
    for (std::size_t k = 0; k < depends_.size(); ++k) {
      others = others || (depends_[k].on_time && !depends_[k].affine);
      if (!depends_[k].on_time || !depends_[k].affine || now_[k].value.f_t == 0) continue;
      if (const Table* table = now_[k].table) {
        const PetscReal f = now_[k].value.f;
        const PetscReal level = now_[k].value.f_t > 0 ? table->rough_above(f) : table->rough_at_or_below(f);
        if (!std::isfinite(level)) continue;
        levels_[k] = level;
        now_[k].value.f -= level;
      }
      const PetscReal root = from - now_[k].value.f / now_[k].value.f_t;
      const PetscReal margin = 16 * PETSC_MACHINE_EPSILON * std::max({std::abs(root), std::abs(from), root - from});
      if (!(root > from - margin) || !(root <= until + margin)) continue;
      const PetscReal a = std::max(from, root - margin), b = root + margin;
      if (on(k, a) != on(k, b)) take(k, flip(k, a, b));
    }
    if (!others || !std::isfinite(until)) return found;
    for (int i = 1; i <= cells && !(found && *found <= from + (until - from) * (i - 1) / cells); ++i) {
      const PetscReal a = from + (until - from) * (i - 1) / cells,
                      b = i == cells ? until : from + (until - from) * i / cells;
      look(b, next_);
      for (std::size_t k = 0; k < depends_.size(); ++k) {
        if (!depends_[k].on_time || depends_[k].affine) continue;
        const auto search = [&] {
          if (on(now_[k]) != on(next_[k])) {
            take(k, flip(k, a, b));
          } else if (const PetscReal turn = turns(k, a, b); turn > a && on(k, turn) != on(now_[k])) {
            take(k, flip(k, a, turn));
          }
        };
        const Table* table = now_[k].table;
        if (!table) {
          search();
          continue;
        }
        // Only the nearest switches of the table above and below can be the first.
        const PetscReal here = now_[k].value.f, there = next_[k].value.f;
        for (const PetscReal level : {table->rough_above(here), table->rough_at_or_below(here)}) {
          if (!std::isfinite(level)) continue;
          levels_[k] = level;
          now_[k].value.f = here - level;
          next_[k].value.f = there - level;
          search();
        }
        levels_[k] = 0;
        next_[k].value.f = there;
      }
      now_.swap(next_);
    }
    return found;
  }

  const Dependence& dependence(std::size_t k) const { return depends_[k]; }
  bool smooth(std::size_t k) const { return now_[k].smooth; }

 private:
  static constexpr int cells = 256;  // parts of the time searched, for arguments that are not affine in t

  static bool on(const Branch<Jet>& branch) { return branch.strict ? branch.value.f > 0 : branch.value.f >= 0; }
  bool on(std::size_t k, PetscReal t) const {
    std::size_t i = 0;
    bool result = false;
    (void)run<PetscReal>(program_, t, X_, [&](const Branch<PetscReal>& branch) {
      if (i++ == k) result = branch.strict ? branch.value > levels_[k] : branch.value >= levels_[k];
    });
    return result;
  }
  void look(PetscReal t, std::vector<Branch<Jet>>& branches) const {
    std::size_t i = 0;
    (void)run<Jet>(program_, Jet{t, 1, 0}, X_, [&](const Branch<Jet>& branch) {
      branches[i] = branch;
      branches[i].value.f -= levels_[i];
      ++i;
    });
  }
  PetscReal slope(std::size_t k, PetscReal t) const {
    std::size_t i = 0;
    PetscReal result = 0;
    (void)run<Jet>(program_, Jet{t, 1, 0}, X_, [&](const Branch<Jet>& branch) {
      if (i++ == k) result = branch.value.f_t;
    });
    return result;
  }

  /// Returns the first number after `a` at which the branch has its state at `b`.
  PetscReal flip(std::size_t k, PetscReal a, PetscReal b) const {
    const bool target = on(k, b);
    for (PetscReal middle = a + (b - a) / 2; middle > a && middle < b; middle = a + (b - a) / 2)
      (on(k, middle) == target ? b : a) = middle;
    return b;
  }

  /// Returns the time between a and b at which the argument is closest to zero, or `a` if it has no turning point. The
  /// argument has one sign at both ends.
  PetscReal turns(std::size_t k, PetscReal a, PetscReal b) const {
    const PetscReal sign = now_[k].value.f < 0 ? -1 : 1;
    if (!(sign * now_[k].value.f_t < 0) || !(sign * next_[k].value.f_t > 0)) return a;
    for (int i = 0; i < 50; ++i) {
      const PetscReal middle = a + (b - a) / 2;
      (sign * slope(k, middle) < 0 ? a : b) = middle;
    }
    return b;
  }

  const Program& program_;
  const Place& X_;
  std::vector<Dependence> depends_;
  std::vector<Branch<Jet>> now_, next_;
  std::vector<PetscReal> levels_;  // values at which branches switch: one of the points for tables, else 0
};

/// Returns the lowest derivative that is not continuous from `before` to `after`, which are `gap` apart; 3 if all up to
/// f'' are continuous.
int rough_derivative(const Jet& before, const Jet& after, PetscReal gap) {
  const auto differ = [](PetscReal a, PetscReal b, PetscReal allowed) { return !(std::abs(a - b) <= allowed); };
  const PetscReal slope = std::abs(before.f_t) + std::abs(after.f_t),
                  curvature = std::abs(before.f_tt) + std::abs(after.f_tt);
  if (differ(before.f, after.f, 64 * slope * gap + 1e-12 * (std::abs(before.f) + std::abs(after.f)))) return 0;
  if (differ(before.f_t, after.f_t, 64 * curvature * gap + 1e-10 * slope)) return 1;
  return differ(before.f_tt, after.f_tt, 1e-6 * curvature) ? 2 : 3;
}

}  // namespace

std::optional<RoughTime> Expression::next_rough_time(PetscReal t, PetscReal until, const Place& X) const {
  if (!depends_on_time()) return std::nullopt;
  SwitchFinder finder(program_, X);
  std::size_t which = 0;
  while (const std::optional<PetscReal> found = finder.first(t, until, which)) {
    constexpr PetscReal nothing = std::numeric_limits<PetscReal>::min() / PETSC_MACHINE_EPSILON;
    // A switch at exactly 0, like the sign of sin(t), is also found at the next number.
    if (t == 0 && *found < nothing) {
      t = *found;
      continue;
    }
    const PetscReal apart = 4 * PETSC_MACHINE_EPSILON * std::max(std::abs(*found), nothing);
    int derivative = rough_derivative(jet(*found - apart, X), jet(*found + apart, X), 2 * apart);
    if (finder.smooth(which) && derivative == 2) derivative = 3;  // the change of f'' across a gap of rounding size
    // A change that is hidden by another branch does not count.
    if (derivative < 3 || finder.smooth(which))
      return RoughTime{*found, derivative, !finder.dependence(which).on_place};
    t = *found;
  }
  return std::nullopt;
}

void RoughTime::merge(std::optional<RoughTime>& first, const std::optional<RoughTime>& other) {
  if (!other) return;
  const PetscReal same = 3 * PETSC_MACHINE_EPSILON * std::abs(other->t);
  if (!first || other->t < first->t - same) {
    first = other;
  } else if (other->t <= first->t + same) {
    first->t = std::max(first->t, other->t);
    first->everywhere = first->everywhere && other->everywhere;
    first->derivative = std::min(first->derivative, other->derivative);
  }
}

}  // namespace gearshift::expression
