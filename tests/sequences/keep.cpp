// Calls that must not change the motion.

#include "sequences/player.hpp"

#include <algorithm>
#include <cmath>

namespace sequences {

using gearshift::Snapshot;

void Player::expect_same(const Snapshot& before, const std::string& after) {
  const std::string part = machine_->stepper().snapshot().difference(before);
  // Outputs belong to the program; it may have others now.
  if (!part.empty() && !part.starts_with("outputs_written"))
    faults.push_back("after " + after + " the state differs in " + part);
}

void Player::keep(const Call& call) {
  gearshift::Stepper& stepper = machine_->stepper();
  switch (call.kind) {
    case Kind::read:
      return read(call);
    case Kind::snapshot: {
      const Snapshot taken = stepper.snapshot();
      expect_same(taken, "snapshot()");
      if (call.how % 2 == 0) return;
      stepper.restore(taken);
      return expect_same(taken, "restore() of the present state");
    }
    case Kind::excursion:
      return excursion(call);
    case Kind::transfer:
      return transfer(call);
    case Kind::outputs: {
      std::vector<PetscReal> times;
      const double unit = sequence_.options.dt > 0 ? sequence_.options.dt : 0.02;
      for (int i = 0; i <= call.count; ++i) times.push_back(stepper.state().t + i * unit * (0.1 + call.x));
      return stepper.add_output(times, [](const State& x) { (void)gather(x.q); });
    }
    default: {
      if (!other_) {
        Sequence alone = sequence_;
        alone.events.clear();
        alone.solver.clear();
        other_ = std::make_unique<Machine>(sequence_.other, sequence_.other_options, alone, Dress::constructor,
                                           "other_", nullptr);
        other_->begin(0, sequence_.other.q0, sequence_.other.v0);
      }
      try {
        for (int i = 0; i < call.count; ++i) (void)other_->stepper().step();
      } catch (const gearshift::StepFailed&) {  // its system may be too difficult
      }
    }
  }
}

void Player::read(const Call& call) {
  gearshift::Stepper& stepper = machine_->stepper();
  const Snapshot before = stepper.snapshot();
  const gearshift::StepperOptions options = stepper.options();
  const State x = stepper.state();
  const double t = x.t - call.x * 0.01;
  if (call.how & 1) (void)gather(stepper.reactions());
  if (call.how & 2) (void)stepper.half_step_residual();
  if (call.how & 4) (void)gather(stepper.state_at(t).q);
  if (call.how & 8) {
    const Handle<Vec> q = vector(sequence_.recipe.q0, sequence_.recipe.block),
                      v = vector(sequence_.recipe.v0, sequence_.recipe.block);
    stepper.interpolate(t, q.get(), (call.how & 16) ? v.get() : nullptr);
  }
  if (call.how & 32) (void)stepper.ledger().gain();
  if (call.how & 64) (void)gather(stepper.state_at(x.t).v);
  expect_same(before, "reading");
  if (!(options == stepper.options())) faults.push_back("after reading the options differ");
}

/// Takes steps and changes settings; restoring the state must remove all their effects.
void Player::wander(const Call& call) {
  const std::vector<std::function<void(Machine&)>> settings = machine_->settings;
  if (call.how & 1) change({Kind::steps, 1 + call.count / 2});
  if (call.how & 2) change({Kind::set_tolerances, 1, call.x, call.how / 3});
  if (call.how & 4) change({Kind::set_dt, 1, call.x});
  if (call.how & 8) change({Kind::set_order, 1, 0, call.how / 5});
  if (call.how & 16) change({call.how & 32 ? Kind::poison : Kind::refuse, 1, call.x, call.how / 7});
  if (call.how & 64) change({Kind::advance, call.count, call.x, 1});
  change({Kind::steps, call.count});
  // Discontinuities declared before the stepper's first step belong to the program.
  if (call.how & 128 && machine_->stepper().step_count() > 0) change({Kind::discontinuity, 1, call.x});
  if ((call.how & 768) == 768) change({Kind::statics});
  machine_->settings = settings;
}

void Player::excursion(const Call& call) {
  gearshift::Stepper& stepper = machine_->stepper();
  const Snapshot before = stepper.snapshot();
  if (call.how & 1024) {
    stepper.save(file_);
    expect_same(before, "save()");
    wander(call);
    stepper.load(file_);
    expect_same(before, "save(), steps and load()");
  } else {
    wander(call);
    stepper.restore(before);
    expect_same(before, "steps and restore()");
  }
}

/// Continues the motion in a new stepper, or in one that was used for something else.
void Player::transfer(const Call& call) {
  const Snapshot before = machine_->stepper().snapshot();
  if (call.how & 1) machine_->stepper().save(file_);
  std::unique_ptr<Machine> next = make(machine_->stepper().state().t);
  if (call.how & 2) {
    next->begin(0.01, sequence_.recipe.v0, sequence_.recipe.q0);
    try {
      for (unsigned i = 0; i < (call.how >> 3) % 4; ++i) (void)next->stepper().step();
    } catch (const gearshift::StepFailed&) {  // a state unrelated to this motion
    }
  }
  if (call.how & 1)
    next->stepper().load(file_);
  else
    next->stepper().restore(before);
  next->settle();
  next->settings = machine_->settings;
  std::unique_ptr<Machine> last = std::exchange(machine_, std::move(next));
  expect_same(before, call.how & 1 ? "load() into a new stepper" : "restore() into a new stepper");
  if (!(call.how & 4)) return;
  try {
    for (int i = 0; i < call.count; ++i) (void)last->stepper().step();
  } catch (const std::exception&) {  // the motion itself may throw, too
  }
}

}  // namespace sequences
