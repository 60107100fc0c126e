// J2 plasticity: stress, tangent and history compared with a plain return mapping; closed forms; rejected steps.

#include <gearshift/dynamics/stepper.hpp>

#include "dynamics/options.hpp"
#include "solid/plain_sum.hpp"

#include <Eigen/Eigenvalues>
#include <array>
#include <cstdio>
#include <random>
#include <utility>

namespace gearshift::solid::test {
namespace {

using Matrix = Eigen::Matrix3d;

Material metal() {
  return {.law = Law::j2,
          .E = 2.6,
          .nu = 0.3,
          .rho = 1.7,
          .yield = 0.02,
          .hardening = 0.15,
          .voce_saturation = 0.05,
          .voce_rate = 12};
}

PetscReal yield_stress(const Material& m, PetscReal alpha) {
  const PetscReal voce = m.voce_saturation > 0 ? (m.voce_saturation - m.yield) * -std::expm1(-m.voce_rate * alpha) : 0;
  return m.yield + m.hardening * alpha + voce;
}

/// History variables of a point.
struct Point {
  Matrix plastic = Matrix::Zero();
  double alpha = 0;
};

/// Returns the first Piola-Kirchhoff stress of F after a step from `at`, which is updated.
Matrix step(const Material& m, const Matrix& F, Point& at) {
  const double mu = m.E / (2 * (1 + m.nu)), bulk = m.E / (3 * (1 - 2 * m.nu));
  const Eigen::SelfAdjointEigenSolver<Matrix> C(F.transpose() * F);
  const Eigen::Vector3d c = C.eigenvalues(), ln = 0.5 * c.array().log();
  const Matrix N = C.eigenvectors(), E = N * ln.asDiagonal() * N.transpose(), I = Matrix::Identity();
  Matrix s = 2 * mu * (E - E.trace() / 3 * I - at.plastic);
  const double trial = s.norm(), root = std::sqrt(2.0 / 3);
  if (trial > root * yield_stress(m, at.alpha)) {
    const Matrix n = s / trial;
    double low = 0, high = trial / (2 * mu);  // by bisection
    for (int i = 0; i < 200; ++i) {
      const double middle = (low + high) / 2;
      (trial - 2 * mu * middle > root * yield_stress(m, at.alpha + root * middle) ? low : high) = middle;
    }
    s -= 2 * mu * low * n;
    at.plastic += low * n;
    at.alpha += root * low;
  }
  Matrix T = N.transpose() * (s + bulk * E.trace() * I) * N;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      T(i, j) *= std::abs(c[i] - c[j]) > 1e-9 ? (std::log(c[i]) - std::log(c[j])) / (c[i] - c[j]) : 1 / c[i];
  return F * N * T * N.transpose();
}

Handle<Vec> history(const Body& body) {
  Handle<Vec> z;
  check(VecDuplicate(body.internal_layout(), z.out()));
  check(VecZeroEntries(z.get()));
  return z;
}

Vec3 times(const Matrix& A, const Vec3& X) {
  const Eigen::Vector3d x = A * Eigen::Vector3d(X[0], X[1], X[2]);
  return {x[0], x[1], x[2]};
}

constexpr std::array<Cells, 5> all_cells{Cells::cartesian, Cells::affine, Cells::general, Cells::tetrahedra,
                                         Cells::hexahedra_and_wedges};

}  // namespace

/// A path of homogeneous deformations that rotates, reverses and has repeated eigenvalues.
TEST(Plasticity, FollowsAPath) {
  std::vector<Matrix> path;
  Matrix H = Matrix::Zero();
  path.push_back(H);
  H(0, 0) = 0.008;
  path.push_back(H);
  H << 0.2, 0, 0, 0, -0.08, 0, 0, 0, -0.08;
  path.push_back(H);
  H << 0.15, 0.3, 0, 0, -0.05, 0.1, 0.05, 0, -0.1;
  path.push_back(H);
  H << -0.1, 0.2, 0.1, 0.05, 0.25, 0, -0.2, 0.1, 0.02;
  path.push_back(H);
  path.push_back(0.98 * H);
  H = -0.3 * Matrix::Identity();
  path.push_back(H);
  for (const std::string& simd : widths()) {
    const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_simd", simd}});
    for (const Cells cells : all_cells) {
      Body body(mesh_of(cells), 2);
      body.set_material(metal());
      body.set_up();
      EXPECT_TRUE(body.internal_follows_path());
      auto z = history(body), next = history(body), r = vector(body);
      const auto expected = vector(body);
      Point point;
      for (std::size_t k = 0; k < path.size(); ++k) {
        const auto u = vector(body, [&](const Vec3& X) { return times(path[k], X); });
        const State x{0, u.get(), nullptr, nullptr, {z.get(), 1, 3.7}};
        const Point before = point;
        const Matrix P = step(metal(), path[k] + Matrix::Identity(), point);
        body.residual(x, r.get());
        reference(body, u.get(), nullptr, nullptr, 0, expected.get(),
                  [&](const Tensor<double>&, const Tensor<double>&, Tensor<double>& own, PetscInt, std::size_t) {
                    for (int c = 0; c < 3; ++c)
                      for (int j = 0; j < 3; ++j) own(c, j) = P(c, j);
                  });
        check(VecAXPY(r.get(), -1, expected.get()));
        EXPECT_LT(biggest(r.get()), 1e-13) << simd << " step " << k;
        body.internal_variables(x, next.get());
        {
          const petsc::ReadView values(next.get());
          const std::array<double, 6> exact{point.plastic(0, 0), point.plastic(0, 1), point.plastic(0, 2),
                                            point.plastic(1, 1), point.plastic(1, 2), point.alpha};
          double gap = 0;
          for (std::size_t i = 0; i < values.size(); ++i) gap = std::max(gap, std::abs(values[i] - exact[i % 6]));
          EXPECT_LT(gap, 1e-13) << simd << " step " << k;
        }
        EXPECT_EQ(point.alpha > before.alpha, k != 0 && k != 1 && k != 5) << k;
        std::swap(z, next);
        // An accepted state keeps its forces.
        body.residual({0, u.get(), nullptr, nullptr, {.base = z.get()}}, r.get());
        check(VecAXPY(r.get(), -1, expected.get()));
        EXPECT_LT(biggest(r.get()), 1e-13) << simd << " step " << k;
      }
    }
  }
}

/// The tangent is the derivative of the force, symmetric, and equal to the assembled one; without plastic flow the
/// forces are derivatives of the energies.
TEST(Plasticity, TangentIsConsistent) {
  for (const std::string& simd : widths()) {
    const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_simd", simd}});
    for (const Cells cells : {Cells::cartesian, Cells::general, Cells::tetrahedra}) {
      Body body(mesh_of(cells), 2);
      body.set_material(metal());
      body.set_up();
      auto z = history(body), next = history(body), r = vector(body), plus = vector(body), minus = vector(body),
           y = vector(body);
      const auto d = vector(body, ripple), e = vector(body, wavy);
      for (const PetscReal size : {0.0, 1e-6, 1e-3, 0.5, 2.0, 1.2, 3.0}) {
        const auto u = vector(body, [&](const Vec3& X) {
          const Vec3 w = wavy(X);
          return Vec3{size * w[0], size * w[1] + 0.05 * size * X[0] * X[0], size * w[2]};
        });
        const InternalState internal{z.get(), 1, 2.0};
        const auto tangent = body.make_linearization();
        tangent->update({0, u.get(), nullptr, nullptr, internal});
        tangent->apply({1, 0, 0}, d.get(), r.get());
        const PetscReal h = 1e-7;
        for (const int sign : {1, -1}) {
          check(VecWAXPY(y.get(), sign * h, d.get(), u.get()));
          body.residual({0, y.get(), nullptr, nullptr, internal}, (sign > 0 ? plus : minus).get());
        }
        check(VecAXPY(plus.get(), -1, minus.get()));
        check(VecAXPBY(plus.get(), -1, 1 / (2 * h), r.get()));
        EXPECT_LT(norm(plus.get()), 2e-6 * norm(r.get())) << simd << " " << size;
        tangent->apply({1, 0, 0}, e.get(), y.get());
        EXPECT_NEAR(inner(e.get(), r.get()), inner(d.get(), y.get()), 1e-11 * std::abs(inner(d.get(), y.get())));
        body.internal_variables({0, u.get(), nullptr, nullptr, internal}, next.get());
        std::swap(z, next);
      }
    }
  }
}

/// Static uniaxial stress in load steps: tension, compression, tension again, compared with the one-dimensional law; a
/// few Newton iterations in each step.
TEST(Plasticity, UniaxialCycle) {
  const OptionsScope options("-snes_rtol 1e-11 -snes_stol 0 -ksp_rtol 1e-10 -snes_max_it 12");
  Material m = metal();
  for (const bool voce : {true, false}) {
    if (!voce) m.voce_saturation = m.voce_rate = 0;
    PetscReal load = 0;
    Body body(box("2,2,1", "1.5,0.8,1.1"), 2);
    body.set_material(m);
    body.fix("xmin", 0);
    body.fix("ymin", 1);
    body.fix("zmin", 2);
    body.add_traction("xmax", [&](PetscReal, const Vec3&) { return Vec3{load, 0, 0}; });
    body.set_up();
    Stepper stepper(body, body.layout(), {});
    stepper.set_from_options();
    const auto rest = vector(body);
    stepper.set_initial_state(0, rest.get(), rest.get());
    PetscReal t = 0, plastic = 0, alpha = 0, largest = 0;
    for (const PetscReal target : {0.05, 0.0, -0.055, 0.055}) {
      const PetscReal from = load;
      for (int i = 1; i <= 4; ++i) {
        load = from + (target - from) * i / 4;
        // Strain and Kirchhoff stress of the dead load: T = P exp(strain).
        PetscReal strain = plastic, new_alpha = alpha, new_plastic = plastic;
        for (int round = 0; round < 200; ++round) {
          const PetscReal T = load * std::exp(strain);
          new_alpha = alpha;
          if (std::abs(T) > yield_stress(m, alpha)) {
            PetscReal low = alpha, high = 1;
            for (int half = 0; half < 100; ++half) {
              const PetscReal middle = (low + high) / 2;
              (yield_stress(m, middle) < std::abs(T) ? low : high) = middle;
            }
            new_alpha = low;
          }
          new_plastic = plastic + std::copysign(new_alpha - alpha, T);
          strain = T / m.E + new_plastic;
        }
        alpha = new_alpha;
        plastic = new_plastic;
        if (i == 2 && load > 0) {  // a failed load step leaves no plastic flow behind
          const PetscReal wanted = std::exchange(load, 20 * load);
          EXPECT_THROW(stepper.solve_static(++t), StepFailed);
          load = wanted;
        }
        const Report report = stepper.solve_static(++t);
        EXPECT_LE(report.newton_iterations, 7) << "load " << load;
        PetscReal end = 0, most = 0;
        check(VecMax(stepper.state().q, nullptr, &end));
        if (strain > 0.01) {
          EXPECT_NEAR(std::log1p(end / 1.5), strain, 1e-8) << "load " << load;
          largest = std::max(largest, strain);
        }
        check(VecMax(stepper.state().internal.base, nullptr, &most));
        EXPECT_NEAR(most, alpha, 1e-8) << "load " << load;
      }
    }
    EXPECT_GT(largest, 0.1);
    EXPECT_GT(alpha, 0.1);
  }
}

/// A beam with an initial velocity that bends it permanently.
class Beam : public Body {
 public:
  Beam() : Body(box("4,1,1", "4,1,1"), 2) {
    Material m = metal();
    m.hardening = 0.05;
    m.voce_saturation = m.voce_rate = 0;
    set_material(m);
    clamp("xmin");
    set_up();
  }
  void residual(const State& x, Vec r) override {
    Body::residual(x, r);
    if (fails && x.internal.rate > 0 && x.internal.rate < 1e6 && fails()) throw InvalidState("by chance");
  }
  std::function<bool()> fails;
};

void start(Stepper& stepper, const Body& body) {
  stepper.set_from_options();
  const auto rest = vector(body), thrown = vector(body, [](const Vec3&X) { return Vec3{0, 0.02 * X[0], 0}; });
  stepper.set_initial_state(0, rest.get(), thrown.get());
}

/// Plastic work is counted as dissipated energy, and the remaining error vanishes with the step, for each method.
TEST(Plasticity, BooksThePlasticWork) {
  for (const Family family : {Family::bdf, Family::sdirk, Family::esdirk}) {
    std::array<PetscReal, 2> missing{};
    for (std::size_t i = 0; i < 2; ++i) {
      const OptionsScope options("");
      Beam body;
      Stepper stepper(body, body.layout(),
                      {.family = family, .dt = 0.4 / static_cast<PetscReal>(i + 1), .energy = true});
      start(stepper, body);
      stepper.advance_to(16);
      const EnergyLedger& ledger = stepper.ledger();
      missing[i] = std::abs(ledger.numerical()) / ledger.initial;
      EXPECT_GT(ledger.dissipated, 0.2 * ledger.initial);
      EXPECT_EQ(stepper.options().order, 2);
    }
    EXPECT_LT(missing[1], 0.7 * missing[0]);
    EXPECT_LT(missing[1], 0.05);
  }
}

/// The dense output does not exceed the yield stress, either: starting from it, a step without motion causes no flow.
TEST(Plasticity, FlowsBetweenSteps) {
  const OptionsScope options("");
  for (const Family family : {Family::bdf, Family::esdirk}) {
    Beam body;
    Stepper stepper(body, body.layout(), {.family = family, .dt = 0.8});
    start(stepper, body);
    auto z = history(body);
    PetscReal before = 0;
    for (int step = 1; step <= 12; ++step) {
      stepper.step();
      for (const PetscReal part : {0.3, 0.7, 1.0}) {
        State inside = stepper.state_at((step - 1 + part) * 0.8);
        const PetscReal now = norm(inside.internal.base);
        EXPECT_GE(now, before * (1 - 1e-9));
        inside.internal.rate = 1;
        body.internal_variables(inside, z.get());
        check(VecAXPY(z.get(), -1, inside.internal.base));
        EXPECT_LT(biggest(z.get()), 1e-12) << "step " << step << " + " << part;
      }
      before = norm(stepper.state().internal.base);
    }
    EXPECT_GT(before, 0);
  }
}

/// Rayleigh damping uses the stiffness of the body after plastic flow: it dissipates.
TEST(Plasticity, DampedByItsStiffness) {
  const OptionsScope options("");
  Beam body;
  Stepper stepper(body, body.layout(), {.dt = 0.2, .rayleigh_stiffness = 0.05, .energy = true});
  start(stepper, body);
  PetscReal before = 0;
  for (int step = 0; step < 60; ++step) {
    stepper.step();
    EXPECT_GE(stepper.ledger().dissipated, before);
    before = stepper.ledger().dissipated;
  }
  EXPECT_LT(std::abs(stepper.ledger().numerical()), 0.03 * stepper.ledger().initial);
}

/// Failed attempts leave no trace in the history; snapshots and files contain all of it.
TEST(Plasticity, ForgetsWhatWasRejectedAndRestarts) {
  const OptionsScope options("");
  int ranks = 1, rank = 0;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  MPI_Comm_rank(PETSC_COMM_WORLD, &rank);
  const int wanted = ranks == 1 ? 200 : 20;
  const std::string file = "plasticity_" + std::to_string(ranks) + ".h5";
  const StepperOptions how{.adapt = Adapt::order, .rtol = 1e-4};
  std::array<PetscReal, 2> end{};
  for (std::size_t i = 0; i < 2; ++i) {
    Beam body;
    Stepper stepper(body, body.layout(), how);
    start(stepper, body);
    std::mt19937 generator(3);
    std::bernoulli_distribution chance(0.2);
    int failures = 0;
    if (i == 1)
      body.fails = [&] {
        const bool now = failures < wanted && chance(generator);
        failures += now;
        return now;
      };
    stepper.advance_to(12);
    if (i == 1) {
      EXPECT_EQ(failures, wanted);
    }
    end[i] = norm(stepper.state().internal.base);
  }
  EXPECT_GT(end[0], 0);
  EXPECT_NEAR(end[1], end[0], 2e-3 * end[0]);
  Beam body;
  const auto run = [&](Stepper& stepper) {
    std::vector<PetscReal> seen;
    for (int i = 0; i < 8; ++i) {
      seen.push_back(stepper.step().error);
      for (Vec part : {stepper.state().q, stepper.state().v, stepper.state().internal.base}) seen.push_back(norm(part));
    }
    return seen;
  };
  Stepper first(body, body.layout(), how);
  start(first, body);
  first.advance_to(4);
  EXPECT_GT(norm(first.state().internal.base), 0);
  first.save(file);
  const Snapshot middle = first.snapshot();
  const auto seen = run(first);
  first.restore(middle);
  EXPECT_EQ(run(first), seen);
  Stepper second(body, body.layout(), how);
  second.set_from_options();
  second.load(file);
  EXPECT_EQ(run(second), seen);
  if (rank == 0) std::remove(file.c_str());
}

}  // namespace gearshift::solid::test
