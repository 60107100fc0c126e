// BdfScheme: PBAT's tables and calls, exact rationals of the constant history, variable steps, rollback, save and load.

#include <gearshift/gearshift.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

using gearshift::BdfScheme;
using gearshift::petsc::check;
using gearshift::petsc::Handle;
using gearshift::petsc::ReadView;

Handle<Vec> constant(double value, PetscInt size = 5) {
  Handle<Vec> x;
  check(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, size, x.out()));
  check(VecSet(x.get(), value));
  return x;
}

double value(Vec x) {
  double mean = 0;
  PetscInt size = 0;
  check(VecSum(x, &mean));
  check(VecGetSize(x, &size));
  return mean / static_cast<double>(size);
}

/// Fills the history with s states {x0, v0} at intervals h: PBAT's initial conditions.
void fill_constant(BdfScheme& scheme, double h, double x0, double v0) {
  const auto x = constant(x0), v = constant(v0);
  scheme.set_initial_conditions(-(scheme.order() - 1) * h, {x.get(), v.get()});
  for (int k = 1; k < scheme.order(); ++k) {
    scheme.begin_step(h);
    scheme.finish_step({x.get(), v.get()});
  }
}

TEST(BdfScheme, TablesOfConstantSteps) {
  const std::vector<std::vector<double>> alpha{
      {-1.0},
      {1.0 / 3, -4.0 / 3},
      {-2.0 / 11, 9.0 / 11, -18.0 / 11},
      {3.0 / 25, -16.0 / 25, 36.0 / 25, -48.0 / 25},
      {-12.0 / 137, 75.0 / 137, -200.0 / 137, 300.0 / 137, -300.0 / 137},
      {10.0 / 147, -72.0 / 147, 225.0 / 147, -400.0 / 147, 450.0 / 147, -360.0 / 147}};
  const std::vector<double> beta{1.0, 2.0 / 3, 6.0 / 11, 12.0 / 25, 60.0 / 137, 60.0 / 147};
  for (int s = 1; s <= 6; ++s) {
    BdfScheme scheme(constant(0).get(), 2, s);
    const double h = 0.125;  // a power of two, so that the times are exact
    fill_constant(scheme, h, 1, 0);
    scheme.begin_step(h);
    ASSERT_EQ(scheme.step_order(), s);
    for (int k = 0; k < s; ++k) EXPECT_NEAR(scheme.alpha(k), alpha[s - 1][k], 4e-16 * std::abs(alpha[s - 1][k]));
    EXPECT_DOUBLE_EQ(scheme.beta_tilde(), h * beta[s - 1]);
    EXPECT_THROW(static_cast<void>(scheme.alpha(s)), std::out_of_range);
    EXPECT_THROW(static_cast<void>(scheme.alpha(-1)), std::out_of_range);
    EXPECT_THROW(static_cast<void>(scheme.state(s, 0)), std::out_of_range);
    EXPECT_THROW(static_cast<void>(scheme.state(0, 2)), std::out_of_range);
  }
}

/// x'' = 1 from x = 1, x' = 1/2 with PBAT's constant history, h = 1/100: exact rationals.
TEST(BdfScheme, ConstantHistoryOfFreeMotion) {
  struct Row {
    int s, step;
    double x_numerator, x_denominator, v_numerator, v_denominator;
  };
  const std::array rows{
      Row{1, 1, 10051.0, 10000.0, 51.0, 100.0},
      Row{1, 4, 1021.0, 1000.0, 27.0, 50.0},
      Row{1, 8, 2609.0, 2500.0, 29.0, 50.0},
      Row{2, 1, 5644.0, 5625.0, 38.0, 75.0},
      Row{2, 4, 618559.0, 607500.0, 2167.0, 4050.0},
      Row{2, 8, 5119427.0, 4920750.0, 188629.0, 328050.0},
      Row{3, 1, 151667.0, 151250.0, 139.0, 275.0},
      Row{3, 4, 409880939.0, 402627500.0, 391507.0, 732050.0},
      Row{3, 8, 3066250375261.0, 2947434613750.0, 6162891049.0, 10717944050.0},
      Row{4, 1, 783143.0, 781250.0, 631.0, 1250.0},
      Row{4, 4, 12429819299.0, 12207031250.0, 10455127.0, 19531250.0},
      Row{4, 8, 2480240673857659.0, 2384185791015625.0, 4386587343157.0, 7629394531250.0},
      Row{5, 1, 940523.0, 938450.0, 691.0, 1370.0},
      Row{5, 4, 2457690863419.0, 2413086222850.0, 1887347723.0, 3522753610.0},
      Row{5, 8, 442183010728724386931.0, 425035410139305099425.0, 713661723137162801.0, 1240979299676803210.0},
      Row{6, 1, 120297.0, 120050.0, 247.0, 490.0},
      Row{6, 4, 14386125083.0, 14123762450.0, 92684129.0, 172944030.0},
      Row{6, 8, 381302916558999073.0, 366393059529851025.0, 1722150624578129.0, 2990963751264090.0},
  };
  for (const Row& row : rows) {
    BdfScheme scheme(constant(0).get(), 2, row.s);
    fill_constant(scheme, 0.01, 1, 0.5);
    const auto x = constant(0), v = constant(0);
    for (int n = 0; n < row.step; ++n) {
      scheme.begin_step(0.01);
      // v = beta f - inertia, x = beta v - inertia with f = 1
      check(VecSet(v.get(), scheme.beta_tilde()));
      check(VecAXPY(v.get(), -1, scheme.inertia(1)));
      check(VecCopy(scheme.inertia(0), x.get()));
      check(VecAXPBY(x.get(), scheme.beta_tilde(), -1, v.get()));
      scheme.finish_step({x.get(), v.get()});
    }
    EXPECT_NEAR(value(scheme.state(row.s - 1, 0)), row.x_numerator / row.x_denominator, 1e-14) << row.s;
    EXPECT_NEAR(value(scheme.state(row.s - 1, 1)), row.v_numerator / row.v_denominator, 1e-14) << row.s;
  }
}

/// A polynomial of degree s is integrated, differentiated, predicted and interpolated exactly for any steps.
TEST(BdfScheme, ExactOnPolynomialsAtUnequalSteps) {
  const std::array steps{0.1, 0.17, 0.05, 0.3, 0.11, 0.2, 0.09, 0.4};
  for (int s = 1; s <= 6; ++s) {
    const auto p = [&](double t) { return std::pow(t - 0.3, s) + 2; };
    const auto dp = [&](double t) { return s * std::pow(t - 0.3, s - 1); };
    BdfScheme scheme(constant(0).get(), 1, s);
    double t = 0;
    scheme.set_initial_conditions(t, {constant(p(t)).get()});
    for (const double h : steps) {
      scheme.begin_step(h);
      t += h;
      if (scheme.step_order() == s) {
        const double solved = scheme.beta_tilde() * dp(t) - value(scheme.inertia(0));
        EXPECT_NEAR(solved, p(t), 1e-12) << s;
      }
      if (scheme.size() > s) {
        const auto guess = constant(0);
        scheme.predict(0, guess.get());
        EXPECT_NEAR(value(guess.get()), p(t), 1e-10) << s;
      }
      scheme.finish_step({constant(p(t)).get()});
      if (scheme.size() > s) {
        const auto between = constant(0);
        scheme.interpolate(0, t - 0.4 * h, between.get());
        EXPECT_NEAR(value(between.get()), p(t - 0.4 * h), 1e-11) << s;
      }
    }
  }
}

TEST(BdfScheme, NoDigitsLostAtLateTimes) {
  BdfScheme early(constant(0).get(), 2, 4), late(constant(0).get(), 2, 4);
  for (BdfScheme* scheme : {&early, &late}) {
    const auto x = constant(1), v = constant(2);
    scheme->set_initial_conditions(scheme == &late ? 1e7 : 0, {x.get(), v.get()});
    for (const double h : {1e-3, 1.3e-3, 0.9e-3}) {
      scheme->begin_step(h);
      scheme->finish_step({x.get(), v.get()});
    }
    scheme->begin_step(1.1e-3);
  }
  for (int k = 0; k < 4; ++k) EXPECT_EQ(early.alpha(k), late.alpha(k));
  EXPECT_EQ(early.beta_tilde(), late.beta_tilde());
}

TEST(BdfScheme, RollbackAndOrderChange) {
  BdfScheme scheme(constant(0).get(), 1, 2);
  scheme.set_initial_conditions(0, {constant(0).get()});
  for (int n = 1; n <= 7; ++n) {
    scheme.begin_step(0.1);
    check(VecSet(scheme.current(0), n));
    scheme.advance_time();
  }
  EXPECT_NEAR(scheme.time(), 0.7, 1e-15);
  EXPECT_EQ(value(scheme.state(1, 0)), 7);
  EXPECT_EQ(value(scheme.state(0, 0)), 6);
  scheme.rollback();
  EXPECT_NEAR(scheme.time(), 0.6, 1e-15);
  EXPECT_EQ(value(scheme.state(1, 0)), 6);
  EXPECT_EQ(value(scheme.state(0, 0)), 5);
  scheme.set_order(5);  // a raise is limited by the stored history
  scheme.begin_step(0.1);
  EXPECT_LT(scheme.step_order(), 5);
  EXPECT_GE(scheme.step_order(), 3);
  EXPECT_EQ(value(scheme.state(scheme.step_order() - 1, 0)), 6);
  EXPECT_EQ(value(scheme.state(0, 0)), 7 - scheme.step_order());
  EXPECT_THROW(scheme.set_order(0), gearshift::OptionError);
  EXPECT_THROW(scheme.set_order(13), gearshift::OptionError);
  EXPECT_THROW(scheme.begin_step(0), gearshift::OptionError);
  EXPECT_THROW(scheme.begin_step(-1), gearshift::OptionError);
  EXPECT_THROW(BdfScheme(constant(0).get(), 0, 2), gearshift::OptionError);
  EXPECT_THROW(BdfScheme(constant(0).get(), 2, 0), gearshift::OptionError);
}

TEST(BdfScheme, SaveAndLoad) {
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const std::string file = "scheme_test_" + std::to_string(ranks) + ".h5";
  BdfScheme scheme(constant(0).get(), 2, 3);
  scheme.set_initial_conditions(1, {constant(1).get(), constant(2).get()});
  for (int n = 1; n <= 6; ++n) {
    scheme.begin_step(0.1 * n);
    scheme.finish_step({constant(n).get(), constant(n * n).get()});
  }
  scheme.save(file, "history");
  BdfScheme copy(constant(0).get(), 2, 1);
  copy.load(file, "history");
  EXPECT_EQ(copy.order(), 3);
  EXPECT_EQ(copy.time(), scheme.time());
  scheme.begin_step(0.3);
  copy.begin_step(0.3);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(copy.alpha(k), scheme.alpha(k));
  for (int level = 0; level < 2; ++level) EXPECT_EQ(value(copy.inertia(level)), value(scheme.inertia(level)));
  scheme.save(file, "history");  // overwriting it is allowed
  BdfScheme other(constant(0).get(), 1, 2);
  EXPECT_THROW(other.load(file, "history"), gearshift::IoError);
  EXPECT_THROW(copy.load("no_such_file.h5"), gearshift::IoError);
  EXPECT_THROW(copy.load(file, "another_name"), gearshift::IoError);
  MPI_Barrier(PETSC_COMM_WORLD);
  std::filesystem::remove(file);
  std::filesystem::remove(file + ".previous");
}

TEST(BdfScheme, RefusesFilesWithoutSeal) {
  int ranks = 1, rank = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const std::string file = "scheme_test_of_earlier_version_" + std::to_string(ranks) + ".h5";
  if (rank == 0) std::ofstream(file) << "\x89HDF, as written before histories were checkpoints";
  MPI_Barrier(PETSC_COMM_WORLD);
  BdfScheme scheme(constant(0).get(), 2, 3);
  try {
    scheme.load(file);
    FAIL();
  } catch (const gearshift::IoError& error) {
    EXPECT_NE(std::string(error.what()).find("not a checkpoint of this version"), std::string::npos) << error.what();
  }
  MPI_Barrier(PETSC_COMM_WORLD);
  std::filesystem::remove(file);
}

}  // namespace
