#include "ts/versions.hpp"

#include <gearshift/petsc/error.hpp>

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

std::vector<PetscReal> numbers(TSEvent event) {
  std::vector<PetscReal> all;
  for (PetscInt i = 0; i < event->nevents; ++i)
    all.insert(all.end(), {PetscRealPart(event->fvalue_prev[i]), PetscRealPart(event->fvalue_right[i]),
                           static_cast<PetscReal>(event->side[i]), event->zerocrossing[i] ? 1.0 : 0.0});
  return all;
}

void take_numbers(TSEvent event, const PetscReal* numbers) {
  for (PetscInt i = 0; i < event->nevents; ++i, numbers += 4) {
    event->fvalue_prev[i] = numbers[0];
    event->fvalue_right[i] = numbers[1];
    event->side[i] = static_cast<PetscInt>(numbers[2]);
    event->zerocrossing[i] = numbers[3] != 0 ? PETSC_TRUE : PETSC_FALSE;
  }
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

std::vector<PetscReal> numbers(TSEvent event) {
  std::vector<PetscReal> all;
  for (PetscInt i = 0; i < event->nevents; ++i) {
    all.insert(all.end(), {event->fvalue_prev[i], event->fvalue_right[i], event->gamma_AB[i]});
    for (const PetscInt number : {event->fsign_prev[i], event->fsign_right[i], event->side[i], event->side_prev[i],
                                  static_cast<PetscInt>(event->justrefined_AB[i])})
      all.push_back(static_cast<PetscReal>(number));
  }
  return all;
}

void take_numbers(TSEvent event, const PetscReal* numbers) {
  for (PetscInt i = 0; i < event->nevents; ++i) {
    for (PetscReal* number : {&event->fvalue_prev[i], &event->fvalue_right[i], &event->gamma_AB[i]})
      *number = *numbers++;
    for (PetscInt* number : {&event->fsign_prev[i], &event->fsign_right[i], &event->side[i], &event->side_prev[i]})
      *number = static_cast<PetscInt>(*numbers++);
    event->justrefined_AB[i] = *numbers++ != 0 ? PETSC_TRUE : PETSC_FALSE;
  }
}

#endif

}  // namespace events

#if PETSC_VERSION_LT(3, 23, 0)

EvaluationTimes evaluation_times(TS ts) {
  if (!ts->tspan) return {};
  return {ts->tspan->num_span_times, ts->tspan->span_times, &ts->tspan->spanctr,
          &ts->tspan->spanctr,       ts->tspan->vecs_sol,   nullptr};
}

void forget_solution_at_start(TS) {}

PetscReal& step_before_evaluation(TSAdapt adapt) { return adapt->dt_span_cached; }

#else

EvaluationTimes evaluation_times(TS ts) {
  TSEvaluationTimes times = ts->eval_times;
  if (!times) return {};
  // TSSolve() makes them, after a state may have been loaded.
  if (!times->sol_vecs) check(VecDuplicateVecs(ts->vec_sol, times->num_time_points, &times->sol_vecs));
#if PETSC_VERSION_LT(3, 24, 0)
  PetscInt* kept = &times->sol_ctr;
#else
  PetscInt* kept = &times->sol_idx;
#endif
  return {times->num_time_points, times->time_points, &times->time_point_idx, kept, times->sol_vecs, times->sol_times};
}

void forget_solution_at_start([[maybe_unused]] TS ts) {
#if PETSC_VERSION_LT(3, 24, 0)
  TSEvaluationTimes times = ts->eval_times;
  if (times && times->sol_ctr > 0 &&
      PetscIsCloseAtTol(ts->ptime, times->sol_times[times->sol_ctr - 1], times->reltol * ts->time_step + times->abstol,
                        0))
    --times->sol_ctr;
#endif
}

PetscReal& step_before_evaluation(TSAdapt adapt) { return adapt->dt_eval_times_cached; }

#endif

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
