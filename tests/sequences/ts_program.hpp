#pragma once

#include "sequences/sequence.hpp"

#include <gearshift.h>

#include <cmath>
#include <string>

/// Programs of PETSc's interface whose equations and settings a seed draws.
namespace ts_sequences {

using sequences::check;
using sequences::Dice;
using sequences::gather;
using sequences::Handle;
using sequences::RandomSystem;
using sequences::Recipe;
using sequences::Values;

/// F(t, u, u', u'') of a system of second order, or, without masses, F(t, u, u').
struct Case {
  Recipe recipe;
  bool first_order = false;
  std::string keys;
  double dt = 0.01, tolerance = 1e-4;
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
  // Long oscillations, in which the choice of the method depends on how long they have lasted.
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
  c.keys = adapt < 3 ? std::string(" -ts_gear_adapt ") + adapts[adapt] : " -ts_adapt_type basic";
  const int family = light ? 0 : c.first_order || dice.chance(0.5) ? dice.integer(0, 1) : dice.integer(2, 5);
  c.keys += std::string(" -ts_gear_family ") + families[family];
  if (family < 2 && dice.chance(0.5)) c.keys += " -ts_gear_order " + std::to_string(dice.integer(1, 6));
  if (dice.chance(0.3)) c.keys += " -ts_gear_start ramp";
  return c;
}

inline PetscErrorCode second_order(TS, PetscReal t, Vec u, Vec v, Vec a, Vec f, void* system) {
  static_cast<RandomSystem*>(system)->residual({t, u, v, a}, f);
  return 0;
}

inline PetscErrorCode first_order(TS, PetscReal t, Vec u, Vec v, Vec f, void* system) {
  Handle<Vec> zero;
  check(VecDuplicate(u, zero.out()));
  check(VecSet(zero.get(), 0));
  static_cast<RandomSystem*>(system)->residual({t, u, v, zero.get()}, f);
  return 0;
}

inline PetscErrorCode fill(RandomSystem& system, Vec u, gearshift::Shifts s, Mat P) {
  const Values m = system.matrix(gather(u), {}, s);
  PetscInt first = 0, last = 0;
  check(MatGetOwnershipRange(P, &first, &last));
  const auto n = static_cast<PetscInt>(system.recipe().mass.size());
  for (PetscInt i = first; i < last; ++i)
    for (PetscInt j = 0; j < n; ++j) check(MatSetValue(P, i, j, m[static_cast<std::size_t>(i * n + j)], INSERT_VALUES));
  check(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  return 0;
}

inline PetscErrorCode second_order_tangent(TS, PetscReal, Vec u, Vec, Vec, PetscReal v, PetscReal a, Mat, Mat P,
                                           void* system) {
  return fill(*static_cast<RandomSystem*>(system), u, {1, v, a}, P);
}

inline PetscErrorCode first_order_tangent(TS, PetscReal, Vec u, Vec, PetscReal v, Mat, Mat P, void* system) {
  return fill(*static_cast<RandomSystem*>(system), u, {1, v, 0}, P);
}

class Program {
 public:
  explicit Program(const Case& c)
      : u(sequences::vector(c.recipe.q0, 1)),
        v(sequences::vector(c.recipe.v0, 1)),
        first_order_(c.first_order),
        system_(c.recipe) {
    check(TSCreate(PETSC_COMM_WORLD, ts_.out()));
    check(TSSetType(ts(), "gear"));
    PetscInt local = 0;
    check(VecGetLocalSize(u.get(), &local));
    const int n = c.recipe.n;
    check(MatCreateAIJ(PETSC_COMM_WORLD, local, local, n, n, n, nullptr, n, nullptr, matrix_.out()));
    if (c.first_order) {
      check(TSSetIFunction(ts(), nullptr, first_order, &system_));
      check(TSSetIJacobian(ts(), matrix_.get(), matrix_.get(), first_order_tangent, &system_));
      check(TSSetSolution(ts(), u.get()));
    } else {
      check(TSSetI2Function(ts(), nullptr, second_order, &system_));
      check(TSSetI2Jacobian(ts(), matrix_.get(), matrix_.get(), second_order_tangent, &system_));
      check(TS2SetSolution(ts(), u.get(), v.get()));
    }
    check(TSSetTimeStep(ts(), c.dt));
    check(TSSetMaxTime(ts(), 1e6));
    check(TSSetErrorIfStepFails(ts(), PETSC_FALSE));
    check(TSSetTolerances(ts(), c.tolerance, nullptr, c.tolerance, nullptr));
    check(PetscOptionsClear(nullptr));
    check(PetscOptionsInsertString(nullptr, c.keys.c_str()));
    check(TSSetFromOptions(ts()));
    check(TSSetUp(ts()));
  }
  TS ts() const { return ts_.get(); }
  /// Time, step and solution.
  Values state() const {
    PetscReal t = 0, dt = 0;
    PetscInt steps = 0;
    check(TSGetTime(ts(), &t));
    check(TSGetTimeStep(ts(), &dt));
    check(TSGetStepNumber(ts(), &steps));
    Values all{t, dt, static_cast<double>(steps)};
    for (Vec x : {u.get(), v.get()})
      for (const double value : gather(x)) all.push_back(value);
    return all;
  }
  bool first_order_program() const { return first_order_; }
  Handle<Vec> u, v;

 private:
  bool first_order_;
  RandomSystem system_;
  Handle<Mat> matrix_;
  Handle<TS> ts_;
};

}  // namespace ts_sequences
