#pragma once

/// @file
/// Differences between the releases of PETSc in the private header of TS: event location and evaluation times.

#include <gearshift/dynamics/archive.hpp>

#include <petsc/private/tsimpl.h>

#include <vector>

namespace gearshift::ts {

/// The state of PETSc's search for events (ts/versions.cpp).
namespace events {

/// Version of the search: 2 since PETSc 3.21.
inline constexpr int search = PETSC_VERSION_LT(3, 21, 0) ? 1 : 2;

/// Returns true if an event or its aftermath determines the step at present.
bool set_step(TSEvent event);
/// Evaluates the event functions of this rank. Collective.
PetscErrorCode evaluate(TS ts, PetscReal t, Vec u, PetscScalar* values);
/// Returns -1, 0 or 1, the sign at the start of the step of a function of this rank; 0 within PETSc's tolerance of
/// zero.
int sign_at_start(TSEvent event, std::size_t i);
/// Visits the data that are the same on all ranks.
void archive_common(TSEvent event, Archive& state);
/// Return and restore the data of each function of this rank. Every function has the same number of values.
std::vector<PetscReal> numbers(TSEvent event);
void take_numbers(TSEvent event, const PetscReal* numbers);

}  // namespace events

/// The times at which the solution is stored (-ts_time_span, -ts_eval_times), and how many the solve has reached.
struct EvaluationTimes {
  PetscInt count = 0;  ///< number of times
  const PetscReal* times = nullptr;
  PetscReal relative = 0, absolute = 0;  ///< tolerances for the end of a step, relative to the step and in time
  PetscInt* next = nullptr;              ///< index of the time that is reached next
  PetscInt* kept = nullptr;              ///< number of solutions stored so far; may be the same counter as `next`
  Vec* solutions = nullptr;
  PetscReal* reached = nullptr;  ///< the times of the solutions, if PETSc stores them
};
/// Returns the evaluation times of a TS that is set up, with memory for its solutions. Collective.
EvaluationTimes evaluation_times(TS ts);

/// Called after a state was loaded for a solve. From 3.23 on PETSc stores the solution at the start of each solve, or
/// never advances beyond that time if it has already stored it.
void forget_solution_at_start(TS ts);
/// Returns the first evaluation time after the end t of a step, infinite if there is none, and sets how close PETSc
/// must find t to an evaluation time. @param dt the step that follows
PetscReal next_evaluation(TS ts, PetscReal t, PetscReal dt);
/// Returns the step `next` after one that ends at t, fitted to evaluation times and to the end as TSAdaptChoose() does.
PetscReal fitted(TS ts, PetscReal t, PetscReal next);
/// Calls TSAdaptChoose(), which in PETSc 3.21.0 to 3.23.5 fails after a step beyond an exact final time, and close to
/// one at times below 1e-14.
PetscErrorCode choose(TS ts, PetscReal wanted, PetscReal* next, PetscBool* accept);
/// Allows TSAdaptChoose() to be called once more for this step.
void choose_again(TS ts);

/// The step before one that was shortened to meet an evaluation time.
PetscReal& step_before_evaluation(TSAdapt adapt);

/// Vectors that TSResize() passes to the program, and the vectors that replace them (PETSc 3.20; older releases have no
/// such function).
namespace resize {
void install(TS ts, PetscErrorCode (*vectors)(TS, PetscBool));
PetscErrorCode offer(TS ts, const char* name, Vec x);
PetscErrorCode retrieve(TS ts, const char* name, Vec* x);
}  // namespace resize

}  // namespace gearshift::ts
