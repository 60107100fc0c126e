// The cost of a step in reductions and in passes over vectors, without callbacks and linear solves.

#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace {

bool counting = false;
long reductions = 0;

}  // namespace

// Intercepts the calls of the library and of PETSc.
#undef MPI_Allreduce
extern "C" int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  if (counting) ++reductions;
  return PMPI_Allreduce(in, out, count, type, op, comm);
}

namespace {

namespace petsc = gearshift::petsc;
using gearshift::Adapt;
using gearshift::Family;
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
  /// A tangent that does not depend on the state; the default would store a copy for tangent().
  class Constant : public gearshift::Linearization {
   public:
    void update(const gearshift::State&) override {}
    void apply(gearshift::Shifts s, Vec in, Vec out) override {
      const Pause pause;
      check(VecCopy(in, out));
      check(VecScale(out, 9 * s.q + 0.3 * s.v + s.a));
    }
  };
  std::unique_ptr<gearshift::Linearization> make_linearization() override { return std::make_unique<Constant>(); }
  bool symmetric() const override { return true; }

  struct Pause {
    Pause() : before(counting) {
      counting = false;
      check(PetscLogStagePush(aside));
    }
    ~Pause() {
      counting = before;
      (void)!PetscLogStagePop();
    }
    bool before;
  };
  static inline PetscLogStage aside = -1;  // stage of the work that is not counted
};

PetscErrorCode pause_counting(KSP, Vec, Vec, void*) {
  counting = false;
  return PetscLogStagePush(Quiet::aside);
}

PetscErrorCode go_on_counting(KSP, Vec, Vec, void*) {
  counting = true;
  return PetscLogStagePop();
}

/// Number of vectors that a PETSc call, or a loop of ours, reads or writes completely; 0: unknown.
const std::map<std::string, int> passes_of_event{
    {"VecSet", 1},   {"VecNorm", 1},      {"VecReduceArith", 1},   {"VecCopy", 2},  {"VecScale", 2},
    {"VecDot", 2},   {"VecTDot", 2},      {"VecAXPY", 3},          {"VecAYPX", 3},  {"VecAXPBYCZ", 4},
    {"VecWAXPY", 3}, {"VecSwap", 4},      {"VecPointwiseMult", 3}, {"VecMAXPY", 0}, {"VecMDot", 0},
    {"VecMTDot", 0}, {"VecNormalize", 0}, {"GearSweep", 1}};

constexpr int unknown = 1000000;

/// Returns the passes over vectors so far, by event, in the stage of the steps.
std::map<std::string, int> passes() {
  std::map<std::string, int> all;
  PetscLogStage steps = -1;
  check(PetscLogStageGetId("gearshift steps", &steps));
  for (const auto& [name, vectors] : passes_of_event) {
    PetscLogEvent event = -1;
    PetscEventPerfInfo info;
    check(PetscLogEventGetId(name.c_str(), &event));
    EXPECT_GE(event, 0) << name;
    check(PetscLogEventGetPerfInfo(steps, event, &info));
    if (info.count > 0) all[name] = info.count * (vectors > 0 ? vectors : unknown);
  }
  return all;
}

/// A stepper that continues at order 3, and the cost of each of its steps with one Newton iteration.
struct Steps {
  Quiet system;
  petsc::Handle<Vec> q = small::vector(Values(40, 1.0)), v = small::vector(Values(40, 0.0));
  gearshift::Stepper stepper;
  std::vector<long> reductions_of_step;
  std::vector<int> passes_of_step;
  std::map<std::string, int> parts;  // for the step with the fewest passes

  explicit Steps(const gearshift::StepperOptions& options) : stepper(system, q.get(), options) {
    check(PetscLogDefaultBegin());
    if (Quiet::aside < 0) check(PetscLogStageRegister("aside", &Quiet::aside));
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    stepper.advance_to(2);
    KSP ksp = nullptr;
    check(SNESGetKSP(stepper.snes(), &ksp));
    check(KSPSetPreSolve(ksp, pause_counting, nullptr));
    check(KSPSetPostSolve(ksp, go_on_counting, nullptr));
    for (int i = 0; i < 200; ++i) take();
    std::sort(reductions_of_step.begin(), reductions_of_step.end());
    std::sort(passes_of_step.begin(), passes_of_step.end());
  }

  void take() {
    const std::map<std::string, int> before = passes();
    reductions = 0;
    counting = true;
    const gearshift::StepReport report = stepper.step();
    counting = false;
    if (report.order != 3 || report.newton_iterations != 1 || report.attempts != 1) return;
    std::map<std::string, int> now = passes();
    int sum = 0;
    for (auto& [name, count] : now) {
      if (before.count(name)) count -= before.at(name);
      sum += count;
    }
    if (sum >= unknown) return;  // the step also computed a half-step residual
    if (passes_of_step.empty() || sum < *std::min_element(passes_of_step.begin(), passes_of_step.end())) parts = now;
    reductions_of_step.push_back(reductions);
    passes_of_step.push_back(sum);
  }

  std::string text() const {
    std::string all;
    for (const auto& [name, count] : parts) all += ' ' + name + ' ' + std::to_string(count);
    return all;
  }
};

TEST(Cost, ReductionsAndPassesOfAStep) {
  const Steps steps({.order = 3, .adapt = Adapt::order, .family = Family::bdf, .rtol = 1e-6, .atol = 1e-6});
  const std::vector<long>& counts = steps.reductions_of_step;
  ASSERT_GT(counts.size(), 100U);
  // One for the residual, one for the increment, one for the error; one more if the order is reconsidered. With PETSc
  // 3.25 there is one less. A PETSc with argument checking compares arguments between ranks by its own reductions.
  if (!PetscDefined(USE_DEBUG)) {
    EXPECT_LE(counts.front(), 3);
    EXPECT_LE(counts[counts.size() / 2], 4);
    EXPECT_LE(counts[counts.size() * 9 / 10], 4);
  }
  const std::vector<int>& sums = steps.passes_of_step;
  (void)!PetscPrintf(PETSC_COMM_WORLD, "passes %d to %d, half of the steps %d:%s\n", sums.front(), sums.back(),
                     sums[sums.size() / 2], steps.text().c_str());
  EXPECT_LE(sums.front(), 48);
}

TEST(Cost, PassesOfAFixedStep) {
  const Steps steps({.order = 3, .family = Family::bdf, .dt = 0.02});
  const std::vector<int>& sums = steps.passes_of_step;
  ASSERT_GT(sums.size(), 100U);
  (void)!PetscPrintf(PETSC_COMM_WORLD, "fixed: passes %d to %d, half of the steps %d:%s\n", sums.front(), sums.back(),
                     sums[sums.size() / 2], steps.text().c_str());
  EXPECT_LE(sums.front(), 48);
}

TEST(Cost, VectorsOfAStepperAreCounted) {
  constexpr PetscInt spare = 8;  // for constraints, a preconditioner and outputs
  using gearshift::Start;
  using gearshift::StepperOptions;
  struct Case {
    const char* name;
    StepperOptions options;
  };
  for (const auto& [name, options] :
       {Case{"defaults", {}}, Case{"order 1", {.order = 1}}, Case{"order 3", {.order = 3}},
        Case{"order 6", {.order = 6}}, Case{"ramp", {.start = Start::ramp}},
        Case{"order 6, ramp", {.order = 6, .start = Start::ramp}}, Case{"step", {.adapt = Adapt::step}},
        Case{"order", {.adapt = Adapt::order}}, Case{"atol", {.adapt = Adapt::order, .atol = 1e-6}},
        Case{"bdf", {.adapt = Adapt::order, .family = Family::bdf}}, Case{"sdirk", {.family = Family::sdirk}},
        Case{"esdirk", {.family = Family::esdirk}}, Case{"rayleigh", {.rayleigh_mass = 0.1}}}) {
    SCOPED_TRACE(name);
    if (Quiet::aside < 0) check(PetscLogStageRegister("aside", &Quiet::aside));
    Quiet system;
    const auto q = small::vector(Values(40, 1.0)), v = small::vector(Values(40, 0.0));
    // Vecs pass objects composed with them to their duplicates, and hold a reference to them during their lifetime.
    petsc::Handle<PetscContainer> mark;
    check(PetscContainerCreate(PETSC_COMM_WORLD, mark.out()));
    const auto object = reinterpret_cast<PetscObject>(mark.get());
    check(PetscObjectCompose(reinterpret_cast<PetscObject>(q.get()), "mark", object));
    gearshift::Stepper stepper(system, q.get(), options);
    stepper.set_dt(0.005);
    stepper.set_initial_state(0, q.get(), v.get());
    for (int step = 0; step < 100; ++step) stepper.step();
    PetscInt references = 0;
    check(PetscObjectGetReference(object, &references));
    EXPECT_NEAR(static_cast<double>(options.vectors() - (references - 2)), spare, 2);
  }
}

}  // namespace
