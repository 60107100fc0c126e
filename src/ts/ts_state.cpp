// The state of a TS of type gear, visited in the same way by TSView(), TSLoad() and checkpoints.

#include "ts/gear.hpp"
#include "ts/versions.hpp"

#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace gearshift::ts {

using petsc::check;

namespace {

/// Visits the changes of the program since the last step. The next step adopts them.
void archive_wishes(TS ts, Archive& state) {
  Gear& gear = gear_of(ts);
  const Gear::Left left = gear.left;
  PetscReal dt = left.dt;
  // Write access on one rank only increases the state of that rank's part.
  const bool any = petsc::any(petsc::comm_of(ts),
                              left.q != state_of(ts->vec_sol) || (gear.levels == 2 && left.v != state_of(ts->vec_dot)));
  bool moved = any;
  state("dt_left", dt);
  state("moved", moved);
  if (state.loading()) {
    copy_to_ts(ts, gear.integrator->history().state());
    remember_left(ts);
    gear.left.dt = dt;
  }
  if (!moved) return;
  state.vec("q", ts->vec_sol);
  if (gear.levels == 2) state.vec("v", ts->vec_dot);
}

/// Visits the solutions at the times of a span that have been reached.
void archive_span(TS ts, Archive& state) {
  const Archive::Group group(state, "span");
  const std::string key = std::string("-") + prefix_of(ts) + "ts_time_span";
  const EvaluationTimes span = evaluation_times(ts);
  const PetscInt here = span.count;
  PetscInt times = here;
  state("times", times);
  if (times != here)
    throw IoError("the file was written with " + std::to_string(times) + " times of " + key + ", but there are " +
                  std::to_string(here) + " now");
  if (times == 0) return;
  std::vector<PetscReal> then(span.times, span.times + times);
  state("t", then);
  for (PetscInt i = 0; i < times; ++i)
    if (then[static_cast<std::size_t>(i)] != span.times[i]) {
      std::ostringstream text;
      text << "the file was written with another " << key << ": time " << i << " is "
           << then[static_cast<std::size_t>(i)] << " there and " << span.times[i] << " now";
      throw IoError(text.str());
    }
  state("reached", *span.next);
  state("kept", *span.kept);
  for (PetscInt i = 0; i < *span.kept; ++i) {
    state.vec("q", span.solutions[i]);
    PetscReal t = span.reached ? span.reached[i] : span.times[i];
    state("reached_at", t);
    if (span.reached) span.reached[i] = t;
  }
}

/// The values of all ranks, rank by rank, and the count of each rank.
struct OfAllRanks {
  OfAllRanks(MPI_Comm comm, const std::vector<PetscReal>& mine) {
    const int ranks = petsc::ranks_of(comm);
    const int rank = petsc::rank_of(comm);
    std::vector<int> sizes(static_cast<std::size_t>(ranks)), starts(sizes.size());
    const int size = static_cast<int>(mine.size());
    MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm);
    std::exclusive_scan(sizes.begin(), sizes.end(), starts.begin(), 0);
    values.resize(static_cast<std::size_t>(starts.back() + sizes.back()));
    MPI_Allgatherv(mine.data(), size, MPIU_REAL, values.data(), sizes.data(), starts.data(), MPIU_REAL, comm);
    counts.assign(sizes.begin(), sizes.end());
    start = static_cast<std::size_t>(starts[static_cast<std::size_t>(rank)]);
  }
  std::vector<PetscReal> values, counts;
  std::size_t start = 0;
};

/// Visits the state of PETSc's event location. Each rank has its own event functions.
void archive_events(TS ts, Archive& state) {
  const Archive::Group group(state, "events");
  TSEvent event = ts->event;
  bool there = event != nullptr;
  state("there", there);
  if (there != (event != nullptr))
    throw IoError(there
                      ? "the file was written by a program with events (TSSetEventHandler), but this one has none"
                      : "the file was written by a program without events (TSSetEventHandler), but this one has some");
  if (!there) return;
  int search = events::search;
  state("search", search);
  if (search != events::search)
    throw IoError(std::string("the file was written by a program with events (TSSetEventHandler) and a PETSc ") +
                  (search == 1 ? "before" : "from") + " 3.21; the PETSc of this program locates events differently");
  events::archive_common(event, state);
  OfAllRanks all(petsc::comm_of(ts), events::numbers(event));
  const std::vector<PetscReal> counts_here = all.counts;
  state("counts", all.counts);
  state("values", all.values);
  if (!state.loading()) return;
  if (all.counts != counts_here) {  // different ranks: the functions are evaluated again here
    if (events::set_step(event))
      throw IoError("the file was written while an event was being located: continue on the same number of ranks");
    check(TSEventInitialize(event, ts, ts->ptime, ts->vec_sol));
    return;
  }
  events::take_numbers(event, all.values.data() + all.start);
}

}  // namespace

void archive_method(TS ts, Archive& state) {
  Gear& gear = gear_of(ts);
  state("substeps", gear.substeps.active);
  state("whole_step", gear.substeps.whole);
  state("end_of_step", gear.substeps.end);
  gear.integrator->archive(state);
}

/// Time, step and step number are not in PETSc's own file.
void archive(TS ts, Archive& state) {
  state("t", ts->ptime);
  state("t_before", ts->ptime_prev);
  state("dt", ts->time_step);
  state("step", ts->steps);
  state("restart_due", ts->steprestart);
  for (PetscInt* count : {&ts->snes_its, &ts->ksp_its, &ts->reject, &ts->num_snes_failures}) state("count", *count);
  state("steps_without_growth", ts->adapt->timestepjustdecreased);
  state("dt_before_span", step_before_evaluation(ts->adapt));
  archive_method(ts, state);
  archive_wishes(ts, state);
  archive_span(ts, state);
  archive_events(ts, state);
}

}  // namespace gearshift::ts
