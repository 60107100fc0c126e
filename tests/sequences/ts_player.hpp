#pragma once

#include "sequences/ts_program.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ts_sequences {

enum class Kind {
  // These may change the motion, and are made by both runs.
  steps,
  solve,  ///< TSSolve() to a later time
  set_dt,
  set_tolerances,
  set_time,
  adapt,
  roll_back,
  kick,
  refuse,  ///< a step whose first attempts are outside of the domain on some ranks
  poison,  ///< a step in which a callback fails on some ranks
  reset,   ///< TSReset(), and another motion; the plain run uses a new TS
  // These must not change it, and are made by one run only.
  excursion,
  transfer,
  read,
  same_solution,  ///< TSSetSolution() with other vectors of the same values
  count
};

struct Call {
  Kind kind;
  int count = 1;
  unsigned how = 0;
  double x = 0;
};

std::string to_string(const Call& call);

/// The settings of a TS. They belong to the program, not to the state.
struct Settings {
  explicit Settings(TS ts) {
    TSAdapt adapt = nullptr;
    check(TSGetTolerances(ts, &absolute, nullptr, &relative, nullptr));
    check(TSGetMaxTime(ts, &max_time));
    check(TSGetMaxSteps(ts, &max_steps));
    check(TSGetAdapt(ts, &adapt));
    TSAdaptType name = nullptr;
    check(TSAdaptGetType(adapt, &name));
    type = name ? name : "";
    check(TSAdaptGetStepLimits(adapt, &least, &most));
    check(TSAdaptGetSafety(adapt, &safety, &reject_safety));
  }
  void apply(TS ts) const {
    TSAdapt adapt = nullptr;
    TSAdaptType now = nullptr;
    check(TSSetTolerances(ts, absolute, nullptr, relative, nullptr));
    check(TSSetMaxTime(ts, max_time));
    check(TSSetMaxSteps(ts, max_steps));
    check(TSGetAdapt(ts, &adapt));
    check(TSAdaptGetType(adapt, &now));
    if (!type.empty() && type != (now ? now : "")) check(TSAdaptSetType(adapt, type.c_str()));
    check(TSAdaptSetStepLimits(adapt, least, most));
    check(TSAdaptSetSafety(adapt, safety, reject_safety));
  }
  PetscReal absolute = 0, relative = 0, max_time = 0, least = 0, most = 0, safety = 0, reject_safety = 0;
  PetscInt max_steps = 0;
  std::string type;
};

/// Makes the calls of a sequence on a TS of type gear: all of them, or only those that may change the motion.
class Player {
 public:
  Player(const Case& c, bool plain);
  ~Player();
  void play(const Call& call);
  std::vector<Values> seen;
  std::string faults;

 private:
  TS ts() const { return program_->ts(); }
  Values state() const { return program_->state(resets_ == 0); }
  bool failed() const;
  PetscErrorCode call_solver();
  void step();
  void solve(const Call& call);
  void change(const Call& call);
  void disturbed_step(const Call& call);
  void reset();
  void keep(const Call& call);
  void wander(const Call& call);
  void exchange(const Call& call, TSGearSnapshot snapshot);
  void read(const Call& call);
  void give_same_solution();

  Case case_;
  bool plain_;
  int resets_ = 0;
  std::optional<Settings> at_set_up_;  ///< after a reset
  std::unique_ptr<Program> program_;
  std::string file_;
};

}  // namespace ts_sequences
