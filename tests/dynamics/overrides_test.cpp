// Overrides that call the base function, on all ranks or on some of them, while the others return its result
// themselves: the run is bitwise identical to one without such overrides.

#include "small_system.hpp"

#include <gtest/gtest.h>

namespace {

using namespace gearshift;
using small::Values;

Values forces(const small::Point& x) {
  Values r(x.q.size());
  for (std::size_t i = 0; i < r.size(); ++i)
    r[i] = x.a[i] + 0.1 * x.v[i] + (1.0 + static_cast<double>(i)) * x.q[i] + x.q[i] * x.q[i] * x.q[i] - 0.3;
  return r;
}

Values product(const small::Point& x, Shifts s, const Values& in) {
  Values out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = (s.a + 0.1 * s.v + s.q * (1.0 + static_cast<double>(i) + 3 * x.q[i] * x.q[i])) * in[i];
  return out;
}

/// A System with all defaults.
class Plain : public small::SmallSystem {
 public:
  Plain() : SmallSystem(forces, product) {}
};

/// Overrides every function that has a default; calls the base function if `asks` has a bit set for the rank.
class CallsBase : public Plain {
 public:
  explicit CallsBase(int asks) {
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    base_ = (asks >> rank & 1) != 0;
  }
  // Collective products and objects: called on all ranks.
  void tangent(const State& x, Shifts s, Vec in, Vec out) override {
    System::tangent(x, s, in, out);
    SmallSystem::tangent(x, s, in, out);
  }
  std::unique_ptr<Linearization> make_linearization() override { return System::make_linearization(); }
  void use_prefix(std::string_view prefix) override {
    if (base_) System::use_prefix(prefix);
  }
  Mat create_preconditioner_matrix() override { return base_ ? System::create_preconditioner_matrix() : nullptr; }
  void configure(SNES snes) override {
    if (base_) System::configure(snes);
  }
  bool update_preconditioner(Linearization& tangent, Shifts s, PC pc) override {
    return base_ && System::update_preconditioner(tangent, s, pc);
  }
  void keep_preconditioner(Linearization& tangent, Shifts s, PC pc) override {
    if (base_) System::keep_preconditioner(tangent, s, pc);
  }
  PetscInt inner_iterations() const override { return base_ ? System::inner_iterations() : 0; }
  bool symmetric() const override { return base_ && System::symmetric(); }
  IS constrained() const override { return base_ ? System::constrained() : nullptr; }
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override {
    if (base_) System::prescribe(t, q, v, a);
  }
  std::optional<Break> next_break(PetscReal t, PetscReal until) override {
    return base_ ? System::next_break(t, until) : std::nullopt;
  }
  PetscReal resolved_step(PetscReal t, PetscReal dt) override { return base_ ? System::resolved_step(t, dt) : dt; }
  MotionEstimate expected_motion(const State& x, PetscReal until) override {
    return base_ ? System::expected_motion(x, until) : MotionEstimate{};
  }
  bool take_out_rigid_motion(Vec way, Vec v) override { return base_ && System::take_out_rigid_motion(way, v); }
  void project(Vec q, Vec v) override {
    if (base_) System::project(q, v);
  }
  std::optional<Energy> energy(const State& x) override { return base_ ? System::energy(x) : std::nullopt; }
  Vec internal_layout() const override { return base_ ? System::internal_layout() : nullptr; }
  bool internal_follows_path() const override { return base_ && System::internal_follows_path(); }
  void internal_variables(const State& x, Vec z) override {
    if (base_) System::internal_variables(x, z);
  }
  void accept(const State& x) override {
    if (base_) System::accept(x);
  }
  void archive(Archive& state) override {
    if (base_) System::archive(state);
  }
  IS natural_numbering() const override { return base_ ? System::natural_numbering() : nullptr; }
  IS internal_numbering() const override { return base_ ? System::internal_numbering() : nullptr; }

 private:
  bool base_ = false;
};

Values run(System& system, bool known, StepperOptions options) {
  const auto q = small::vector({1, 0.5, 0.25, 0, -0.5}), v = small::vector({0, 1, 0, 0.1, 0});
  Stepper stepper =
      known ? Stepper(static_cast<CallsBase&>(system), q.get(), options) : Stepper(system, q.get(), options);
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.advance_to(0.4);
  const Snapshot middle = stepper.snapshot();
  stepper.advance_to(0.6);
  stepper.restore(middle);
  const Report report = stepper.advance_to(1.2);
  Values all = small::gather(stepper.state().q);
  const Values velocities = small::gather(stepper.state().v);
  all.insert(all.end(), velocities.begin(), velocities.end());
  all.push_back(static_cast<double>(report.steps));
  return all;
}

TEST(Overrides, MayCallTheirBaseOnAnyRanks) {
  for (const Adapt adapt : {Adapt::none, Adapt::order})
    for (const PetscReal rayleigh : {0.0, 0.01}) {
      const StepperOptions options{
          .adapt = adapt, .family = Family::bdf, .dt = 0.05, .rayleigh_mass = rayleigh, .energy = true};
      const auto q = small::vector({1, 0.5, 0.25, 0, -0.5}), v = small::vector({0, 1, 0, 0.1, 0});
      Plain plain;
      const Values expected = run(plain, false, options);
      for (const int asks : {2, 5, 15}) {
        CallsBase system(asks);
        EXPECT_EQ(run(system, false, options), expected) << asks;
        EXPECT_EQ(run(system, true, options), expected) << asks;
      }
    }
}

/// A pulse that starts at 0.5 and lasts 0.01; the base is called before and after it, or on other ranks.
class Pulse : public small::SmallSystem {
 public:
  explicit Pulse(bool asks)
      : SmallSystem([](const small::Point& x) { return pushed(x); },
                    [](const small::Point&, Shifts s, Values in) {
                      for (double& value : in) value *= s.a;
                      return in;
                    }),
        asks_(asks) {}
  std::optional<Break> next_break(PetscReal t, PetscReal until) override {
    int rank = 0;
    MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
    if (asks_ && (rank % 2 == 1 || t < 0.2)) return System::next_break(t, until);
    for (const PetscReal at : {0.5, 0.51})
      if (at > t && at <= until) return Break{at, true};
    return {};
  }
  PetscReal resolved_step(PetscReal t, PetscReal dt) override {
    return asks_ && t < 0.2 ? System::resolved_step(t, dt) : dt;
  }

 private:
  static Values pushed(const small::Point& x) {
    Values r(x.q.size());
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = x.a[i] - (x.t >= 0.5 && x.t < 0.51 ? 100 : 0);
    return r;
  }
  bool asks_;
};

TEST(Overrides, LoseNoBreakByCallingTheirBase) {
  for (const bool asks : {false, true}) {
    Pulse system(asks);
    const auto zero = small::vector(Values(5, 0.0));
    Stepper stepper(system, zero.get(), {.order = 2, .dt = 0.03});
    stepper.set_initial_state(0, zero.get(), zero.get());
    stepper.advance_to(1);
    for (const double v : small::gather(stepper.state().v)) EXPECT_NEAR(v, 1, 1e-10) << asks;
  }
}

struct Late : Plain {
  void accept(const State&) override {}
  void accept(int) {}  // makes the name ambiguous
};

/// Solver types that a host sets through snes(), before the first step or between two, are kept.
TEST(Overrides, LeaveTheLinearSolverThatTheHostSets) {
  using petsc::check;
  Plain system;
  const auto q = small::vector({0.2, -0.1, 0.4}), v = small::vector({1, 0, -1});
  Stepper stepper(system, q.get(), {.dt = 0.02});
  stepper.set_initial_state(0, q.get(), v.get());
  KSP ksp = nullptr;
  PC pc = nullptr;
  check(SNESGetKSP(stepper.snes(), &ksp));
  check(KSPGetPC(ksp, &pc));
  for (const auto& [solver, preconditioner] : {std::pair{KSPBCGS, PCSHELL}, {KSPTFQMR, PCNONE}}) {
    check(KSPSetType(ksp, solver));
    check(PCSetType(pc, preconditioner));
    check(KSPSetTolerances(ksp, 1e-9, PETSC_DEFAULT, PETSC_DEFAULT, 77));
    if (std::string_view(preconditioner) == PCSHELL)
      check(PCShellSetApply(pc, [](PC, Vec in, Vec out) { return VecCopy(in, out); }));
    stepper.step();
    KSPType used = nullptr;
    PCType used_pc = nullptr;
    PetscReal rtol = 0;
    PetscInt most = 0;
    check(KSPGetType(ksp, &used));
    check(PCGetType(pc, &used_pc));
    check(KSPGetTolerances(ksp, &rtol, nullptr, nullptr, &most));
    EXPECT_STREQ(used, solver);
    EXPECT_STREQ(used_pc, preconditioner);
    EXPECT_EQ(rtol, 1e-9);
    EXPECT_EQ(most, 77);
  }
}

TEST(Overrides, AreFoundFromTypes) {
  const Plain plain;
  const CallsBase all(0);
  const Late late;
  const Overrides of_plain = Overrides::of(plain), of_all = Overrides::of(all), of_late = Overrides::of(late);
  EXPECT_FALSE(of_plain.accept || of_plain.project || of_plain.next_break || of_plain.resolved_step ||
               of_plain.take_out_rigid_motion);
  EXPECT_TRUE(of_all.accept && of_all.project && of_all.next_break && of_all.resolved_step &&
              of_all.take_out_rigid_motion);
  EXPECT_TRUE(of_late.accept && !of_late.project);
  EXPECT_TRUE(Overrides::of(static_cast<const Plain&>(all)).accept);  // the complete type differs
}

}  // namespace
