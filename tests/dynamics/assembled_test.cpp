// Systems with matrices: the same motion as matrix-free ones, no matrix filled twice, any preconditioner.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <tuple>

namespace {

using chain::Triple;
using gearshift::AssembledSystem;
using gearshift::OptionError;
using gearshift::PcUpdate;
using gearshift::Report;
using gearshift::Shifts;
using gearshift::Start;
using gearshift::State;
using gearshift::Stepper;
using gearshift::StepperOptions;
using gearshift::System;
using gearshift::petsc::check;
using gearshift::petsc::Handle;

const std::string tight = "-snes_rtol 1e-10 -snes_stol 0 -ksp_rtol 1e-12 ";

/// Adds the owned rows of the matrix with these columns; zeros outside the three diagonals are left out.
template <class Column>
void add_rows(Mat P, const Column& column) {
  PetscInt first = 0, last = 0;
  check(MatGetOwnershipRange(P, &first, &last));
  for (PetscInt j = 0; j < chain::size; ++j) {
    Triple unit{};
    unit[j] = 1;
    const Triple values = column(unit);
    for (PetscInt i = first; i < last; ++i)
      if (std::abs(i - j) <= 1) check(MatSetValue(P, i, j, values[i], ADD_VALUES));
  }
}

template <class Column>
Handle<Mat> matrix(const Column& column) {
  Handle<Mat> A;
  const auto layout = chain::vector();
  PetscInt local = 0;
  check(VecGetLocalSize(layout.get(), &local));
  check(MatCreateAIJ(PETSC_COMM_WORLD, local, local, chain::size, chain::size, 3, nullptr, 2, nullptr, A.out()));
  add_rows(A.get(), column);
  check(MatAssemblyBegin(A.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(A.get(), MAT_FINAL_ASSEMBLY));
  return A;
}

Handle<Mat> pattern() {
  return matrix([](const Triple&) { return Triple{}; });
}

/// Returns M, C or K of the chain at rest, depending on the shifts.
Handle<Mat> matrix_at_rest(Shifts s) {
  return matrix([s](const Triple& w) { return chain::tangent({}, s, w); });
}

Handle<Vec> load_vector(double factor) { return chain::vector({0, 0, factor}); }

void add_load(PetscReal t, Vec f) { check(VecAXPY(f, 1, load_vector(chain::load(t)).get())); }

/// The chain given by two functions; `fill` may be replaced.
struct AssembledChain {
  explicit AssembledChain(bool prescribed, AssembledSystem::Fill fill = {})
      : base(prescribed),
        system(
            pattern().get(),
            [this](const State& x, Vec r) {
              ++residuals;
              base.residual(x, r);
            },
            fill ? std::move(fill) : [](const State& x, Shifts s, Mat P) {
              const Triple q = chain::gather(x.q);
              add_rows(P, [&](const Triple& w) { return chain::tangent(q, s, w); });
            }) {
    system.set_symmetric();
    if (prescribed)
      system.set_constrained(base.constrained(),
                             [this](PetscReal t, Vec q, Vec v, Vec a) { base.prescribe(t, q, v, a); });
  }
  chain::Chain base;
  AssembledSystem system;
  PetscInt residuals = 0;
};

struct Motion {
  Triple q, v, reactions;
  Report report;
};

Motion move(System& system, StepperOptions options, double t_end = 0.1) {
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get(), options);
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  const Report report = stepper.advance_to(t_end);
  const State x = stepper.state();
  return {chain::gather(x.q), chain::gather(x.v), chain::gather(stepper.reactions()), report};
}

void expect_near(const Triple& a, const Triple& b, double tolerance, const std::string& what) {
  for (int i = 0; i < chain::size; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << what << " " << i;
}

constexpr std::array policies{PcUpdate::never, PcUpdate::simulation, PcUpdate::step, PcUpdate::newton,
                              PcUpdate::automatic};

/// With any preconditioner, rebuilt at any time, the motion is that of the matrix-free chain; each linearisation fills
/// one matrix for products and preconditioner.
TEST(AssembledSystem, MovesAsTheMatrixFreeOne) {
  for (const bool prescribed : {false, true}) {
    chain::Chain free(prescribed, chain::Own::linearization);
    Motion expected;
    {
      const OptionsScope scope(tight);
      expected = move(free, {.order = 3, .dt = 0.01});
    }
    for (const std::string pc : {"", "-pc_type jacobi", "-pc_type lu", "-pc_type gamg"})
      for (const PcUpdate policy : policies) {
        const OptionsScope scope(tight + pc);
        AssembledChain chain(prescribed);
        const Motion found = move(chain.system, {.order = 3, .dt = 0.01, .pc_update = policy});
        const std::string what = "'" + pc + "' policy " + std::to_string(static_cast<int>(policy));
        expect_near(found.q, expected.q, 1e-10, what + " q");
        expect_near(found.v, expected.v, 1e-9, what + " v");
        expect_near(found.reactions, expected.reactions, 1e-7, what + " reactions");
        EXPECT_EQ(chain.system.fills(), found.report.newton_iterations) << what;
      }
  }
}

/// With a factorised tangent one application solves the system.
TEST(AssembledSystem, DirectSolves) {
  const OptionsScope scope(tight + "-pc_type lu -ksp_type preonly");
  AssembledChain chain(true);
  const Motion found = move(chain.system, {.order = 2, .dt = 0.01, .pc_update = PcUpdate::newton});
  EXPECT_EQ(found.report.krylov_iterations, found.report.newton_iterations);
  EXPECT_EQ(found.report.preconditioner_builds, found.report.newton_iterations);
  EXPECT_EQ(chain.system.fills(), found.report.newton_iterations);
}

/// Products with other shifts at the same state: each combination is filled once, as long as only two are in use.
TEST(AssembledSystem, KeepsTwoCombinations) {
  AssembledChain chain(false);
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0), a = chain::vector({1, 4, -2});
  const auto in = chain::vector({1, -0.5, 0.25}), out = chain::vector();
  const auto tangent = chain.system.make_linearization();
  const Shifts whole{0.05, 1, 20}, mass{0, 0, 1}, stiffness{1, 0, 0};
  const auto expect_product = [&](Shifts s, PetscInt fills) {
    tangent->apply(s, in.get(), out.get());
    expect_near(chain::gather(out.get()), chain::tangent(chain::q0, s, {1, -0.5, 0.25}), 1e-12, "product");
    EXPECT_TRUE(tangent->diagonal(s, out.get()));
    EXPECT_EQ(chain.system.fills(), fills);
  };
  tangent->update({0.2, q.get(), v.get(), a.get()});
  EXPECT_EQ(chain.system.fills(), 0);
  expect_product(whole, 1);
  expect_product(mass, 2);
  expect_product(whole, 2);
  expect_product(stiffness, 3);
  expect_product(whole, 3);
  expect_product(mass, 4);
  tangent->update({0.2, q.get(), v.get(), a.get()});
  expect_product(mass, 5);
  const Handle<Mat> P = Handle<Mat>::adopt(chain.system.create_preconditioner_matrix());
  EXPECT_TRUE(tangent->assemble(mass, P.get()));
  EXPECT_EQ(chain.system.fills(), 5);
  check(MatMult(P.get(), in.get(), out.get()));
  expect_near(chain::gather(out.get()), chain::tangent(chain::q0, mass, {1, -0.5, 0.25}), 1e-12, "assembled");
}

/// Mass- and stiffness-proportional damping, whose tangent needs products at other states.
TEST(AssembledSystem, RayleighDamping) {
  const OptionsScope scope(tight);
  const StepperOptions options{.order = 2, .dt = 0.01, .rayleigh_mass = 0.3, .rayleigh_stiffness = 0.02};
  chain::Chain free(true, chain::Own::linearization);
  AssembledChain chain(true);
  const Motion expected = move(free, options), found = move(chain.system, options);
  expect_near(found.q, expected.q, 1e-10, "q");
  expect_near(found.v, expected.v, 1e-9, "v");
  // Filled are the tangent, the stiffness at rest and at two neighbouring states; one combined matrix for a
  // preconditioner; and the damping operator of a residual.
  EXPECT_LE(chain.system.fills(),
            4 * found.report.newton_iterations + found.report.preconditioner_builds + chain.residuals);
}

/// A derived class instead of two functions.
TEST(AssembledSystem, DerivedClass) {
  class Derived : public AssembledSystem {
   public:
    Derived() : AssembledSystem(pattern().get()) {}
    void residual(const State& x, Vec r) override { base_.residual(x, r); }
    void fill(const State& x, Shifts s, Mat P) override {
      const Triple q = chain::gather(x.q);
      add_rows(P, [&](const Triple& w) { return chain::tangent(q, s, w); });
    }

   private:
    chain::Chain base_;
  };
  class Unfinished : public AssembledSystem {
   public:
    Unfinished() : AssembledSystem(pattern().get()) {}
  };
  const OptionsScope scope(tight);
  chain::Chain free;
  Derived derived;
  Unfinished unfinished;
  const Motion expected = move(free, {.order = 2, .dt = 0.01}), found = move(derived, {.order = 2, .dt = 0.01});
  expect_near(found.q, expected.q, 1e-10, "q");
  EXPECT_EQ(derived.fills(), found.report.newton_iterations);
  EXPECT_THROW(move(unfinished, {.order = 2, .dt = 0.01}), gearshift::Error);
}

/// If a fill fails on a rank, or on all, the step is repeated with a smaller size; other exceptions reach every rank.
TEST(AssembledSystem, FillsThatThrow) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  for (const std::string pc : {"-pc_type none", "-pc_type lu"})
    for (int thrower = 0; thrower < ranks; ++thrower) {
      const OptionsScope scope(tight + pc);
      int calls = 0;
      bool deadly = false;
      AssembledChain chain(false, [&](const State& x, Shifts s, Mat P) {
        const Triple q = chain::gather(x.q);
        add_rows(P, [&](const Triple& w) { return chain::tangent(q, s, w); });
        ++calls;
        if (deadly && rank == thrower) throw std::logic_error("a fill of no use");
        if (calls == 4 && rank == thrower) throw gearshift::InvalidState("the element is inverted");
      });
      const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
      Stepper stepper(chain.system, q.get(), {.order = 1, .dt = 0.01, .pc_update = PcUpdate::newton});
      stepper.set_from_options();
      stepper.set_initial_state(0, q.get(), v.get());
      const Report report = stepper.advance_to(0.1);
      EXPECT_EQ(report.rejected, 1);
      deadly = true;
      try {
        stepper.step();
        ADD_FAILURE() << "the step did not fail";
      } catch (const std::exception& error) {
        EXPECT_NE(std::string(error.what()).find("a fill of no use"), std::string::npos) << error.what();
      }
    }
}

/// M, C and K: the motion of the matrix-free equations, with one matrix per run if alpha is constant.
TEST(LinearAssembledSystem, MovesAsTheMatrixFreeOne) {
  small::SmallSystem free(
      [](const small::Point& x) {
        small::Values r(3);
        const auto add = [&](Shifts s, const small::Values& w) {
          const Triple y = chain::tangent({}, s, {w[0], w[1], w[2]});
          for (int i = 0; i < 3; ++i) r[i] += y[i];
        };
        add({1, 0, 0}, x.q);
        add({0, 1, 0}, x.v);
        add({0, 0, 1}, x.a);
        r[2] -= chain::load(x.t);
        return r;
      },
      [](const small::Point&, Shifts s, const small::Values& w) {
        const Triple y = chain::tangent({}, s, {w[0], w[1], w[2]});
        return small::Values{y[0], y[1], y[2]};
      },
      true);
  const StepperOptions options{.order = 1, .dt = 0.01};
  Motion expected;
  {
    const OptionsScope scope(tight);
    expected = move(free, options);
  }
  // M also with the sparsity pattern of lumped masses.
  const auto M = matrix_at_rest({0, 0, 1}), C = matrix_at_rest({0, 1, 0}), K = matrix_at_rest({1, 0, 0});
  const auto masses = chain::vector(chain::mass);
  Handle<Mat> thin;
  PetscInt local = 0;
  check(VecGetLocalSize(masses.get(), &local));
  check(MatCreateAIJ(PETSC_COMM_WORLD, local, local, chain::size, chain::size, 1, nullptr, 0, nullptr, thin.out()));
  check(MatDiagonalSet(thin.get(), masses.get(), INSERT_VALUES));
  for (Mat mass : {M.get(), thin.get()})
    for (const std::string pc : {"", "-pc_type none", "-pc_type lu"})
      for (const PcUpdate policy : policies) {
        const OptionsScope scope(tight + pc);
        AssembledSystem system(mass, C.get(), K.get(), add_load);
        system.set_symmetric();
        StepperOptions with = options;
        with.pc_update = policy;
        const Motion found = move(system, with);
        expect_near(found.q, expected.q, 1e-10, pc + " q");
        expect_near(found.v, expected.v, 1e-9, pc + " v");
        EXPECT_EQ(system.fills(), 1) << pc;
      }
}

/// The option for Rayleigh damping of M and K equals the matrix C = r_m M + r_k K.
TEST(LinearAssembledSystem, RayleighDamping) {
  const OptionsScope scope(tight + "-pc_type lu");
  const auto M = matrix_at_rest({0, 0, 1}), K = matrix_at_rest({1, 0, 0}), C = matrix_at_rest({0.02, 0, 0.3});
  AssembledSystem damped(M.get(), C.get(), K.get(), add_load), plain(M.get(), nullptr, K.get(), add_load);
  const Motion expected = move(damped, {.order = 1, .dt = 0.01});
  const Motion found = move(plain, {.order = 1, .dt = 0.01, .rayleigh_mass = 0.3, .rayleigh_stiffness = 0.02});
  expect_near(found.q, expected.q, 1e-10, "q");
  expect_near(found.v, expected.v, 1e-9, "v");
  EXPECT_EQ(plain.fills(), 2);  // the tangent, and the operator of the damping force
}

/// The energies are those of the equations, and they balance: the work put in is stored or dissipated.
TEST(LinearAssembledSystem, Energies) {
  const OptionsScope scope(tight);
  const auto M = matrix_at_rest({0, 0, 1}), C = matrix_at_rest({0, 1, 0}), K = matrix_at_rest({1, 0, 0});
  AssembledSystem system(M.get(), C.get(), K.get(), add_load);
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0), a = chain::vector();
  EXPECT_FALSE(system.energy({0.1, q.get(), v.get(), a.get()}));  // M and K are not declared symmetric
  system.set_symmetric();
  const auto energy = system.energy({0.1, q.get(), v.get(), a.get()});
  ASSERT_TRUE(energy);
  const auto form = [](const Triple& w, Shifts s) {
    const Triple y = chain::tangent({}, s, w);
    return w[0] * y[0] + w[1] * y[1] + w[2] * y[2];
  };
  EXPECT_NEAR(energy->kinetic, form(chain::v0, {0, 0, 1}) / 2, 1e-12);
  EXPECT_NEAR(energy->stored, form(chain::q0, {1, 0, 0}) / 2, 1e-12);
  EXPECT_NEAR(energy->power_dissipated, form(chain::v0, {0, 1, 0}), 1e-12);
  EXPECT_NEAR(energy->power_loads, chain::load(0.1) * chain::v0[2], 1e-12);

  // One prescribed entry, whose reaction does work as well.
  const chain::Chain driven(true);
  chain::Chain motion(true);
  system.set_constrained(driven.constrained(), [&](PetscReal t, Vec p, Vec r, Vec s) { motion.prescribe(t, p, r, s); });
  Stepper stepper(system, q.get(), {.order = 4, .dt = 0.001, .energy = true});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  stepper.advance_to(0.1);
  EXPECT_TRUE(stepper.ledger().available);
  EXPECT_GT(std::abs(stepper.ledger().work_reactions), 0.1);
  EXPECT_LT(std::abs(stepper.ledger().numerical()), 1e-6);
}

/// Constrained entries without a motion are at rest; values that change between runs are used.
TEST(LinearAssembledSystem, RestingEntriesAndNewValues) {
  const OptionsScope scope(tight + "-pc_type lu");
  const auto M = matrix_at_rest({0, 0, 1}), K = matrix_at_rest({1, 0, 0});
  AssembledSystem system(M.get(), nullptr, K.get());
  const chain::Chain constraint(true);
  system.set_constrained(constraint.constrained());
  const Motion soft = move(system, {.order = 1, .dt = 0.01});
  EXPECT_EQ(soft.q[1], 0);
  EXPECT_EQ(soft.v[1], 0);
  EXPECT_EQ(system.fills(), 1);
  check(MatScale(K.get(), 4));
  system.matrices_changed();
  const Motion stiff = move(system, {.order = 1, .dt = 0.01});
  EXPECT_EQ(system.fills(), 2);
  // The free end: an oscillator of mass m_2 on spring 2, integrated by backward Euler.
  double q = chain::q0[2], v = chain::v0[2];
  for (int i = 0; i < 10; ++i) {
    v = (v - 0.01 * 4 * chain::spring[2] / chain::mass[2] * q) / (1 + 1e-4 * 4 * chain::spring[2] / chain::mass[2]);
    q += 0.01 * v;
  }
  EXPECT_NEAR(stiff.q[2], q, 1e-10);
  EXPECT_EQ(stiff.report.newton_iterations, 10);  // with the new matrix: one iteration per step
}

/// Known properties of the given matrices are passed on to their copies.
TEST(AssembledSystem, PassesOnWhatIsKnown) {
  const auto K = matrix_at_rest({1, 0, 0}), M = matrix_at_rest({0, 0, 1});
  const auto mode = chain::vector({1, 2, 3});
  PetscReal length = 0;
  check(VecNormalize(mode.get(), &length));
  Handle<MatNullSpace> modes;
  Vec one = mode.get();
  check(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 1, &one, modes.out()));
  check(MatSetNearNullSpace(K.get(), modes.get()));
  check(MatSetOption(K.get(), MAT_SPD, PETSC_TRUE));
  AssembledSystem linear(M.get(), nullptr, K.get());
  AssembledSystem general(
      K.get(), [](const State&, Vec) {}, [](const State&, Shifts, Mat) {});
  for (AssembledSystem* system : {&linear, &general}) {
    const Handle<Mat> P = Handle<Mat>::adopt(system->create_preconditioner_matrix());
    MatNullSpace found = nullptr;
    check(MatGetNearNullSpace(P.get(), &found));
    EXPECT_EQ(found, modes.get());
  }
  EXPECT_TRUE(general.symmetric());
  EXPECT_FALSE(linear.symmetric());  // M is not declared symmetric
  check(MatSetOption(M.get(), MAT_SYMMETRIC, PETSC_TRUE));
  EXPECT_TRUE(AssembledSystem(M.get(), nullptr, K.get()).symmetric());
}

TEST(AssembledSystem, RefusesWhatDoesNotFit) {
  const auto K = matrix_at_rest({1, 0, 0});
  Handle<Mat> other, bare;
  check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 5, 5, 1, nullptr, 0, nullptr, other.out()));
  check(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, 5, 5, 1, nullptr, 0, nullptr, bare.out()));
  check(MatAssemblyBegin(other.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(other.get(), MAT_FINAL_ASSEMBLY));
  const auto residual = [](const State&, Vec) {};
  const auto fill = [](const State&, Shifts, Mat) {};
  EXPECT_THROW(AssembledSystem(K.get(), nullptr, other.get()), OptionError);
  EXPECT_THROW(AssembledSystem(nullptr, nullptr, nullptr), OptionError);
  EXPECT_THROW(AssembledSystem(nullptr, residual, fill), OptionError);
  EXPECT_THROW(AssembledSystem(bare.get(), residual, fill), OptionError);
  EXPECT_THROW(AssembledSystem(K.get(), residual, {}), OptionError);
}

}  // namespace
