// TSResize(): the program gives its unknowns another size between two steps, as with another mesh. The history is handed to
// the program's transfer with the solution, so that order and step stay what they are.

#include "ts/gear.hpp"
#include "ts/versions.hpp"

#include <string>

namespace gearshift::ts {

using petsc::check;
using petsc::Handle;

namespace {

constexpr const char* velocity = "gear:v";

std::string name_of(std::size_t i) { return "gear:" + std::to_string(i); }

/// A vector that the program has transferred.
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
      if (!gear.integrator || !gear.integrator->started()) return;
      gear.carried.emplace();
      gear.carried_dt = gear.left.dt;
      gear.carried_restart = ts->steprestart;
      gear.resizing = true;
      gear.carried->begin_saving();
      archive_method(ts, *gear.carried);
      const auto vectors = gear.carried->vectors();
      for (std::size_t i = 0; i < vectors.size(); ++i) check(resize::offer(ts, name_of(i).c_str(), vectors[i].get()));
      if (gear.levels == 2) check(resize::offer(ts, velocity, ts->vec_dot));
      return;
    }
    if (!gear.carried) return;
    const auto vectors = gear.carried->vectors();
    for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = transferred(ts, name_of(i));
    if (gear.levels == 2)
      check(TS2SetSolution(ts, transferred(ts, "ts:vec_sol").get(), transferred(ts, velocity).get()));
  });
}

void arrive_resized(TS ts) {
  Gear& gear = gear_of(ts);
  gear.carried->begin_loading();
  archive_method(ts, *gear.carried);
  gear.carried.reset();
  ts->steprestart = gear.carried_restart;
  gear.left = {
      .dt = gear.carried_dt, .q = {}, .v = {}};  // a state that the program has changed differs from the history's
}

}  // namespace gearshift::ts
