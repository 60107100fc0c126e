// What a step costs in reductions beside callbacks and linear solves.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace {

bool counting = false;
long reductions = 0;

}  // namespace

// The library's and PETSc's calls come here first.
#undef MPI_Allreduce
extern "C" int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (counting) ++reductions;
  return PMPI_Allreduce(in, out, count, type, op, comm);
}

namespace {

using gearshift::Adapt;
using gearshift::petsc::check;
using small::Values;

/// A damped chain, diagonal in the unknowns, whose callbacks are not counted.
class Quiet : public gearshift::System {
 public:
  void residual(const gearshift::State& x, Vec r) override {
    const Pause pause;
    check(VecWAXPY(r, 9, x.q, x.a));
    check(VecAXPY(r, 0.3, x.v));
  }
  void tangent(const gearshift::State&, gearshift::Shifts s, Vec in, Vec out) override {
    const Pause pause;
    check(VecCopy(in, out));
    check(VecScale(out, 9 * s.q + 0.3 * s.v + s.a));
  }
  bool symmetric() const override { return true; }

  struct Pause {
    Pause() : before(counting) { counting = false; }
    ~Pause() { counting = before; }
    bool before;
  };
};

PetscErrorCode pause_counting(KSP, Vec, Vec, void*) {
  counting = false;
  return 0;
}

PetscErrorCode go_on_counting(KSP, Vec, Vec, void*) {
  counting = true;
  return 0;
}

TEST(Cost, ReductionsOfAStep) {
  Quiet system;
  const auto q = small::vector(Values(40, 1.0)), v = small::vector(Values(40, 0.0));
  gearshift::Stepper stepper(
      system, q.get(),
      {.order = 3, .adapt = Adapt::order, .family = gearshift::Family::bdf, .rtol = 1e-6, .atol = 1e-6});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.advance_to(2);
  KSP ksp = nullptr;
  check(SNESGetKSP(stepper.snes(), &ksp));
  check(KSPSetPreSolve(ksp, pause_counting, nullptr));
  check(KSPSetPostSolve(ksp, go_on_counting, nullptr));
  std::vector<long> counts;
  for (int i = 0; i < 200; ++i) {
    reductions = 0;
    counting = true;
    const gearshift::StepReport report = stepper.step();
    counting = false;
    if (report.order == 3 && report.newton_iterations == 1 && report.attempts == 1) counts.push_back(reductions);
  }
  ASSERT_GT(counts.size(), 100U);
  std::sort(counts.begin(), counts.end());
  // One for the residual, one for the increment, one for the error; one more where the order is reconsidered.
  EXPECT_EQ(counts.front(), 3);
  EXPECT_LE(counts[counts.size() / 2], 4);
  EXPECT_LE(counts[counts.size() * 9 / 10], 4);
}

}  // namespace
