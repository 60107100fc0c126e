// Newton: SOFA's tables and statuses, equivalence with the full 2N system, PETSc's own options.

#include "dynamics/chain.hpp"
#include "dynamics/options.hpp"
#include "dynamics/small_system.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

namespace {

using gearshift::NewtonReason;
using gearshift::NewtonTest;
using gearshift::PcUpdate;
using gearshift::Shifts;
using gearshift::Start;
using gearshift::Stepper;
using gearshift::StepperOptions;
using gearshift::StepReport;
using small::Point;
using small::SmallSystem;
using small::Values;

SmallSystem square_root(double of) {
  return SmallSystem([of](const Point& x) { return Values{x.q[0] * x.q[0] - of}; },
                     [](const Point& x, Shifts s, const Values& w) { return Values{s.q * 2 * x.q[0] * w[0]}; });
}

/// Returns Newton's iterates for x^2 = 612 (SOFA's NewtonRaphsonSquareRootTest).
std::vector<double> iterates(double guess, int iterations) {
  const OptionsScope scope("-snes_linesearch_type basic -ksp_type gmres -ksp_rtol 1e-14 -pc_type none -snes_max_it " +
                           std::to_string(iterations));
  SmallSystem system = square_root(612);
  const auto x = small::vector({guess}), zero = small::vector({0});
  Stepper stepper(system, x.get(), {.newton_test = NewtonTest::thresholds});
  stepper.set_from_options();
  stepper.set_initial_state(0, x.get(), zero.get());
  std::vector<double> path;
  const auto record = [](SNES snes, PetscInt it, PetscReal, void* ctx) -> PetscErrorCode {
    Vec solution = nullptr;
    PetscFunctionBeginUser;
    PetscCall(SNESGetSolution(snes, &solution));
    if (it > 0) static_cast<std::vector<double>*>(ctx)->push_back(small::gather(solution)[0]);
    PetscFunctionReturn(gearshift::petsc::success);
  };
  gearshift::petsc::check(SNESMonitorSet(stepper.snes(), record, &path, nullptr));
  try {
    stepper.solve_static(0);
  } catch (const gearshift::StepFailed&) {  // no criterion is active: the iteration limit ends the solve
  }
  return path;
}

TEST(Newton, SquareRootTables) {
  const std::vector<std::pair<double, std::vector<double>>> tables{
      {1,
       {306.5, 154.2483686786, 79.1079978644, 43.4221286822, 28.7581624288, 25.0195385369, 24.7402106712, 24.7386338040,
        24.7386337537}},
      {10, {35.6, 26.3955056180, 24.7906354925, 24.7386882941, 24.7386337538}},
      {-20, {-25.3, -24.7448616601, -24.7386345374, -24.7386337537}}};
  for (const auto& [guess, expected] : tables) {
    const std::vector<double> path = iterates(guess, static_cast<int>(expected.size()));
    ASSERT_EQ(path.size(), expected.size());
    for (std::size_t i = 0; i < path.size(); ++i) EXPECT_NEAR(path[i], expected[i], 1e-10);
  }
}

/// One mass under gravity, BDF1, dt = 0.1: SOFA's statuses for each criterion.
TEST(Newton, ReasonsOfFreeFall) {
  const OptionsScope scope("-snes_linesearch_type basic -snes_max_it 1 -ksp_rtol 1e-15");
  const auto run = [](gearshift::NewtonThresholds thresholds, bool load) {
    SmallSystem system([load](const Point& x) { return Values{x.a[0] + (load ? 1 : 0)}; },
                       [](const Point&, Shifts s, const Values& w) { return Values{s.a * w[0]}; });
    const auto q = small::vector({1}), v = small::vector({0});
    Stepper stepper(
        system, q.get(),
        {.order = 1, .dt = 0.1, .dt_min = 0.1, .newton_test = NewtonTest::thresholds, .newton = thresholds});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    gearshift::StepReport report;
    try {
      report = stepper.step();
    } catch (const gearshift::StepFailed&) {
      report.newton_reason = NewtonReason::diverged;
      gearshift::petsc::check(SNESGetConvergedReason(stepper.snes(), &report.snes_reason));
    }
    return report;
  };
  EXPECT_EQ(run({}, true).newton_reason, NewtonReason::diverged);
  EXPECT_EQ(run({}, true).snes_reason, SNES_DIVERGED_MAX_IT);
  EXPECT_EQ(run({.residual_successive = 1e-15}, true).newton_reason, NewtonReason::residual_successive);
  EXPECT_EQ(run({.residual_initial = 1e-15}, true).newton_reason, NewtonReason::residual_initial);
  EXPECT_EQ(run({.residual_absolute = 1e-15}, true).newton_reason, NewtonReason::residual_absolute);
  EXPECT_EQ(run({.increment_relative = 1e-15}, true).newton_reason, NewtonReason::diverged);
  EXPECT_EQ(run({.increment_absolute = 1e-15}, true).newton_reason, NewtonReason::diverged);
  EXPECT_EQ(run({.increment_absolute = 1}, true).newton_reason, NewtonReason::increment_absolute);
  EXPECT_EQ(run({.increment_sum = 1.5}, true).newton_reason, NewtonReason::increment_sum);
  EXPECT_EQ(run({.residual_absolute = 1e-5}, false).newton_reason, NewtonReason::equilibrium);
  EXPECT_EQ(run({.residual_absolute = 1e-5}, false).newton_iterations, 0);
  EXPECT_STREQ(gearshift::to_string(NewtonReason::residual_initial), "residual_initial");
}

Eigen::MatrixXd part(const chain::Triple& q, Shifts s) {
  Eigen::MatrixXd m(3, 3);
  for (int j = 0; j < 3; ++j) {
    chain::Triple e{};
    e[j] = 1;
    const chain::Triple column = chain::tangent(q, s, e);
    for (int i = 0; i < 3; ++i) m(i, j) = column[i];
  }
  return m;
}

/// One Newton increment equals the elimination of the full system
///   [alpha I, -I; R_q, alpha M + R_v] (dq, dv) = -(r_q, r_v), r_q = sum c_j q_j - v = 0 here, with Rayleigh damping.
class FullSystem : public testing::TestWithParam<chain::Own> {};

TEST_P(FullSystem, SameNewtonIncrement) {
  const OptionsScope scope(
      "-snes_linesearch_type basic -snes_max_it 1 -ksp_rtol 1e-15 -ksp_type gmres -pc_type none "
      "-gear_rayleigh_mass 0.7 -gear_rayleigh_stiffness 0.02");
  const double r_m = 0.7, r_k = 0.02;
  for (int k = 1; k <= 6; ++k) {
    chain::Chain system;
    const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
    Stepper stepper(system, q.get(),
                    {.order = k,
                     .start = Start::ramp,
                     .newton_test = NewtonTest::thresholds,
                     .newton = {.increment_sum = 2}});  // stop after one iteration, converged or not
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    // The history as plain numbers, in addition to the stepper's.
    std::vector<Eigen::VectorXd> past_q, past_v;
    std::vector<double> times{0};
    const auto as_eigen = [](const chain::Triple& x) { return Eigen::Vector3d(x[0], x[1], x[2]); };
    past_q.push_back(as_eigen(chain::q0));
    past_v.push_back(as_eigen(chain::v0));
    const std::vector<double> steps{0.01, 0.017, 0.008, 0.02, 0.013, 0.009, 0.015, 0.011};
    for (const double h : steps) {
      const int s = std::min<int>(k, static_cast<int>(past_q.size()));
      std::vector<double> t(times.end() - s, times.end());
      t.push_back(times.back() + h);
      for (double& x : t) x -= times.back() + h;
      const std::vector<double> c = gearshift::bdf::weights(t);
      const double alpha = c.back();
      // The stepper's predictor, through one more state if available.
      const int n = std::min<int>(k + 1, static_cast<int>(past_q.size()));
      std::vector<double> known(times.end() - n, times.end());
      const std::vector<double> l = gearshift::bdf::interpolation_weights(known, times.back() + h);
      Eigen::Vector3d vel = Eigen::Vector3d::Zero(), sum_q = vel, sum_v = vel;
      for (int j = 0; j < n; ++j) vel += l[j] * past_v[past_v.size() - n + j];
      for (int j = 0; j < s; ++j) {
        sum_q += c[j] * past_q[past_q.size() - s + j];
        sum_v += c[j] * past_v[past_v.size() - s + j];
      }
      const Eigen::Vector3d pos = (vel - sum_q) / alpha, acc = alpha * vel + sum_v;
      const chain::Triple qt{pos[0], pos[1], pos[2]}, vt{vel[0], vel[1], vel[2]}, at{acc[0], acc[1], acc[2]};
      const Eigen::MatrixXd M = part(qt, {0, 0, 1}), C = part(qt, {0, 1, 0}), K = part(qt, {1, 0, 0});
      Eigen::MatrixXd Kv(3, 3);  // columns of R_qq[v, .]
      for (int j = 0; j < 3; ++j) {
        chain::Triple e{};
        e[j] = 1;
        Kv.col(j) = as_eigen(chain::stiffness_derivative(qt, vt, e));
      }
      const chain::Triple r = chain::residual(times.back() + h, qt, vt, at);
      const Eigen::Vector3d rv = as_eigen(r) + r_m * M * vel + r_k * K * vel;
      Eigen::MatrixXd full(6, 6);
      full << alpha * Eigen::MatrixXd::Identity(3, 3), -Eigen::MatrixXd::Identity(3, 3), K + r_k * Kv,
          alpha * M + C + r_m * M + r_k * K;
      Eigen::VectorXd rhs(6);
      rhs << Eigen::Vector3d::Zero(), -rv;
      const Eigen::VectorXd increment = full.fullPivLu().solve(rhs);
      stepper.set_dt(h);
      const StepReport report = stepper.step();
      EXPECT_EQ(report.newton_iterations, 1);
      const Eigen::Vector3d new_q = as_eigen(chain::gather(stepper.state().q)),
                            new_v = as_eigen(chain::gather(stepper.state().v));
      const double scale = increment.tail(3).norm() + 1e-3 * vel.norm();
      // Without the exact R_qq[v, .] the damping tangent has the error of its differences.
      const double tolerance = (GetParam() == chain::Own::linearization ? 1e-12 : 1e-9) * scale;
      EXPECT_LT((new_v - vel - increment.tail(3)).norm(), tolerance) << "order " << k;
      EXPECT_LT((new_q - pos - increment.head(3)).norm(), tolerance) << "order " << k;
      past_q.push_back(new_q);
      past_v.push_back(new_v);
      times.push_back(times.back() + h);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Newton, FullSystem, testing::Values(chain::Own::product, chain::Own::linearization));

TEST(Newton, ConvergesQuadraticallyWithRayleighDamping) {
  const OptionsScope scope(
      "-snes_rtol 1e-14 -snes_stol 0 -snes_atol 1e-13 -ksp_rtol 1e-14 -ksp_type gmres -pc_type none "
      "-gear_rayleigh_mass 0.5 -gear_rayleigh_stiffness 0.1");
  chain::Chain system;
  const auto q = chain::vector({2, -2, 3}), v = chain::vector({10, 20, -30});
  Stepper stepper(system, q.get(), {.order = 1, .dt = 0.05});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  const StepReport report = stepper.step();
  ASSERT_GE(report.residual_norms.size(), 4U);
  double best = 0;  // observed exponent log(r2/r1)/log(r1/r0) above rounding
  for (std::size_t i = 2; i < report.residual_norms.size(); ++i)
    if (report.residual_norms[i] > 1e-10 * report.residual_norms[0])
      best = std::max(best, std::log(report.residual_norms[i] / report.residual_norms[i - 1]) /
                                std::log(report.residual_norms[i - 1] / report.residual_norms[i - 2]));
  EXPECT_GT(best, 1.7);
}

class Switches : public testing::TestWithParam<const char*> {};

/// PETSc's own ways to obtain a Jacobian lead to the same trajectory, also with prescribed motion.
TEST_P(Switches, SameTrajectory) {
  const auto run = [](const std::string& options, chain::Own own) {
    const OptionsScope scope("-snes_rtol 1e-12 -snes_stol 1e-14 -snes_max_it 30 -ksp_rtol 1e-8 " + options);
    chain::Chain system(true, own);
    const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
    Stepper stepper(system, q.get(), {.order = 3, .dt = 0.02});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    stepper.advance_to(0.4);
    return chain::gather(stepper.state().q);
  };
  const chain::Triple plain = run("", chain::Own::product), other = run(GetParam(), chain::Own::nothing);
  for (int i = 0; i < chain::size; ++i) EXPECT_NEAR(other[i], plain[i], 1e-10);
}

INSTANTIATE_TEST_SUITE_P(Newton, Switches,
                         testing::Values("", "-snes_mf", "-snes_mf_operator -pc_type none", "-snes_fd",
                                         "-ksp_type gmres -pc_type none", "-gear_pc_update never",
                                         "-gear_pc_update simulation", "-gear_pc_update newton",
                                         "-snes_linesearch_type bt", "-snes_lag_preconditioner 2"));

TEST(Newton, DenseDifferencesAreRefusedAbove2000Unknowns) {
  const OptionsScope scope("-snes_fd");
  SmallSystem system([](const Point& x) { return x.a; });
  const auto q = small::vector(Values(2000, 0.0));
  Stepper stepper(system, q.get(), {.dt = 0.1});
  EXPECT_THROW(stepper.set_from_options(), gearshift::OptionError);
}

/// -snes_test_jacobian agrees with the shell matrix, including prescribed rows.
TEST(Newton, TestJacobian) {
  const OptionsScope scope("-snes_test_jacobian 1e-5 -snes_rtol 1e-12 -ksp_rtol 1e-10");
  chain::Chain system(true);
  const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
  Stepper stepper(system, q.get(), {.order = 2, .dt = 0.02});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), v.get());
  testing::internal::CaptureStdout();
  stepper.step();
  const std::string text = testing::internal::GetCapturedStdout();
  int rank = 0;
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  if (rank != 0) return;
  const std::size_t at = text.find("||J - Jfd||_F/||J||_F = ");
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_LT(std::stod(text.substr(at + 24)), 1e-6);
}

/// A symmetric tangent works with Krylov methods that need its transpose.
TEST(Newton, SymmetricTangentsHaveATranspose) {
  std::vector<Values> ends;
  for (const char* type : {"cg", "bicg"}) {
    const OptionsScope scope(std::string("-pc_type none -ksp_rtol 1e-12 -snes_rtol 1e-12 -ksp_type ") + type);
    chain::Chain system;
    const auto q = chain::vector(chain::q0), v = chain::vector(chain::v0);
    Stepper stepper(system, q.get(), {.dt = 0.01});
    stepper.set_from_options();
    stepper.set_initial_state(0, q.get(), v.get());
    stepper.advance_to(0.1);
    ends.push_back(small::gather(stepper.state().q));
  }
  for (std::size_t i = 0; i < ends[0].size(); ++i) EXPECT_NEAR(ends[1][i], ends[0][i], 1e-9);
}

/// If CG detects an indefinite operator, GMRES replaces it and this is reported.
TEST(Newton, IndefiniteOperator) {
  SmallSystem system(
      [](const Point& x) {
        return Values{x.q[0] - 1, -2 * x.q[1] + 1, x.q[2] + x.q[0]};
      },
      [](const Point&, Shifts s, const Values& w) {
        return Values{s.q * w[0], -2 * s.q * w[1], s.q * (w[2])};
      },
      true);
  const OptionsScope scope("-ksp_rtol 1e-12 -snes_rtol 1e-10");
  const auto q = small::vector({0, 0, 0});
  Stepper stepper(system, q.get(), {.dt = 0.1});
  stepper.set_from_options();
  stepper.set_initial_state(0, q.get(), q.get());
  const gearshift::Report report = stepper.solve_static(0);
  EXPECT_TRUE(report.last.krylov_fallback);
  EXPECT_NEAR(small::gather(stepper.state().q)[1], 0.5, 1e-9);
}

}  // namespace
