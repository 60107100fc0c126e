// NewtonSolver::archive(): after a load, solves go on with the digits that they would have had.

#include "dynamics/chain.hpp"
#include "dynamics/newton/newton_solver.hpp"
#include "dynamics/options.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

using gearshift::AffineMap;
using gearshift::Archive;
using gearshift::ErrorNorm;
using gearshift::GuardedSystem;
using gearshift::NewtonSolver;
using gearshift::PcUpdate;
using gearshift::StepperOptions;
using gearshift::StepReport;
using gearshift::petsc::check;
using gearshift::petsc::Handle;

/// Parts in memory, by name.
class Memory : public Archive {
 public:
  bool loading() const override { return loading_; }
  void reals(std::string_view name, std::span<PetscReal> values) override { exchange(path(name), values); }
  void integers(std::string_view name, std::span<std::int64_t> values) override {
    std::vector<PetscReal> as_reals(values.begin(), values.end());
    exchange(path(name), as_reals);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(as_reals[i]);
  }
  void vec(std::string_view name, Vec x) override {
    const gearshift::petsc::WriteView view(x);
    exchange(path(name), view.span());
  }
  void local(std::string_view name, std::span<PetscReal> values) override { exchange(path(name), values); }
  void turn() { loading_ = true; }
  const std::map<std::string, std::vector<PetscReal>>& parts() const { return parts_; }

 private:
  void exchange(const std::string& name, std::span<PetscReal> values) {
    if (loading_) {
      const std::vector<PetscReal>& from = parts_.at(name);
      std::copy(from.begin(), from.end(), values.begin());
    } else {
      EXPECT_TRUE(parts_.emplace(name, std::vector<PetscReal>(values.begin(), values.end())).second) << name;
    }
  }
  bool loading_ = false;
  std::map<std::string, std::vector<PetscReal>> parts_;
};

/// The chain with a matrix for preconditioners, of a tangent that gets old.
class Assembled : public chain::Chain {
 public:
  class Tangent : public chain::ChainLinearization {
   public:
    explicit Tangent(int& builds) : builds_(builds) {}
    void update(const gearshift::State& x) override {
      q_ = chain::gather(x.q);
      ChainLinearization::update(x);
    }
    bool assemble(gearshift::Shifts s, Mat P) override {
      ++builds_;
      PetscInt first = 0, last = 0;
      check(MatGetOwnershipRange(P, &first, &last));
      for (int j = 0; j < chain::size; ++j) {
        chain::Triple e{};
        e[j] = 1;
        const chain::Triple column = chain::tangent(q_, s, e);
        for (PetscInt i = first; i < last; ++i) check(MatSetValue(P, i, j, column[i], INSERT_VALUES));
      }
      return true;
    }

   private:
    int& builds_;
    chain::Triple q_{};
  };
  Assembled() : Chain(true, chain::Own::linearization) {}
  std::unique_ptr<gearshift::Linearization> make_linearization() override { return std::make_unique<Tangent>(builds); }
  Mat create_preconditioner_matrix() override {
    Mat P = nullptr;
    check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, chain::size, chain::size, chain::size, nullptr,
                       chain::size, nullptr, &P));
    return P;
  }
  int builds = 0;
};

/// Steps of backward Euler, loosely solved, so that the digits tell the preconditioner and the rates.
class March {
 public:
  March(PcUpdate update, bool tied)
      : q_(chain::vector(chain::q0)), v_(chain::vector(chain::v0)), x_(chain::vector()), scaled_(chain::vector()) {
    options_.pc_update = update;
    guarded_ = std::make_unique<GuardedSystem>(system_, q_.get(), 60);
    solver_ = std::make_unique<NewtonSolver>(*guarded_, q_.get(), options_, nullptr);
    solver_->set_up("", true);
    tolerances_ = {1e-3, 1e-3, 1e-3, {}, {}};
    norm_ = std::make_unique<ErrorNorm>(q_.get(), 2, tolerances_, solver_->constrained());
    tied_ = tied;
  }

  void step(double h) {
    t_ += h;
    AffineMap map;
    map.t = t_;
    map.slope = {h, 1, 1 / h};
    map.base_q = q_.get();
    map.base_a = v_.get();
    map.factor_a = -1 / h;
    solver_->set_map(map);
    norm_->weigh(q_.get(), v_.get());
    solver_->tie_to(tied_ ? norm_.get() : nullptr, 0.1);
    check(VecCopy(v_.get(), x_.get()));
    solver_->constrain(x_.get());
    StepReport record;
    ASSERT_TRUE(solver_->solve(x_.get(), record)) << record.failure;
    const gearshift::State at = solver_->state_at(x_.get());
    check(VecCopy(at.v, scaled_.get()));
    check(VecCopy(at.q, q_.get()));
    check(VecCopy(scaled_.get(), v_.get()));
  }

  void archive(Archive& state) {
    state("t", t_);
    state.vec("q", q_.get());
    state.vec("v", v_.get());
    solver_->archive(state);
  }

  std::array<chain::Triple, 2> values() const { return {chain::gather(q_.get()), chain::gather(v_.get())}; }
  int builds() const { return system_.builds; }
  PetscInt counted() const { return solver_->builds(); }

 private:
  Assembled system_;
  StepperOptions options_;
  Handle<Vec> q_, v_, x_, scaled_;
  std::unique_ptr<GuardedSystem> guarded_;
  gearshift::Tolerances tolerances_;
  std::unique_ptr<ErrorNorm> norm_;
  std::unique_ptr<NewtonSolver> solver_;
  bool tied_ = false;
  double t_ = 0;
};

class Archives : public testing::TestWithParam<std::tuple<PcUpdate, bool>> {};

TEST_P(Archives, GoOnWithTheSameDigits) {
  const auto& [update, tied] = GetParam();
  const OptionsScope scope(std::string("-pc_type bjacobi -ksp_type gmres -snes_rtol 1e-4 ") +
                           (tied ? "" : "-ksp_rtol 1e-2"));
  const std::array<double, 12> steps{0.01, 0.012, 0.011, 0.012, 0.03, 0.031, 0.03, 0.029, 0.03, 0.03, 0.01, 0.01};
  March one(update, tied), other(update, tied);
  for (int i = 0; i < 7; ++i) one.step(steps[i]);
  Memory memory;
  one.archive(memory);
  EXPECT_GT(memory.parts().size(), 10U);
  const int before = one.builds();
  for (int i = 7; i < 12; ++i) one.step(steps[i]);
  // Another solver, which was elsewhere.
  for (int i = 0; i < 2; ++i) other.step(0.05);
  memory.turn();
  other.archive(memory);
  for (int i = 7; i < 12; ++i) other.step(steps[i]);
  EXPECT_EQ(one.values(), other.values());
  EXPECT_EQ(one.counted(), other.counted());
  // The same one again, back in time.
  const int until = one.builds();
  one.archive(memory);
  EXPECT_LE(one.builds(), until + 1);
  for (int i = 7; i < 12; ++i) one.step(steps[i]);
  EXPECT_EQ(one.values(), other.values());
  EXPECT_GT(before, 0);
}

INSTANTIATE_TEST_SUITE_P(Newton, Archives,
                         testing::Combine(testing::Values(PcUpdate::automatic, PcUpdate::simulation, PcUpdate::newton,
                                                          PcUpdate::never),
                                          testing::Bool()));

/// Nothing is built where the preconditioner at hand is the archived one.
TEST(Archives, BuildsOnlyWhatIsNotThere) {
  const OptionsScope scope("-pc_type bjacobi -ksp_type gmres");
  March march(PcUpdate::simulation, true);
  for (int i = 0; i < 3; ++i) march.step(0.01);
  Memory memory;
  march.archive(memory);
  for (int i = 0; i < 2; ++i) march.step(0.01);
  const int builds = march.builds();
  memory.turn();
  march.archive(memory);
  EXPECT_EQ(march.builds(), builds);
}

}  // namespace
