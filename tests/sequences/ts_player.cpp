#include "sequences/ts_player.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <utility>

namespace ts_sequences {

namespace {

/// Returns true if a call fails. It must fail on all ranks or on none.
template <class Body>
bool fails(Body&& body) {
  check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  int code = body() == 0 ? 0 : 1, least = code;
  check(PetscPopErrorHandler());
  MPI_Allreduce(MPI_IN_PLACE, &code, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, PETSC_COMM_WORLD);
  if (code != least) throw std::runtime_error("some ranks have an error, others continue");
  return code != 0;
}

unsigned some_ranks(unsigned how) {
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  return 1 + how % ((1U << size) - 1);
}

Handle<Vec> copy_of(Vec x) {
  Handle<Vec> copy;
  if (!x) return copy;
  check(VecDuplicate(x, copy.out()));
  check(VecCopy(x, copy.get()));
  return copy;
}

}  // namespace

std::string to_string(const Call& call) {
  constexpr std::array names{"TSStep",
                             "TSSolve",
                             "TSSetTimeStep",
                             "TSSetTolerances",
                             "TSSetTime",
                             "TSAdapt",
                             "TSRollBack",
                             "a kick",
                             "step, refused",
                             "step, a callback fails",
                             "TSReset",
                             "an excursion",
                             "transfer",
                             "read",
                             "TSSetSolution of the same"};
  std::ostringstream text;
  text << names[static_cast<std::size_t>(call.kind)] << " {count " << call.count << ", how " << call.how << ", x "
       << call.x << "}";
  return text.str();
}

Player::Player(const Case& c, bool plain) : case_(c), plain_(plain), program_(std::make_unique<Program>(c, !plain)) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  file_ = "ts_sequence_" + std::to_string(ranks) + ".h5";
  program_->begin();
}

Player::~Player() {
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0) return;
  for (const char* end : {"", ".previous"}) std::remove((file_ + end).c_str());
}

void Player::play(const Call& call) {
  if (call.kind < Kind::excursion) return change(call);
  if (plain_) return;
  const std::size_t before = seen.size();
  keep(call);
  seen.resize(before);
}

/// The system may be too difficult.
bool Player::failed() const {
  TSConvergedReason reason = TS_CONVERGED_ITERATING;
  check(TSGetConvergedReason(ts(), &reason));
  return reason < 0;
}

PetscErrorCode Player::call_solver() {
  const bool interpolates = case_.end == TS_EXACTFINALTIME_INTERPOLATE;  // into a Vec other than the solution
  return TSSolve(ts(), interpolates ? copy_of(program_->u()).get() : nullptr);
}

void Player::step() {
  if (failed()) return;
  PetscReal t = 0, end = 0;
  check(TSGetTime(ts(), &t));
  check(TSGetMaxTime(ts(), &end));
  if (t >= end) check(TSSetMaxTime(ts(), 1e6));  // newer PETSc refuses steps beyond the end
  check(TSStep(ts()));
  seen.push_back(state());
}

/// Solves to a later time. If no step depends on that time, the full run raises it in pieces or calls TSStep().
void Player::solve(const Call& call) {
  if (failed()) return;
  PetscReal t = 0, dt = 0;
  PetscInt done = 0;
  check(TSGetTimeStep(ts(), &dt));
  if (!(dt > 0)) check(TSSetTimeStep(ts(), case_.dt));  // PETSc leaves 0 after an event near the end
  check(TSGetTime(ts(), &t));
  check(TSGetStepNumber(ts(), &done));
  const PetscReal end = t + case_.dt * call.count * (0.2 + call.x);
  check(TSSetMaxSteps(ts(), done + 200));
  program_->callbacks().happened.clear();
  program_->callbacks().looks = 0;
  const bool free_steps = !plain_ && case_.end != TS_EXACTFINALTIME_MATCHSTEP;
  if (free_steps && case_.events.empty() && done > 0 && call.how % 4 == 3) {
    check(TSSetMaxTime(ts(), end));
    PetscInt steps = done;
    while (t < end && steps < done + 200 && !failed()) {
      check(TSStep(ts()));
      check(TSGetTime(ts(), &t));
      check(TSGetStepNumber(ts(), &steps));
    }
    return seen.push_back({});
  }
  const int pieces = free_steps ? 1 + static_cast<int>(call.how % 3) : 1;
  for (int piece = 1; piece <= pieces; ++piece) {
    TSConvergedReason reason = TS_CONVERGED_ITERATING;
    check(TSSetMaxTime(ts(), piece < pieces ? t + (end - t) * piece / pieces : end));
    check(call_solver());
    check(TSGetConvergedReason(ts(), &reason));
    if (reason != TS_CONVERGED_TIME) break;
  }
  seen.push_back(program_->callbacks().happened);
}

void Player::change(const Call& call) {
  PetscInt done = 0;
  PetscReal before = 0, now = 0;
  TSAdapt adapt = nullptr;
  check(TSGetStepNumber(ts(), &done));
  check(TSGetTime(ts(), &now));
  // PETSc's events need TSSolve().
  const bool by_hand = call.kind == Kind::set_time || call.kind == Kind::roll_back || call.kind == Kind::kick ||
                       call.kind == Kind::refuse || call.kind == Kind::poison || call.kind == Kind::steps;
  switch (by_hand && !case_.events.empty() ? Kind::solve : call.kind) {
    case Kind::solve:
      solve(call);
      break;
    case Kind::set_dt:
      check(TSSetTimeStep(ts(), case_.dt * std::pow(4, 2 * call.x - 1.3)));
      break;
    case Kind::set_tolerances: {
      const double tolerance = case_.tolerance * std::pow(10, 3 * call.x - 1.5);
      check(TSSetTolerances(ts(), tolerance, nullptr, tolerance, nullptr));
      break;
    }
    case Kind::set_time:
      check(TSSetTime(ts(), call.how % 3 != 0 ? now + call.x : now));
      break;
    case Kind::adapt:
      check(TSGetAdapt(ts(), &adapt));
      if (call.how % 3 == 0 && !case_.own_control)
        check(TSAdaptSetType(adapt, call.how % 2 != 0 ? TSADAPTBASIC : TSADAPTNONE));
      else if (call.how % 3 == 1)
        check(TSAdaptSetStepLimits(adapt, 1e-20, case_.dt * (1 + 20 * call.x)));
      else
        check(TSAdaptSetSafety(adapt, 0.5 + 0.4 * call.x, 0.1 + 0.4 * call.x));
      break;
    case Kind::roll_back:
      before = now;
      step();
      check(TSGetTime(ts(), &now));  // a failed step cannot be taken back, although PETSc counts it
      if (call.how % 2 != 0 && now > before) check(TSRollBack(ts()));
      break;
    case Kind::kick:
      if (done > 0) check(VecScale(program_->u(), 1 + call.x / 10));
      break;
    case Kind::refuse:
    case Kind::poison:
      disturbed_step(call);
      break;
    case Kind::reset:
      reset();
      break;
    default:
      for (int i = 0; i < call.count; ++i) step();
  }
  seen.push_back(state());
}

void Player::disturbed_step(const Call& call) {
  using Site = Callbacks::Site;
  Callbacks& callbacks = program_->callbacks();
  callbacks.ranks = some_ranks(call.how / 8);
  if (call.kind == Kind::refuse) {
    callbacks.refused = case_.dt * std::pow(10, -2 * call.x);
    step();
  } else if (!failed()) {
    callbacks.poisoned = static_cast<Site>(1 + call.how % (static_cast<unsigned>(Site::count) - 1));
    PetscInt done = 0;
    check(TSGetStepNumber(ts(), &done));
    check(TSSetMaxSteps(ts(), done + 1));
    check(TSSetMaxTime(ts(), 1e6));
    const bool around_step = callbacks.poisoned >= Site::before_step;  // called only by TSSolve()
    seen.push_back({fails([&] { return around_step ? call_solver() : TSStep(ts()); }) ? 1.0 : 0.0});
  }
  callbacks.refused = std::numeric_limits<double>::infinity();
  callbacks.poisoned = Site::none;
}

/// Another motion in a used TS equals that in a new one.
void Player::reset() {
  ++resets_;
  const Settings settings(ts());
  at_set_up_ = settings;
  if (plain_) {
    auto next = std::make_unique<Program>(case_, false);
    settings.apply(next->ts());
    program_ = std::move(next);
  } else {
    check(TSReset(ts()));
  }
  program_->begin();
}

void Player::keep(const Call& call) {
  if (failed()) return;  // TSSolve() and a snapshot would continue
  const Values before = program_->state(true);
  if (call.kind == Kind::read) read(call);
  if (call.kind == Kind::same_solution) give_same_solution();
  if (call.kind == Kind::excursion || call.kind == Kind::transfer) {
    TSGearSnapshot snapshot = nullptr;
    check(TSGearSnapshotCreate(ts(), &snapshot));
    if (call.how & 1) check(TSGearSave(ts(), file_.c_str()));
    const Settings settings(ts());
    if (call.kind == Kind::transfer) {
      auto last = std::make_unique<Program>(case_, true);
      if (at_set_up_) at_set_up_->apply(last->ts());
      last->begin();
      if (call.how & 2 && case_.events.empty()) check(TSStep(last->ts()));
      std::swap(program_, last);
      settings.apply(ts());
      exchange(call, snapshot);
      if (call.how & 4 && case_.events.empty()) check(TSStep(last->ts()));
    } else {
      wander(call);
      settings.apply(ts());
      exchange(call, snapshot);
    }
    check(TSGearSnapshotDestroy(&snapshot));
  }
  if (program_->state(true) != before) faults = "the state is another one after " + to_string(call);
}

/// Takes steps and makes changes that are undone by restoring a snapshot or a file.
void Player::wander(const Call& call) {
  if (call.how & 2) change({Kind::set_dt, 1, 0, call.x});
  if (call.how & 4) change({Kind::roll_back, 1, call.how >> 4, call.x});
  if (call.how & 8) change({Kind::kick, 1, 0, call.x});
  if (call.how & 16) change({call.how & 32 ? Kind::refuse : Kind::poison, 1, call.how >> 6, call.x});
  if (call.how & 64) change({Kind::solve, call.count, call.how >> 4, call.x});
  if (call.how & 128) change({Kind::set_tolerances, 1, 0, call.x});
  change({Kind::steps, call.count, call.how >> 3, call.x});
}

void Player::exchange(const Call& call, TSGearSnapshot snapshot) {
  check(call.how & 1 ? TSGearLoad(ts(), file_.c_str()) : TSGearSnapshotRestore(ts(), snapshot));
}

void Player::read(const Call& call) {
  PetscInt steps = 0;
  PetscReal t = 0;
  check(TSGetStepNumber(ts(), &steps));
  check(TSGetTime(ts(), &t));
  if (steps == 0) return;
  const Handle<Vec> u = copy_of(program_->u()), v = copy_of(program_->v());
  check(TSGearInterpolate(ts(), t - 1e-3 * call.x, u.get(), v.get()));
  check(look(ts()));
  if (call.how & 1) (void)gearshift::petsc::WriteView(program_->u());  // write access is not a change
}

void Player::give_same_solution() {
  const Handle<Vec> u = copy_of(program_->u()), v = copy_of(program_->v());
  program_->give(u.get(), v.get());
}

}  // namespace ts_sequences
