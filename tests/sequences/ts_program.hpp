#pragma once

#include "sequences/sequence.hpp"

#include <gearshift.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

/// Programs of PETSc's interface whose equations and settings are drawn from a seed.
namespace ts_sequences {

using sequences::check;
using sequences::Dice;
using sequences::gather;
using sequences::Handle;
using sequences::RandomSystem;
using sequences::Recipe;
using sequences::Values;

/// An event of PETSc: an entry of u crosses a level in either direction. (With one direction, or with two of them,
/// PETSc 3.18 may repeat the same two steps for ever.)
struct Watched {
  enum class Act { note, kick, end } act = Act::note;
  int entry = 0;
  double level = 0;
};

/// F(t, u, u', u'') of a second-order system, or, without masses, F(t, u, u').
struct Case {
  Recipe recipe;
  bool first_order = false;
  bool own_control = false;  ///< step control by gear instead of TSAdapt
  std::string keys;
  double dt = 0.01, tolerance = 1e-4;
  TSExactFinalTimeOption end = TS_EXACTFINALTIME_STEPOVER;
  std::vector<Watched> events;
};

inline Case draw_case(Dice& dice) {
  Case c;
  c.first_order = dice.chance(0.5);
  Recipe& r = c.recipe;
  r.n = dice.integer(1, 6);
  for (int i = 0; i < r.n; ++i) {
    r.mass.push_back(c.first_order ? 0 : dice.uniform(0.5, 2));
    r.spring.push_back(10 * dice.scale(0.1, 100));
    r.damper.push_back(c.first_order ? dice.uniform(0.5, 2) : dice.chance(0.5) ? dice.uniform(0, 1) : 0);
    r.cubic.push_back(dice.chance(0.3) ? r.spring.back() : 0);
    r.q0.push_back(dice.uniform(-0.5, 0.5));
    r.v0.push_back(dice.uniform(-2, 2));
  }
  r.coupling = dice.chance(0.7) ? dice.scale(1, 30) : 0;
  r.skew = c.first_order && dice.chance(0.6) ? dice.scale(3, 60) : 0;
  // Long oscillations: the choice of the method depends on their duration.
  const bool light = r.skew > 0 && r.n > 1 && dice.chance(0.5);
  if (light) {
    r.coupling = 0;
    for (int i = 0; i < r.n; ++i) {
      const auto at = static_cast<std::size_t>(i);
      r.spring[at] = r.skew * dice.scale(1e-3, 0.03);
      r.cubic[at] = 0;
      r.damper[at] = 1;
    }
  }
  r.load = !light && dice.chance(0.5) ? dice.uniform(1, 5) : 0;
  r.load_frequency = dice.scale(0.5, 20);
  c.dt = dice.scale(1e-3, 0.05);
  c.tolerance = dice.scale(1e-7, 1e-2);
  constexpr const char* families[] = {"auto", "bdf", "ndf2", "bdf_alpha", "sdirk", "esdirk"};
  constexpr const char* adapts[] = {"none", "step", "order"};
  const int adapt = light ? 2 : dice.integer(0, 3);
  c.own_control = adapt == 1 || adapt == 2;
  c.keys = adapt < 3 ? std::string(" -ts_gear_adapt ") + adapts[adapt] : " -ts_adapt_type basic";
  const int family = light ? 0 : c.first_order || dice.chance(0.5) ? dice.integer(0, 1) : dice.integer(2, 5);
  c.keys += std::string(" -ts_gear_family ") + families[family];
  if (family < 2 && dice.chance(0.5)) c.keys += " -ts_gear_order " + std::to_string(dice.integer(1, 6));
  if (dice.chance(0.3)) c.keys += " -ts_gear_start ramp";
  constexpr TSExactFinalTimeOption ends[] = {TS_EXACTFINALTIME_STEPOVER, TS_EXACTFINALTIME_MATCHSTEP,
                                             TS_EXACTFINALTIME_INTERPOLATE};
  c.end = ends[dice.integer(0, 3) % 3];
  if (dice.chance(0.3))
    c.events = {{static_cast<Watched::Act>(dice.integer(0, 2)), dice.integer(0, r.n - 1), dice.uniform(-0.3, 0.3)}};
  return c;
}

/// The data shared by the callbacks of a program.
struct Callbacks {
  /// The callback that fails on request.
  enum class Site { none, residual, tangent, before_stage, after_stage, domain, before_step, after_step, count };

  explicit Callbacks(const Case& c) : system(c.recipe), events(c.events), second_order(!c.first_order) {
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    bit = 1U << rank;
  }
  /// Functions around steps are called by PETSc itself: they fail on all ranks.
  bool fails_at(Site site) const { return site == poisoned && (site >= Site::before_step || (ranks & bit) != 0); }

  RandomSystem system;
  std::vector<Watched> events;
  bool second_order;
  bool curious = false;  ///< functions around steps read the state
  Site poisoned = Site::none;
  double refused = std::numeric_limits<double>::infinity();  ///< longer steps are outside of the domain
  unsigned ranks = 1, bit = 1;                               ///< mask of the ranks that fail; bit of this rank
  int looks = 0;                 ///< event evaluations by PETSc since the last call of a solver
  std::vector<double> happened;  ///< times of events
};

inline PetscErrorCode fail() { SETERRQ(PETSC_COMM_SELF, PETSC_ERR_USER, "failed on request"); }

inline PetscErrorCode residual(TS ts, const gearshift::State& x, Vec f, Callbacks& c) {
  PetscReal dt = 0;
  SNES snes = nullptr;
  PetscFunctionBeginUser;
  c.system.residual(x, f);
  PetscCall(TSGetTimeStep(ts, &dt));
  PetscCall(TSGetSNES(ts, &snes));
  if (dt > c.refused && (c.ranks & c.bit) != 0) PetscCall(SNESSetFunctionDomainError(snes));
  if (c.fails_at(Callbacks::Site::residual)) PetscCall(fail());
  PetscFunctionReturn(gearshift::petsc::success);
}

inline PetscErrorCode second_order(TS ts, PetscReal t, Vec u, Vec v, Vec a, Vec f, void* ctx) {
  return residual(ts, {t, u, v, a}, f, *static_cast<Callbacks*>(ctx));
}

inline PetscErrorCode first_order(TS ts, PetscReal t, Vec u, Vec v, Vec f, void* ctx) {
  Handle<Vec> zero;
  check(VecDuplicate(u, zero.out()));
  check(VecSet(zero.get(), 0));
  return residual(ts, {t, u, v, zero.get()}, f, *static_cast<Callbacks*>(ctx));
}

inline PetscErrorCode fill(Callbacks& c, Vec u, gearshift::Shifts s, Mat P) {
  PetscInt first = 0, last = 0;
  PetscFunctionBeginUser;
  const Values m = c.system.matrix(gather(u), {}, s);
  PetscCall(MatGetOwnershipRange(P, &first, &last));
  const auto n = static_cast<PetscInt>(c.system.recipe().mass.size());
  for (PetscInt i = first; i < last; ++i)
    for (PetscInt j = 0; j < n; ++j)
      PetscCall(MatSetValue(P, i, j, m[static_cast<std::size_t>(i * n + j)], INSERT_VALUES));
  PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  if (c.fails_at(Callbacks::Site::tangent)) PetscCall(fail());
  PetscFunctionReturn(gearshift::petsc::success);
}

inline PetscErrorCode second_order_tangent(TS, PetscReal, Vec u, Vec, Vec, PetscReal v, PetscReal a, Mat, Mat P,
                                           void* ctx) {
  return fill(*static_cast<Callbacks*>(ctx), u, {1, v, a}, P);
}

inline PetscErrorCode first_order_tangent(TS, PetscReal, Vec u, Vec, PetscReal v, Mat, Mat P, void* ctx) {
  return fill(*static_cast<Callbacks*>(ctx), u, {1, v, 0}, P);
}

inline Callbacks& callbacks_of(TS ts) {
  void* context = nullptr;
  check(TSGetApplicationContext(ts, static_cast<void*>(&context)));
  return *static_cast<Callbacks*>(context);
}

inline PetscErrorCode before_stage(TS ts, PetscReal) {
  PetscFunctionBeginUser;
  if (callbacks_of(ts).fails_at(Callbacks::Site::before_stage)) PetscCall(fail());
  PetscFunctionReturn(gearshift::petsc::success);
}

inline PetscErrorCode after_stage(TS ts, PetscReal, PetscInt, Vec*) {
  PetscFunctionBeginUser;
  if (callbacks_of(ts).fails_at(Callbacks::Site::after_stage)) PetscCall(fail());
  PetscFunctionReturn(gearshift::petsc::success);
}

/// Rejects long steps, on some ranks.
inline PetscErrorCode domain(TS ts, PetscReal, Vec, PetscBool* accept) {
  const Callbacks& c = callbacks_of(ts);
  PetscReal dt = 0;
  PetscFunctionBeginUser;
  PetscCall(TSGetTimeStep(ts, &dt));
  if (c.fails_at(Callbacks::Site::domain)) PetscCall(fail());
  *accept = dt > 2 * c.refused && (c.ranks & c.bit) != 0 ? PETSC_FALSE : PETSC_TRUE;
  PetscFunctionReturn(gearshift::petsc::success);
}

inline PetscErrorCode event_values(TS, PetscReal, Vec u, PetscScalar values[], void* ctx) {
  constexpr int most = 10000;
  Callbacks& c = *static_cast<Callbacks*>(ctx);
  const Values all = gather(u);
  if (++c.looks > most) return fail();  // PETSc is in an endless loop
  for (std::size_t i = 0; i < c.events.size(); ++i)
    values[i] = all[static_cast<std::size_t>(c.events[i].entry)] - c.events[i].level;
  return gearshift::petsc::success;
}

/// A kick slows the motion down, so that it does not cross the level again, where PETSc's steps would be negative.
inline PetscErrorCode after_event(TS ts, PetscInt count, PetscInt which[], PetscReal t, Vec, PetscBool, void* ctx) {
  Callbacks& c = *static_cast<Callbacks*>(ctx);
  Vec u = nullptr, v = nullptr;
  PetscFunctionBeginUser;
  if (c.second_order) PetscCall(TS2GetSolution(ts, &u, &v));
  for (PetscInt i = 0; i < count; ++i) {
    c.happened.push_back(t);
    if (v && c.events[static_cast<std::size_t>(which[i])].act == Watched::Act::kick) PetscCall(VecScale(v, 0.7));
  }
  PetscFunctionReturn(gearshift::petsc::success);
}

// Functions that read a step and change nothing.

inline PetscErrorCode look(TS ts) {
  Vec u = nullptr, copy = nullptr;
  PetscReal t = 0, before = 0, norm = 0;
  PetscFunctionBeginUser;
  PetscCall(TSGetSolution(ts, &u));
  PetscCall(TSGetTime(ts, &t));
  PetscCall(TSGetPrevTime(ts, &before));
  PetscCall(VecDuplicate(u, &copy));
  PetscInt steps = 0;
  PetscCall(TSGetStepNumber(ts, &steps));
  if (steps > 0) PetscCall(TSInterpolate(ts, (t + before) / 2, copy));
  PetscCall(VecNorm(copy, NORM_2, &norm));
  PetscCall(VecDestroy(&copy));
  PetscFunctionReturn(gearshift::petsc::success);
}

inline PetscErrorCode before_step(TS ts) {
  PetscFunctionBeginUser;
  if (callbacks_of(ts).fails_at(Callbacks::Site::before_step)) PetscCall(fail());
  if (callbacks_of(ts).curious) PetscCall(look(ts));
  PetscFunctionReturn(gearshift::petsc::success);
}

inline PetscErrorCode after_step(TS ts) {
  PetscFunctionBeginUser;
  if (callbacks_of(ts).fails_at(Callbacks::Site::after_step)) PetscCall(fail());
  if (callbacks_of(ts).curious) PetscCall(look(ts));
  PetscFunctionReturn(gearshift::petsc::success);
}

inline PetscErrorCode monitor(TS, PetscInt, PetscReal, Vec u, void*) {
  PetscReal norm = 0;
  PetscFunctionBeginUser;
  PetscCall(VecNorm(u, NORM_2, &norm));
  PetscFunctionReturn(gearshift::petsc::success);
}

class Program {
 public:
  /// @param looks with functions around steps that change nothing. The program is not set up: call begin().
  Program(const Case& c, bool looks) : case_(c), callbacks_(c) {
    check(TSCreate(PETSC_COMM_WORLD, ts_.out()));
    check(TSSetType(ts(), "gear"));
    check(TSSetApplicationContext(ts(), &callbacks_));
    const Handle<Vec> u = sequences::vector(c.recipe.q0, 1);
    PetscInt local = 0;
    check(VecGetLocalSize(u.get(), &local));
    const int n = c.recipe.n;
    check(MatCreateAIJ(PETSC_COMM_WORLD, local, local, n, n, n, nullptr, n, nullptr, matrix_.out()));
    if (c.first_order) {
      check(TSSetIFunction(ts(), nullptr, first_order, &callbacks_));
    } else {
      check(TSSetI2Function(ts(), nullptr, second_order, &callbacks_));
    }
    check(TSSetPreStage(ts(), before_stage));
    check(TSSetPostStage(ts(), after_stage));
    check(TSSetFunctionDomainError(ts(), domain));
    check(TSSetMaxTime(ts(), 1e6));
    check(TSSetExactFinalTime(ts(), c.end));
    check(TSSetErrorIfStepFails(ts(), PETSC_FALSE));
    check(TSSetTolerances(ts(), c.tolerance, nullptr, c.tolerance, nullptr));
    check(PetscOptionsClear(nullptr));
    check(PetscOptionsInsertString(nullptr, c.keys.c_str()));
    check(TSSetFromOptions(ts()));
    callbacks_.curious = looks;
    check(TSSetPreStep(ts(), before_step));
    check(TSSetPostStep(ts(), after_step));
    if (looks) check(TSMonitorSet(ts(), monitor, nullptr, nullptr));
  }
  TS ts() const { return ts_.get(); }
  Callbacks& callbacks() { return callbacks_; }
  bool of_first_order() const { return case_.first_order; }

  /// Starts at time 0 from the initial state of the case. Also used after TSReset(), so the matrices are set here.
  void begin() {
    if (case_.first_order)
      check(TSSetIJacobian(ts(), matrix_.get(), matrix_.get(), first_order_tangent, &callbacks_));
    else
      check(TSSetI2Jacobian(ts(), matrix_.get(), matrix_.get(), second_order_tangent, &callbacks_));
    give(sequences::vector(case_.recipe.q0, 1).get(), sequences::vector(case_.recipe.v0, 1).get());
    check(TSSetTime(ts(), 0));
    check(TSSetStepNumber(ts(), 0));
    check(TSSetTimeStep(ts(), case_.dt));  // before the events, since they copy it
    std::vector<PetscInt> directions;
    const auto ends = std::make_unique<PetscBool[]>(case_.events.size());  // not a vector, since PetscBool may be bool
    for (const Watched& event : case_.events) {
      ends[directions.size()] = event.act == Watched::Act::end ? PETSC_TRUE : PETSC_FALSE;
      directions.push_back(0);
    }
    const auto count = static_cast<PetscInt>(case_.events.size());
    if (count > 0)
      check(TSSetEventHandler(ts(), count, directions.data(), ends.get(), event_values, after_event, &callbacks_));
    check(TSSetConvergedReason(ts(), TS_CONVERGED_ITERATING));
    check(TSSetUp(ts()));
  }
  void give(Vec u, Vec v) { check(case_.first_order ? TSSetSolution(ts(), u) : TS2SetSolution(ts(), u, v)); }
  Vec u() const {
    Vec x = nullptr;
    check(TSGetSolution(ts(), &x));
    return x;
  }
  /// Returns the velocity; nullptr in a first-order program.
  Vec v() const {
    Vec x = nullptr, y = nullptr;
    if (!case_.first_order) check(TS2GetSolution(ts(), &x, &y));
    return y;
  }
  /// Returns time, step, counts and solution.
  Values state(bool counts) const {
    PetscReal t = 0, before = 0, dt = 0;
    std::array<PetscInt, 5> numbers{};
    TSConvergedReason reason = TS_CONVERGED_ITERATING;
    check(TSGetTime(ts(), &t));
    check(TSGetPrevTime(ts(), &before));
    check(TSGetTimeStep(ts(), &dt));
    check(TSGetConvergedReason(ts(), &reason));
    check(TSGetStepNumber(ts(), &numbers[0]));
    check(TSGetSNESIterations(ts(), &numbers[1]));
    check(TSGetKSPIterations(ts(), &numbers[2]));
    check(TSGetStepRejections(ts(), &numbers[3]));
    check(TSGetSNESFailures(ts(), &numbers[4]));
    Values all{t, dt, reason < 0 ? 1.0 : 0.0};
    if (counts) all.push_back(before);
    for (std::size_t i = 0; i < (counts ? numbers.size() : 1); ++i) all.push_back(static_cast<double>(numbers[i]));
    for (Vec x : {u(), v()})
      if (x)
        for (const double value : gather(x)) all.push_back(value);
    return all;
  }

 private:
  Case case_;
  Callbacks callbacks_;
  Handle<Mat> matrix_;
  Handle<TS> ts_;
};

}  // namespace ts_sequences
