// If a callback of a System throws or returns NaN on the last rank only, all ranks end in the same way.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>

namespace {

using gearshift::Adapt;
using gearshift::Energy;
using gearshift::InvalidState;
using gearshift::Linearization;
using gearshift::Shifts;
using gearshift::State;
using gearshift::Stepper;
using gearshift::petsc::check;
using gearshift::petsc::Handle;

enum class Fault { exception, invalid_state, not_a_number };

constexpr const char* message = "the table ends here";

bool on_last_rank() {
  int rank = 0, size = 1;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  return rank == size - 1;
}

/// The fault and the callback in which it occurs, once armed.
struct Saboteur {
  std::string where;
  Fault fault = Fault::exception;
  bool armed = false;
  int hits = 0;

  /// Called after the callback's work: throws, or spoils its output.
  void strike(const std::string& here, std::initializer_list<Vec> outputs) {
    if (!armed || here != where || !on_last_rank()) return;
    ++hits;
    if (fault == Fault::exception) throw std::runtime_error(message);
    if (fault == Fault::invalid_state) throw InvalidState(message);
    for (Vec out : outputs) {
      const gearshift::petsc::WriteView view(out);
      for (PetscScalar& value : view.span()) value = std::numeric_limits<double>::quiet_NaN();
    }
  }
};

class Sabotaged : public chain::ChainLinearization {
 public:
  explicit Sabotaged(Saboteur& saboteur) : saboteur_(saboteur) {}
  void update(const State& x) override {
    ChainLinearization::update(x);
    saboteur_.strike("update", {});
  }
  void apply(Shifts s, Vec in, Vec out) override {
    ChainLinearization::apply(s, in, out);
    saboteur_.strike("apply", {out});
  }
  bool diagonal(Shifts s, Vec d) override {
    ChainLinearization::diagonal(s, d);
    saboteur_.strike("diagonal", {d});
    return true;
  }
  bool assemble(Shifts, Mat P) override {
    PetscInt first = 0, last = 0;
    check(MatGetOwnershipRange(P, &first, &last));
    saboteur_.strike("assemble", {});
    for (PetscInt i = first; i < last; ++i) check(MatSetValue(P, i, i, 1, INSERT_VALUES));
    return true;
  }

 private:
  Saboteur& saboteur_;
};

class Target : public chain::Chain {
 public:
  Target(Saboteur& saboteur, bool assembled)
      : Chain(true, chain::Own::linearization), saboteur_(saboteur), assembled_(assembled) {}
  void residual(const State& x, Vec r) override {
    Chain::residual(x, r);
    saboteur_.strike("residual", {r});
  }
  std::unique_ptr<Linearization> make_linearization() override {
    saboteur_.strike("make_linearization", {});
    return std::make_unique<Sabotaged>(saboteur_);
  }
  Mat create_preconditioner_matrix() override {
    saboteur_.strike("create_preconditioner_matrix", {});
    if (!assembled_) return nullptr;
    Mat P = nullptr;
    check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, chain::size, chain::size, 1, nullptr, 0, nullptr,
                       &P));
    return P;
  }
  void configure(SNES) override { saboteur_.strike("configure", {}); }
  bool update_preconditioner(Linearization& tangent, Shifts, PC) override {
    if (!dynamic_cast<Sabotaged*>(&tangent)) throw std::runtime_error("the tangent is not the System's own");
    saboteur_.strike("update_preconditioner", {});
    return true;
  }
  bool symmetric() const override {
    saboteur_.strike("symmetric", {});
    return true;
  }
  IS constrained() const override {
    saboteur_.strike("constrained", {});
    return Chain::constrained();
  }
  void prescribe(PetscReal t, Vec q, Vec v, Vec a) override {
    Chain::prescribe(t, q, v, a);
    saboteur_.strike("prescribe", {q, v, a});
  }
  void project(Vec q, Vec v) override { saboteur_.strike("project", {q, v}); }
  std::optional<Energy> energy(const State& x) override {
    std::optional<Energy> energy = Chain::energy(x);
    saboteur_.strike("energy", {});
    return energy;
  }

 private:
  Saboteur& saboteur_;
  bool assembled_;
};

const std::vector<std::string> in_steps{
    "residual",  "update",    "apply",   "diagonal", "assemble", "update_preconditioner",
    "symmetric", "prescribe", "project", "energy"};
const std::vector<std::string> at_set_up{"make_linearization", "create_preconditioner_matrix", "configure", "symmetric",
                                         "constrained"};

std::string text_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

/// Checks that all ranks got an error, or none.
void expect_same_everywhere(const std::string& text) {
  int failed = text.empty() ? 0 : 1, sum = 0, size = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &size);
  MPI_Allreduce(&failed, &sum, 1, MPI_INT, MPI_SUM, PETSC_COMM_WORLD);
  EXPECT_TRUE(sum == 0 || sum == size) << text;
}

using Entry = std::tuple<std::string, Fault, bool>;

class InSteps : public testing::TestWithParam<Entry> {};

TEST_P(InSteps, EndsOnAllRanksOrIsTriedAgain) {
  const auto& [where, fault, adaptive] = GetParam();
  const OptionsScope scope("-ksp_rtol 1e-10");
  Saboteur saboteur{where, fault};
  Target system(saboteur, where == "assemble");
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  const gearshift::StepperOptions options{.order = 3,
                                          .adapt = adaptive ? Adapt::order : Adapt::none,
                                          .dt = 1e-3,
                                          .pc_update = gearshift::PcUpdate::newton,
                                          .energy = true};
  Stepper stepper(system, q.get(), options);
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.advance_to(0.01);
  saboteur.armed = true;
  const std::string text = text_of([&] { stepper.advance_to(0.02); });
  saboteur.armed = false;
  expect_same_everywhere(text);
  if (fault == Fault::exception || (fault == Fault::invalid_state && !text.empty())) {
    EXPECT_NE(text.find(message), std::string::npos) << text;
  }
  EXPECT_TRUE(!on_last_rank() || saboteur.hits > 0);
  // The stepper remains usable if its state is still valid.
  const double end = stepper.state().t + 0.05;
  const std::string after = text_of([&] {
    stepper.set_initial_state(0, q.get(), v.get());
    stepper.advance_to(0.05);
  });
  EXPECT_EQ(after, "") << end;
  if (!after.empty()) return;
  Saboteur none;
  Target fresh(none, where == "assemble");
  Stepper other(fresh, q.get(), options);
  other.set_from_options();
  other.set_initial_state(0, q.get(), v.get());
  other.advance_to(0.05);
  const chain::Triple one = chain::gather(stepper.state().q), two = chain::gather(other.state().q);
  for (int i = 0; i < chain::size; ++i) EXPECT_NEAR(one[i], two[i], adaptive ? 1e-3 : 1e-7);
}

INSTANTIATE_TEST_SUITE_P(EntryPoints, InSteps,
                         testing::Combine(testing::ValuesIn(in_steps),
                                          testing::Values(Fault::exception, Fault::invalid_state, Fault::not_a_number),
                                          testing::Bool()));

class AtSetUp : public testing::TestWithParam<std::tuple<std::string, Fault>> {};

TEST_P(AtSetUp, EndsOnAllRanks) {
  const auto& [where, fault] = GetParam();
  Saboteur saboteur{where, fault, true};
  Target system(saboteur, false);
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get(), {.dt = 1e-3});
  const std::string text = text_of([&] { stepper.set_initial_state(0, q.get(), v.get()); });
  expect_same_everywhere(text);
  EXPECT_NE(text.find(message), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(EntryPoints, AtSetUp,
                         testing::Combine(testing::ValuesIn(at_set_up),
                                          testing::Values(Fault::exception, Fault::invalid_state)));

/// An invalid prescribed motion makes the step smaller, like an invalid residual.
TEST(EntryPoints, InvalidPrescribedMotionBacksUp) {
  class Moved : public chain::Chain {
   public:
    Moved() : Chain(true) {}
    void prescribe(PetscReal t, Vec q, Vec v, Vec a) override {
      Chain::prescribe(t, q, v, a);
      if (on_last_rank() && t > 0.035 && t - last > 0.02) throw InvalidState("too far at once");
    }
    double last = 0;
  };
  Moved system;
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get(), {.order = 1, .dt = 0.03});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.add_monitor([&](const Stepper&, const gearshift::StepReport& report) { system.last = report.t; });
  const gearshift::Report report = stepper.advance_to(0.09);
  EXPECT_GT(report.rejected, 0);
  EXPECT_EQ(stepper.state().t, 0.09);
}

/// The default tangent, two residuals per product, and the Rayleigh terms continue to their last collective call.
TEST(EntryPoints, DifferencesAndDampingKeepTheRanksTogether) {
  class Collective : public chain::Chain {
   public:
    Collective() : Chain(false, chain::Own::nothing) {}
    void residual(const State& x, Vec r) override {
      Chain::residual(x, r);
      if (armed && on_last_rank() && ++calls % 3 == 2) throw std::runtime_error(message);
    }
    bool armed = false;
    int calls = 0;
  };
  const OptionsScope scope("-gear_rayleigh_mass 0.5 -gear_rayleigh_stiffness 0.01 -gear_watchdog 20");
  Collective system;
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get(), {.order = 2, .dt = 1e-3});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.step();
  system.armed = true;
  const std::string text = text_of([&] { stepper.step(); });
  expect_same_everywhere(text);
  EXPECT_NE(text.find(message), std::string::npos) << text;
}

}  // namespace
