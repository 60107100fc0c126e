// TSResize(): the program changes the number of its unknowns between two steps, for example by another mesh. The
// history is passed to the program's transfer together with the solution, so that order and step are kept.

#include "ts/gear.hpp"
#include "ts/versions.hpp"

#include <string>
#include <utility>

namespace gearshift::ts {

using petsc::check;
using petsc::Handle;

namespace {

constexpr const char* velocity = "gear:v";

std::string name_of(std::size_t i) { return "gear:" + std::to_string(i); }

/// Returns a vector that the program has transferred.
Handle<Vec> transferred(TS ts, const std::string& name) {
  Vec x = nullptr;
  check(resize::retrieve(ts, name.c_str(), &x));
  if (!x) throw Error("TSResize(): the function of TSSetResize() that transfers vectors has left out '" + name + "'");
  return Handle<Vec>::share(x);
}

}  // namespace

PetscErrorCode resize_vectors(TS ts, PetscBool leaving) {
  return boundary(ts, [&] {
    Gear& gear = gear_of(ts);
    if (leaving) {
      if (!gear.integrator || gear.integrator->history().empty()) return;
      gear.carried = Gear::Carried{MemoryArchive(), gear.left.dt, ts->steprestart};
      gear.resizing = true;
      archive_method(ts, gear.carried->history);
      const auto vectors = gear.carried->history.vectors();
      for (std::size_t i = 0; i < vectors.size(); ++i) check(resize::offer(ts, name_of(i).c_str(), vectors[i].get()));
      if (gear.levels == 2) check(resize::offer(ts, velocity, ts->vec_dot));
      return;
    }
    if (!gear.carried) return;
    const auto vectors = gear.carried->history.vectors();
    for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = transferred(ts, name_of(i));
    if (gear.levels == 2)
      check(TS2SetSolution(ts, transferred(ts, "ts:vec_sol").get(), transferred(ts, velocity).get()));
  });
}

void arrive_resized(TS ts) {
  Gear& gear = gear_of(ts);
  Gear::Carried carried = *std::exchange(gear.carried, std::nullopt);
  carried.history.begin_loading();
  archive_method(ts, carried.history);
  ts->steprestart = carried.restart_due;
  gear.left = {.dt = carried.left_dt, .q = {}, .v = {}};  // without marks, states are compared by their values
}

}  // namespace gearshift::ts
