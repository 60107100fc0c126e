// The same for programs of PETSc's interface: calls of a TS of type gear that must not change the motion.

#include <gearshift/petsc/session.hpp>

#include "sequences/ts_program.hpp"

#include <gearshift.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace ts_sequences;

enum class Kind { steps, set_dt, set_tolerances, roll_back, kick, excursion, transfer, read, count };
struct Call {
  Kind kind;
  int count;
  unsigned how;
  double x;
};

class Player {
 public:
  Player(const Case& c, bool plain) : case_(c), plain_(plain), program_(std::make_unique<Program>(c)) {
    int ranks = 1;
    MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
    file_ = "ts_sequence_" + std::to_string(ranks) + ".h5";
  }
  void play(const Call& call) {
    if (call.kind < Kind::excursion) return change(call);
    if (plain_) return;
    const std::size_t before = seen.size();
    keep(call);
    seen.resize(before);
  }
  std::vector<Values> seen;

 private:
  void steps(int count) {
    for (int i = 0; i < count; ++i) {
      TSConvergedReason reason = TS_CONVERGED_ITERATING;
      check(TSGetConvergedReason(ts(), &reason));
      if (reason < 0) break;  // a system that is too hard
      check(TSStep(ts()));
      seen.push_back(program_->state());
    }
  }
  void change(const Call& call) {
    PetscInt done = 0;
    PetscReal before = 0, now = 0;
    check(TSGetStepNumber(ts(), &done));
    switch (call.kind) {
      case Kind::set_dt:
        check(TSSetTimeStep(ts(), case_.dt * std::pow(4, 2 * call.x - 1.3)));
        break;
      case Kind::set_tolerances: {
        const double tolerance = case_.tolerance * std::pow(10, 3 * call.x - 1.5);
        check(TSSetTolerances(ts(), tolerance, nullptr, tolerance, nullptr));
        break;
      }
      case Kind::roll_back:
        check(TSGetTime(ts(), &before));
        steps(1);
        check(TSGetTime(ts(), &now));  // a step that failed cannot be taken back, although PETSc counts it
        if (call.how % 2 != 0 && now > before) check(TSRollBack(ts()));
        break;
      case Kind::kick:
        if (done > 0) check(VecScale(program_->u.get(), 1 + call.x / 10));
        break;
      default:
        steps(call.count);
    }
    seen.push_back(program_->state());
  }
  void keep(const Call& call) {
    const Values before = program_->state();
    if (call.kind == Kind::read) {
      Handle<Vec> x, y;
      check(VecDuplicate(program_->u.get(), x.out()));
      check(VecDuplicate(program_->u.get(), y.out()));
      if (before[2] > 0)
        check(TSGearInterpolate(ts(), before[0] - 1e-3 * call.x, x.get(),
                                program_->first_order_program() ? nullptr : y.get()));
    } else if (before[2] > 0) {
      TSGearSnapshot snapshot = nullptr;
      check(TSGearSnapshotCreate(ts(), &snapshot));
      if (call.how & 1) check(TSGearSave(ts(), file_.c_str()));
      if (call.kind == Kind::transfer) {
        std::unique_ptr<Program> next = std::make_unique<Program>(case_);
        if (call.how & 2) check(TSStep(next->ts()));
        std::swap(program_, next);
        tolerances_of(next->ts());
        from(call, snapshot);
        if (call.how & 4) check(TSStep(next->ts()));
      } else {
        if (call.how & 2) change({Kind::set_dt, 1, 0, call.x});
        if (call.how & 4) change({Kind::roll_back, 1, call.how >> 4, call.x});
        if (call.how & 8) change({Kind::kick, 1, 0, call.x});
        steps(call.count);
        from(call, snapshot);
      }
      check(TSGearSnapshotDestroy(&snapshot));
    }
    if (program_->state() != before) faults = "the state is another one after a call that keeps it";
  }
  void from(const Call& call, TSGearSnapshot snapshot) {
    check(call.how & 1 ? TSGearLoad(ts(), file_.c_str()) : TSGearSnapshotRestore(ts(), snapshot));
  }
  void tolerances_of(TS other) {
    PetscReal absolute = 0, relative = 0;
    check(TSGetTolerances(other, &absolute, nullptr, &relative, nullptr));
    check(TSSetTolerances(ts(), absolute, nullptr, relative, nullptr));
  }
  TS ts() const { return program_->ts(); }

  Case case_;
  bool plain_;
  std::unique_ptr<Program> program_;
  std::string file_;

 public:
  std::string faults;
};

std::string fault(const Case& c, const std::vector<Call>& calls) {
  std::string text;
  std::vector<Values> plainly, fully;
  try {
    Player plain(c, true), full(c, false);
    for (const Call& call : calls) plain.play(call);
    for (const Call& call : calls) full.play(call);
    text = full.faults;
    plainly = std::move(plain.seen);
    fully = std::move(full.seen);
  } catch (const std::exception& error) {
    text = error.what();
  }
  for (std::size_t i = 0; text.empty() && i < plainly.size(); ++i)
    if (i >= fully.size() || plainly[i] != fully[i])
      text = "observation " + std::to_string(i) + " of " + std::to_string(plainly.size()) + " differs";
  int failed = text.empty() ? 0 : 1;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
  return failed != 0 && text.empty() ? "on another rank" : text;
}

}  // namespace

int main(int argc, char** argv) {
  unsigned long long first = 0, count = 1;
  for (int i = 1; i + 1 < argc; ++i) {
    if (std::string(argv[i]) == "--first") first = std::strtoull(argv[i + 1], nullptr, 10);
    if (std::string(argv[i]) == "--count") count = std::strtoull(argv[i + 1], nullptr, 10);
  }
  int one = 1;
  gearshift::Session session(one, argv);
  check(GearshiftInitializePackage());
  int size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  unsigned long long failures = 0;
  for (unsigned long long seed = first; seed < first + count; ++seed) {
    Dice dice(seed);
    const Case c = draw_case(dice);
    std::vector<Call> calls;
    for (int i = dice.integer(4, 12); i > 0; --i) {
      const int kind = dice.chance(0.3) ? 0 : dice.integer(0, static_cast<int>(Kind::count) - 1);
      calls.push_back({static_cast<Kind>(kind), dice.integer(1, 25), static_cast<unsigned>(dice.integer(0, 255)),
                       dice.uniform(0, 1)});
    }
    calls.push_back({Kind::steps, c.first_order ? 100 : 20, 0, 0});
    std::string text = fault(c, calls);
    if (text.empty()) continue;
    ++failures;
    for (std::size_t i = 0; i < calls.size();) {
      std::vector<Call> fewer = calls;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      const std::string shorter = fault(c, fewer);
      if (shorter.empty()) {
        ++i;
      } else {
        calls = fewer;
        text = shorter;
      }
    }
    (void)PetscPrintf(PETSC_COMM_WORLD, "seed %llu on %d ranks: %s\n  order %d, %d unknowns, keys%s\n", seed, size,
                      text.c_str(), c.first_order ? 1 : 2, c.recipe.n, c.keys.c_str());
    for (const Call& call : calls)
      (void)PetscPrintf(PETSC_COMM_WORLD, "    call %d, count %d, how %u, x %g\n", static_cast<int>(call.kind),
                        call.count, call.how, call.x);
    (void)PetscPrintf(PETSC_COMM_WORLD, "  repeat: mpirun -n %d %s --first %llu --count 1\n", size, argv[0], seed);
  }
  (void)PetscPrintf(PETSC_COMM_WORLD, "%llu sequences, %llu of them failed\n", count, failures);
  return failures > 0 ? 1 : 0;
}
