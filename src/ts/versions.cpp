#include "ts/versions.hpp"

#include <gearshift/petsc/error.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace gearshift::ts {

using petsc::check;

namespace events {

#if PETSC_VERSION_LT(3, 21, 0)

bool set_step(TSEvent event) { return event->status != TSEVENT_NONE; }

PetscErrorCode evaluate(TS ts, PetscReal t, Vec u, PetscScalar* values) {
  return (*ts->event->eventhandler)(ts, t, u, values, ts->event->ctx);
}

int sign_at_start(TSEvent event, std::size_t i) {
  const PetscReal value = PetscRealPart(event->fvalue_prev[i]);
  return PetscAbsReal(value) < event->vtol[i] ? 0 : (value > 0) - (value < 0);
}

void archive_common(TSEvent event, Archive& state) {
  state("status", event->status);
  state("iterations", event->iterctr);
  for (PetscReal* number : {&event->ptime_prev, &event->ptime_end, &event->ptime_right, &event->timestep_prev,
                            &event->timestep_posteventinterval, &event->timestep_postevent})
    state("time", *number);
}

/// Visits the numbers of function i, with a flag that is true if PETSc sets them only while it searches.
template <class Visit>
void visit_numbers(TSEvent event, PetscInt i, Visit&& visit) {
  visit(false, event->fvalue_prev[i]);
  visit(true, event->fvalue_right[i]);
  visit(true, event->side[i]);
  visit(true, event->zerocrossing[i]);
}

#else

bool set_step(TSEvent event) { return event->processing; }

PetscErrorCode evaluate(TS ts, PetscReal t, Vec u, PetscReal* values) {
  return (*ts->event->indicator)(ts, t, u, values, ts->event->ctx);
}

int sign_at_start(TSEvent event, std::size_t i) { return static_cast<int>(event->fsign_prev[i]); }

void archive_common(TSEvent event, Archive& state) {
  state("processing", event->processing);
  state("revisit_right", event->revisit_right);
  state("iterations", event->iterctr);
  for (PetscReal* number : {&event->ptime_prev, &event->ptime_right, &event->ptime_cache, &event->timestep_cache,
                            &event->timestep_postevent, &event->timestep_2nd_postevent})
    state("time", *number);
}

/// Visits the numbers of function i, with a flag that is true if PETSc sets them only while it searches.
template <class Visit>
void visit_numbers(TSEvent event, PetscInt i, Visit&& visit) {
  visit(false, event->fvalue_prev[i]);
  visit(false, event->fsign_prev[i]);
  visit(true, event->fvalue_right[i]);
  visit(true, event->fsign_right[i]);
  visit(true, event->gamma_AB[i]);
  visit(true, event->side[i]);
  visit(true, event->side_prev[i]);
  visit(true, event->justrefined_AB[i]);
}

#endif

std::vector<PetscReal> numbers(TSEvent event) {
  std::vector<PetscReal> all;
  const bool searching = event->iterctr > 0;
  for (PetscInt i = 0; i < event->nevents; ++i)
    visit_numbers(event, i, [&](bool while_searching, const auto& number) {
      all.push_back(searching || !while_searching ? static_cast<PetscReal>(number) : 0);
    });
  return all;
}

void take_numbers(TSEvent event, const PetscReal* numbers) {
  for (PetscInt i = 0; i < event->nevents; ++i)
    visit_numbers(event, i, [&](bool, auto& number) {
      number = static_cast<std::remove_reference_t<decltype(number)>>(*numbers++);
    });
}

}  // namespace events

#if PETSC_VERSION_LT(3, 23, 0)

EvaluationTimes evaluation_times(TS ts) {
  TSTimeSpan span = ts->tspan;
  if (!span) return {};
  return {span->num_span_times, span->span_times, span->reltol,   span->abstol,
          &span->spanctr,       &span->spanctr,   span->vecs_sol, nullptr};
}

PetscReal& step_before_evaluation(TSAdapt adapt) { return adapt->dt_span_cached; }

#else

EvaluationTimes evaluation_times(TS ts) {
  TSEvaluationTimes times = ts->eval_times;
  if (!times) return {};
  // TSSolve() allocates them, possibly after a state was loaded.
  if (!times->sol_vecs) check(VecDuplicateVecs(ts->vec_sol, times->num_time_points, &times->sol_vecs));
#if PETSC_VERSION_LT(3, 24, 0)
  PetscInt* kept = &times->sol_ctr;
#else
  PetscInt* kept = &times->sol_idx;
#endif
  return {times->num_time_points, times->time_points, times->reltol, times->abstol, &times->time_point_idx, kept,
          times->sol_vecs,        times->sol_times};
}

PetscReal& step_before_evaluation(TSAdapt adapt) { return adapt->dt_eval_times_cached; }

#endif

namespace {

/// How close PETSc must find the end of this step to an evaluation time; 0: TSAdaptChoose() has not set it yet.
#if PETSC_VERSION_LT(3, 21, 0)
PetscReal* tolerance_of_step(TS) { return nullptr; }
#elif PETSC_VERSION_LT(3, 23, 0)
PetscReal* tolerance_of_step(TS ts) { return ts->tspan ? &ts->tspan->worktol : nullptr; }
#else
PetscReal* tolerance_of_step(TS ts) { return ts->eval_times ? &ts->eval_times->worktol : nullptr; }
#endif

}  // namespace

void forget_solution_at_start(TS ts) {
  const EvaluationTimes times = evaluation_times(ts);
  if (!times.reached || *times.kept == 0) return;  // before 3.23 there is nothing to forget
  const PetscReal tolerance = times.relative * ts->time_step + times.absolute;
  if (PetscIsCloseAtTol(ts->ptime, times.reached[*times.kept - 1], tolerance, 0)) --*times.kept;
}

PetscReal next_evaluation(TS ts, PetscReal t, PetscReal dt) {
  const EvaluationTimes times = evaluation_times(ts);
  if (times.count == 0 || *times.next >= times.count) return PETSC_INFINITY;
  const PetscReal tolerance = times.relative * dt + times.absolute;
  if (PetscReal* of_step = tolerance_of_step(ts)) *of_step = tolerance;
  PetscInt i = *times.next;
  if (PetscIsCloseAtTol(t, times.times[i], tolerance, 0)) ++i;
  return i < times.count ? times.times[i] : PETSC_INFINITY;
}

PetscReal fitted(TS ts, PetscReal t, PetscReal next) {
  const PetscReal left = std::min(ts->max_time, next_evaluation(ts, t, next)) - t;
  if (ts->exact_final_time != TS_EXACTFINALTIME_MATCHSTEP || left <= 0) return next;
  return next > left ? left : 2 * next > left ? left / 2 : next;
}

PetscErrorCode choose(TS ts, PetscReal wanted, PetscReal* next, PetscBool* accept) {
  constexpr bool checks_rest = PETSC_VERSION_GE(3, 21, 0) && PETSC_VERSION_LT(3, 23, 6);
  constexpr PetscReal resolution = 10 * PETSC_MACHINE_EPSILON;
  const TSExactFinalTimeOption end = ts->exact_final_time;
  const PetscReal t = ts->ptime + ts->time_step, rest = ts->max_time - t;
  const bool at_end = std::abs(rest) <= resolution && PetscIsCloseAtTol(t, ts->max_time, resolution, 0);
  const bool refused = checks_rest && end == TS_EXACTFINALTIME_MATCHSTEP && rest <= resolution && !at_end;
  if (refused) ts->exact_final_time = TS_EXACTFINALTIME_UNSPECIFIED;
  const PetscErrorCode code = TSAdaptChoose(ts->adapt, ts, wanted, nullptr, next, accept);
  ts->exact_final_time = end;
  if (refused && code == petsc::success && *accept) *next = fitted(ts, t, *next);
  return code;
}

void choose_again(TS ts) {
  if (PetscReal* of_step = tolerance_of_step(ts)) *of_step = 0;
}

namespace resize {

#if PETSC_VERSION_LT(3, 20, 0)

void install(TS, PetscErrorCode (*)(TS, PetscBool)) {}
PetscErrorCode offer(TS, const char*, Vec) { return petsc::success; }
PetscErrorCode retrieve(TS, const char*, Vec*) { return petsc::success; }

#else

void install(TS ts, PetscErrorCode (*vectors)(TS, PetscBool)) { ts->ops->resizeregister = vectors; }
PetscErrorCode offer(TS ts, const char* name, Vec x) { return TSResizeRegisterVec(ts, name, x); }
PetscErrorCode retrieve(TS ts, const char* name, Vec* x) { return TSResizeRetrieveVec(ts, name, x); }

#endif

}  // namespace resize

}  // namespace gearshift::ts
