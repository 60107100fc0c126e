#pragma once

/// @file
/// Differences between the releases of PETSc in the private header of TS: how events are found, times of evaluation.

#include <gearshift/dynamics/archive.hpp>

#include <petsc/private/tsimpl.h>

#include <vector>

namespace gearshift::ts {

/// The state of PETSc's search for events (ts/versions.cpp).
namespace events {

/// Which search: 2 since PETSc 3.21.
inline constexpr int search = PETSC_VERSION_LT(3, 21, 0) ? 1 : 2;

/// Whether an event or its aftermath sets the step for the time being.
bool set_step(TSEvent event);
/// Evaluates the functions of this rank. Collective.
PetscErrorCode evaluate(TS ts, PetscReal t, Vec u, PetscScalar* values);
/// -1, 0 or 1 at the start of the step, for a function of this rank; 0 within PETSc's tolerance of zero.
int sign_at_start(TSEvent event, std::size_t i);
/// What is the same on all ranks.
void archive_common(TSEvent event, Archive& state);
/// What belongs to each function of this rank, and back. Every function has as many numbers.
std::vector<PetscReal> numbers(TSEvent event);
void take_numbers(TSEvent event, const PetscReal* numbers);

}  // namespace events

/// The times at which the solution is kept (-ts_time_span, -ts_eval_times) and how far the solve has come in them.
struct EvaluationTimes {
  PetscInt count = 0;  ///< of times
  const PetscReal* times = nullptr;
  PetscReal relative = 0, absolute = 0;  ///< how close a step's end must be, in parts of the step and in time
  PetscInt* next = nullptr;              ///< index of the time that is reached next
  PetscInt* kept = nullptr;              ///< solutions kept so far; may be `next`
  Vec* solutions = nullptr;
  PetscReal* reached = nullptr;  ///< the times of the solutions, where PETSc has them
};
/// Those of a TS that is set up, with place for its solutions. Collective.
EvaluationTimes evaluation_times(TS ts);

/// After a state was loaded for a solve: from 3.23 on PETSc keeps the solution at the start of each solve, or stays at that time
/// for ever where it has kept it before.
void forget_solution_at_start(TS ts);
/// The first such time after the end t of a step, infinite without one, and how close PETSc must find t to one of them.
/// @param dt the step that follows
PetscReal next_evaluation(TS ts, PetscReal t, PetscReal dt);
/// TSAdaptChoose() may be called once more for this step.
void choose_again(TS ts);

/// The step before one that was shortened to meet such a time.
PetscReal& step_before_evaluation(TSAdapt adapt);

/// Vectors that TSResize() hands to the program, and their successors (PETSc 3.20; before, there is no such function).
namespace resize {
void install(TS ts, PetscErrorCode (*vectors)(TS, PetscBool));
PetscErrorCode offer(TS ts, const char* name, Vec x);
PetscErrorCode retrieve(TS ts, const char* name, Vec* x);
}  // namespace resize

}  // namespace gearshift::ts
