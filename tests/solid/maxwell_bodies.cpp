/// Maxwell branches in bodies: layout, dissipation, relaxation, small strains, regions, memory, levels, refused input.

#include "solid/maxwell.hpp"

#include <algorithm>
#include <array>

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

namespace {

/// A cube of one cell under a shear gamma, and its internal variables.
struct Shear {
  Body body;
  Handle<Vec> u;
  Shear(const Material& m, PetscReal gamma) : body(box("1,1,1"), 1) {
    body.set_material(m);
    body.set_up();
    u = vector(body, [gamma](const Vec3& X) { return Vec3{gamma * X[1], 0, 0}; });
  }
};

}  // namespace

/// A state means the same with any number of lanes.
TEST(Maxwell, KeepsItsLayoutInAllInstructionSets) {
  std::vector<PetscReal> first;
  for (const auto& simd : widths()) {
    const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_simd", simd}});
    Body body(box("3,2,2"), 2);
    body.set_material(with_branches(Law::neo_hookean, two_g, two_tau));
    body.set_up();
    const auto u = vector(body, wavy), z = some_internal(body, 0);
    body.internal_variables({0, u.get(), nullptr, nullptr, {nullptr, 1, 1}}, z.get());
    const petsc::ReadView values(z.get());
    if (first.empty()) first.assign(values.begin(), values.end());
    ASSERT_EQ(values.size(), first.size());
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_NEAR(values[i], first[i], 1e-14);
  }
}

TEST(Maxwell, LosesWhatItDissipates) {
  // d/dt stored + dissipated equals the power of the internal forces. With three cells, one of four ranks is empty.
  for (const Law law : laws)
    for (const bool simplex : {false, true}) {
      SCOPED_TRACE(name_of(law));
      Body body(simplex ? tetrahedra("3,1,1") : box("3,1,1", "1.5,0.8,1.1"), 2);
      body.set_material(with_branches(law, two_g, two_tau));
      body.set_up();
      const auto u = vector(body, wavy), v = vector(body, ripple), z = some_internal(body, 0.1);
      auto z_t = like(z.get()), r = vector(body), moved_u = vector(body), moved_z = like(z.get());
      const State at{0, u.get(), v.get(), nullptr, {z.get(), 1, infinite}};
      body.internal_variables({0, u.get(), nullptr, nullptr, {nullptr, 1, 0}}, z_t.get());  // g S_iso
      {
        const petsc::ReadView own(z.get());
        petsc::WriteView rate(z_t.get());
        for (std::size_t i = 0; i < rate.size(); ++i) rate[i] = (rate[i] - own[i]) / two_tau[i / 6 % 2];
      }
      const auto stored = [&](PetscReal step) {
        check(VecWAXPY(moved_u.get(), step, v.get(), u.get()));
        check(VecWAXPY(moved_z.get(), step, z_t.get(), z.get()));
        return body.energy({0, moved_u.get(), nullptr, nullptr, {moved_z.get(), 1, infinite}})->stored;
      };
      constexpr PetscReal step = 1e-4;
      const PetscReal change =
          (stored(-2 * step) - stored(2 * step) + 8 * (stored(step) - stored(-step))) / (12 * step);
      body.residual(at, r.get());
      const PetscReal power = inner(r.get(), v.get()), dissipated = body.energy(at)->power_dissipated;
      EXPECT_GT(std::abs(dissipated), 1e-3);
      EXPECT_NEAR(change + dissipated, power, 1e-9 * std::abs(power));
      EXPECT_EQ(body.energy({0, u.get(), v.get(), nullptr, {nullptr, 1, 0}})->power_dissipated, 0) << "equilibrium";
    }
}

TEST(Maxwell, DissipatesOverstressesAtSmallStrains) {
  constexpr PetscReal gamma = 0.01, z = 0.002;
  const Material m = with_branches(Law::linear_elastic, {0.25}, {0.4});
  const PetscReal mu = m.E / (2 * (1 + m.nu)), h = 0.25 * mu * gamma - z;
  Shear shear(m, gamma);
  Handle<Vec> internal;
  check(VecDuplicate(shear.body.internal_layout(), internal.out()));
  {
    petsc::WriteView values(internal.get());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i % 6 == 1 ? z : 0;
  }
  const auto v = vector(shear.body, ripple);
  const Energy energy = *shear.body.energy({0, shear.u.get(), v.get(), nullptr, {internal.get(), 1, infinite}});
  EXPECT_NEAR(energy.power_dissipated, 2 * h * h / (2 * 0.25 * mu * 0.4), 1e-16);
  EXPECT_NEAR(energy.stored, 0.75 * mu * gamma * gamma / 2 + 2 * h * h / (4 * 0.25 * mu), 1e-16);
}

TEST(Maxwell, RelaxesByItsExponentials) {
  constexpr int steps = 40;
  constexpr PetscReal dt = 0.05;
  for (const Law law : laws) {
    Shear shear(with_branches(law, two_g, two_tau), 0.3);
    auto z = some_internal(shear.body, 0), equilibrium = like(z.get());
    const auto at = [&](const InternalState& state) { return State{0, shear.u.get(), nullptr, nullptr, state}; };
    shear.body.internal_variables(at({nullptr, 1, 0}), equilibrium.get());
    // Backward Euler leaves (1 + dt / tau)^-n.
    auto next = like(z.get());
    for (int n = 0; n < steps; ++n) {
      shear.body.internal_variables(at({z.get(), 1, 1 / dt}), next.get());
      std::swap(z, next);
    }
    {
      const petsc::ReadView found(z.get()), full(equilibrium.get());
      for (std::size_t i = 0; i < found.size(); ++i)
        EXPECT_NEAR(found[i], full[i] * (1 - std::pow(1 + dt / two_tau[i / 6 % 2], -steps)), 1e-14);
    }
    PetscReal size = 0;
    check(VecNorm(equilibrium.get(), NORM_INFINITY, &size));
    EXPECT_GT(size, 0.05);
  }
}

TEST(Maxwell, KeepsAllDigitsAtSmallStrains) {
  constexpr PetscReal small = 1e-10;
  const auto forces = [](Law law, const InternalState& state) {
    Body body(box("2,2,1"), 2);
    Material m = with_branches(law, two_g, two_tau);
    m.mu1 = m.E / (2 * (1 + m.nu)) - m.mu2;
    m.bulk = m.E / (3 * (1 - 2 * m.nu));
    body.set_material(m);
    body.set_up();
    auto u = vector(body, ripple), r = vector(body);
    check(VecScale(u.get(), small));
    body.residual({0, u.get(), nullptr, nullptr, state}, r.get());
    PetscReal of_u = inner(r.get(), u.get());
    // The energy after relaxation is a difference.
    return std::pair{of_u, body.energy({0, u.get(), nullptr, nullptr, state})->stored};
  };
  for (const PetscReal rate : {0.0, 1.0, infinite}) {
    const auto linear = forces(Law::linear_elastic, {nullptr, 1, rate});
    for (const Law law : laws) {
      const auto own = forces(law, {nullptr, 1, rate});
      EXPECT_NEAR(own.first / linear.first, 1, 1e-8) << name_of(law) << rate;
      EXPECT_NEAR(own.second / linear.second, 1, 1e-8) << name_of(law) << rate;
    }
  }
}

TEST(Maxwell, HasNoInternalVariablesWithoutBranches) {
  Body body(box("2,1,1"), 2);
  body.set_material(material(Law::neo_hookean));
  body.set_up();
  EXPECT_EQ(body.internal_layout(), nullptr);
  EXPECT_EQ(body.memory_estimate().internal, 0);
  const auto u = vector(body, wavy);
  auto with = vector(body), without = vector(body);
  body.residual({0, u.get(), nullptr, nullptr}, without.get());
  body.residual({0, u.get(), nullptr, nullptr, {nullptr, 1, 0}}, with.get());
  EXPECT_EQ(relative_gap(with.get(), without.get()), 0);
}

TEST(Maxwell, LeavesOtherRegionsAsTheyAre) {
  // Bitwise equal with branches in another region and without.
  for (const Law law : laws) {
    const Mesh mesh = box("4,2,2", "4,1,1");
    mark(mesh, "far", [](const Vec3& X) { return X[0] > 2; });
    std::vector<PetscReal> first;
    for (const bool branches : {false, true}) {
      Body body(Mesh::adopt(mesh.dm()), 2);
      body.set_material(material(law));
      if (branches) body.set_material("far", with_branches(law, two_g, two_tau));
      body.set_up();
      const auto u = vector(body, wavy);
      auto r = vector(body);
      body.residual({0, u.get(), nullptr, u.get()}, r.get());
      const petsc::ReadView forces(r.get());
      std::size_t count = 0;
      for (std::size_t i = 0; i < forces.size(); ++i) {
        if (!(body.space().coordinates()[i / 3][0] < 1.9)) continue;
        if (branches)
          EXPECT_EQ(forces[i], first[count++]);
        else
          first.push_back(forces[i]);
      }
    }
  }
}

TEST(Maxwell, CountsItsMemory) {
  Body body(box("3,2,2"), 2);
  body.set_material(with_branches(Law::neo_hookean, two_g, two_tau));
  body.set_up();
  const auto points = static_cast<double>(body.space().cells()) * 27;
  EXPECT_EQ(body.memory_estimate().internal, points * 2 * 6 * sizeof(PetscScalar));
  EXPECT_EQ(body.memory_estimate().points, points * 36 * sizeof(PetscScalar));
}

TEST(Maxwell, RefusesInternalVariablesOfAnotherBody) {
  Body body(box("4,1,1"), 1), finer(box("4,1,1"), 2);
  for (Body* own : {&body, &finer}) {
    own->set_material(with_branches(Law::neo_hookean, two_g, two_tau));
    own->set_up();
  }
  const auto u = vector(body, wavy), wrong = some_internal(finer, 1);
  auto r = vector(body);
  EXPECT_THROW(body.residual({0, u.get(), nullptr, nullptr, {wrong.get(), 1, infinite}}, r.get()), Error);
}

TEST(Maxwell, TellsOfInvertedPoints) {
  for (const Law law : laws) {
    Body body(box("4,1,1"), 1);
    body.set_material(with_branches(law, two_g, two_tau));
    body.set_up();
    const auto u = vector(body, [](const Vec3& X) { return Vec3{-1.5 * X[0], 0, 0}; });
    auto r = vector(body), z = some_internal(body, 0);
    const State at{0, u.get(), nullptr, nullptr, {nullptr, 1, 0}};
    const auto throws = [&](auto&& call) {
      int thrown = 0;
      try {
        call();
      } catch (const InvalidState&) {
        thrown = 1;
      }
      MPI_Allreduce(MPI_IN_PLACE, &thrown, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD);
      return thrown == 1;
    };
    const bool needs_volume = law != Law::linear_elastic;
    EXPECT_EQ(throws([&] { body.residual(at, r.get()); }), needs_volume) << name_of(law);
    EXPECT_EQ(throws([&] { body.internal_variables(at, z.get()); }), needs_volume) << name_of(law);
    const auto tangent = body.make_linearization();
    EXPECT_EQ(throws([&] { tangent->update(at); }), needs_volume) << name_of(law);
  }
}

TEST(Maxwell, LevelsKnowTheRate) {
  // Nine tenths of the shear modulus relax: levels built with the instantaneous modulus would be far off.
  const auto iterations = [](const Material& m, const char* levels, int degree, const InternalState& state) {
    const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_levels", levels}});
    Body body(box("6,3,3", "2,1,1"), degree);
    body.set_material(m);
    body.clamp("xmin");
    body.set_up();
    LinearProblem problem(body);
    const auto u = vector(body, wavy), b = vector(body, ripple);
    auto x = vector(body);
    check(VecScale(u.get(), 0.1));
    problem.mask(b.get(), 0);
    problem.update(u.get(), {1, 0, 0}, state);
    return problem.solve(b.get(), x.get(), 1e-8);
  };
  for (const char* levels : {"float", "double"})
    for (const int degree : {1, 2, 4}) {
      if (degree == 4 && std::string(levels) == "float") continue;
      const PetscInt elastic = iterations(material(Law::neo_hookean), levels, degree, {});
      const Material m = with_branches(Law::neo_hookean, {0.5, 0.4}, {1, 2});
      // With a tenth of the shear modulus the body is relatively stiffer in bulk; this costs iterations by itself.
      Material relaxed = material(Law::neo_hookean);
      const PetscReal bulk = relaxed.E / (3 * (1 - 2 * relaxed.nu)), mu = 0.1 * relaxed.E / (2 * (1 + relaxed.nu));
      relaxed.E = 9 * bulk * mu / (3 * bulk + mu);
      relaxed.nu = (3 * bulk - 2 * mu) / (2 * (3 * bulk + mu));
      const PetscInt soft = iterations(relaxed, levels, degree, {});
      const PetscInt fast = iterations(m, levels, degree, {nullptr, 1, infinite});
      const PetscInt slow = iterations(m, levels, degree, {nullptr, 1, 0});
      ASSERT_GT(elastic, 0);
      ASSERT_GT(soft, 0);
      EXPECT_GT(fast, 0) << levels << degree;
      EXPECT_GT(slow, 0) << levels << degree;
      EXPECT_LE(fast, elastic + 3) << levels << degree;
      EXPECT_LE(slow, soft + 5) << levels << degree;
    }
}

/// Nearly incompressible bodies take the same number of iterations with branches as without: the bulk modulus of
/// aggregates is reduced for stored moduli, too. At rest the deviatoric part is half the instantaneous one.
TEST(Maxwell, SoftensTheBulkOfGroups) {
  const auto iterations = [](const Material& m, const InternalState& state) {
    Body body(box("12,4,4", "3,1,1"), 2);
    body.set_material(m);
    body.clamp("xmin");
    body.set_up();
    LinearProblem problem(body);
    const auto u = vector(body), b = vector(body, ripple);
    auto x = vector(body);
    problem.mask(b.get(), 0);
    problem.update(u.get(), {1, 0, 0}, state);
    return problem.solve(b.get(), x.get(), 1e-8);
  };
  Material whole = material(Law::neo_hookean);
  whole.nu = 0.49;
  Material branched = whole;
  branched.prony_g = {0.3, 0.2};
  branched.prony_tau = {1, 2};
  Material relaxed = whole;
  const PetscReal bulk = whole.E / (3 * (1 - 2 * whole.nu)), mu = 0.5 * whole.E / (2 * (1 + whole.nu));
  relaxed.E = 9 * bulk * mu / (3 * bulk + mu);
  relaxed.nu = (3 * bulk - 2 * mu) / (2 * (3 * bulk + mu));
  const PetscInt at_once = iterations(whole, {}), at_rest = iterations(relaxed, {});
  ASSERT_GT(at_once, 0);
  ASSERT_GT(at_rest, 0);
  EXPECT_LE(std::abs(iterations(branched, {nullptr, 1, infinite}) - at_once), 1);
  EXPECT_LE(std::abs(iterations(branched, {nullptr, 1, 0}) - at_rest), 1);
}

TEST(Maxwell, RefusesBranchesThatCannotBe) {
  const auto refusal = [](std::vector<PetscReal> g, std::vector<PetscReal> tau) -> std::string {
    try {
      check_material(with_branches(Law::neo_hookean, std::move(g), std::move(tau)), "core");
    } catch (const OptionError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({0.5, 0.4}, {1, 2}), "");
  EXPECT_NE(refusal({0.5, 0.4}, {1}).find("give one for each of the 2 numbers of prony_g"), std::string::npos);
  EXPECT_NE(refusal({}, {1}).find("of the 0 numbers"), std::string::npos);
  EXPECT_NE(refusal({0.5, 0.6}, {1, 2}).find("sum of prony_g = 1.1"), std::string::npos);
  EXPECT_NE(refusal({0}, {1}).find("prony_g = 0"), std::string::npos);
  EXPECT_NE(refusal({NAN}, {1}).find("prony_g"), std::string::npos);
  EXPECT_NE(refusal({0.5}, {-1}).find("prony_tau = -1"), std::string::npos);
  EXPECT_NE(refusal({0.5}, {infinite}).find("prony_tau"), std::string::npos);
  EXPECT_NE(refusal({0.5}, {0}).find("region 'core'"), std::string::npos);
}
