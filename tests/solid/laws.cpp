/// User-defined laws give the results of the library's own law, whichever functions they leave to the library.

#include <gearshift/solid/law.hpp>

#include "solid/helpers.hpp"

#include <cstdlib>

using namespace gearshift;
using namespace gearshift::solid;
using namespace gearshift::solid::test;

extern "C" {
PetscErrorCode PetscDLLibraryRegister_neo_by_energy(void);
PetscErrorCode PetscDLLibraryRegister_neo_by_stress(void);
PetscErrorCode PetscDLLibraryRegister_neo_whole(void);
}

namespace {

void know_all() {
  // Registering twice is not an error.
  for (int time = 0; time < 2; ++time) {
    check(PetscDLLibraryRegister_neo_by_energy());
    check(PetscDLLibraryRegister_neo_by_stress());
    check(PetscDLLibraryRegister_neo_whole());
  }
}

Material neo_hookean(double nu = 0.3) {
  Material m = material(Law::neo_hookean);
  m.nu = nu;
  return m;
}

/// Returns the same material with a registered law.
Material by(const std::string& name, double nu = 0.3) {
  Material m = neo_hookean(nu);
  const double mu = m.E / (2 * (1 + m.nu)), lambda = m.E * m.nu / ((1 + m.nu) * (1 - 2 * m.nu));
  m.E = m.nu = 0;
  m.law = law_of(name);
  m.parameters =
      name == "neo_by_stress" ? std::vector<PetscReal>{7, 8, 9, lambda, mu} : std::vector<PetscReal>{mu, lambda};
  return m;
}

constexpr const char* names[] = {"neo_by_energy", "neo_by_stress", "neo_whole"};

Mesh bent() {
  Mesh mesh = box("3,2,2", "1.5,0.8,1.1");
  distort(mesh, 0.02);
  return mesh;
}

PetscReal gap(Vec a, Vec b) {
  auto difference = petsc::Handle<Vec>();
  check(VecDuplicate(a, difference.out()));
  check(VecCopy(a, difference.get()));
  check(VecAXPY(difference.get(), -1, b));
  return biggest(difference.get()) / biggest(b);
}

enum class Cells { straight, bent, tetrahedra };

void compare(const std::string& simd, int degree, Cells cells, const std::string& name, bool branches = false) {
  SCOPED_TRACE(simd + ", degree " + std::to_string(degree) + ", cells " + std::to_string(static_cast<int>(cells)) +
               ", " + name);
  const Options options(std::vector<std::pair<std::string, std::string>>{{"-solid_simd", simd}});
  const Mesh mesh = cells == Cells::straight ? box("3,2,2", "1.5,0.8,1.1")
                    : cells == Cells::bent   ? bent()
                                             : tetrahedra("3,2,2", "1.5,0.8,1.1");
  std::vector<std::unique_ptr<Body>> bodies;
  for (Material m : {neo_hookean(), by(name)}) {
    if (branches) {
      m.prony_g = {0.2, 0.5};
      m.prony_tau = {1, 0.1};
    }
    auto& body = *bodies.emplace_back(std::make_unique<Body>(Mesh::adopt(mesh.dm()), degree));
    body.set_material(m);
    body.set_up();
  }
  const Body& any = *bodies.front();
  Handle<Vec> z;
  InternalState internal;
  if (branches) {
    check(VecDuplicate(any.internal_layout(), z.out()));
    petsc::WriteView values(z.get());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.1 * std::cos(static_cast<double>(i % 101));
    internal = {z.get(), 0.9, 2};
  }
  const auto u = vector(any, wavy), x = vector(any, ripple);
  struct Result {
    Handle<Vec> force, product, diagonal, second;
    PetscReal energy = 0, dissipated = 0;
  } results[2];
  for (std::size_t i = 0; i < 2; ++i) {
    Body& body = *bodies[i];
    Result& r = results[i];
    for (auto* v : {&r.force, &r.product, &r.diagonal, &r.second}) *v = vector(body);
    body.residual({0, u.get(), nullptr, x.get(), internal}, r.force.get());
    const auto tangent = body.make_linearization();
    tangent->update({0, u.get(), nullptr, nullptr, internal});
    tangent->apply({0.7, 0, 2.5}, x.get(), r.product.get());
    ASSERT_TRUE(tangent->diagonal({0.7, 0, 2.5}, r.diagonal.get()));
    ASSERT_TRUE(tangent->apply_stiffness_derivative(x.get(), u.get(), r.second.get()));
    const Energy energy = *body.energy({0, u.get(), x.get(), nullptr, internal});
    r.energy = energy.stored;
    r.dissipated = energy.power_dissipated;
  }
  EXPECT_LT(gap(results[1].force.get(), results[0].force.get()), 1e-13);
  EXPECT_LT(gap(results[1].product.get(), results[0].product.get()), 1e-13);
  EXPECT_LT(gap(results[1].diagonal.get(), results[0].diagonal.get()), 1e-13);
  EXPECT_LT(gap(results[1].second.get(), results[0].second.get()), 1e-12);
  EXPECT_NEAR(results[1].energy, results[0].energy, 1e-13 * std::abs(results[0].energy));
  EXPECT_NEAR(results[1].dissipated, results[0].dissipated, 1e-12 * std::abs(results[0].dissipated));
  EXPECT_EQ(results[0].dissipated != 0, branches);
}

}  // namespace

TEST(OwnLaws, AreTheLibrarysOwn) {
  know_all();
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  const std::vector<std::string> sets =
      ranks > 1 ? std::vector<std::string>{"auto"} : std::vector<std::string>{"auto", "sse2"};
  for (const auto& simd : sets) {
#ifndef __x86_64__
    if (simd == "sse2") continue;
#endif
    for (const int degree : {1, 2, 4})
      for (const Cells cells : {Cells::straight, Cells::bent})
        for (const char* name : names) compare(simd, degree, cells, name);
    for (const int degree : {1, 2})
      for (const Cells cells : {Cells::bent, Cells::tetrahedra})
        for (const char* name : names) compare(simd, degree, cells, name, true);
  }
}

TEST(OwnLaws, PreconditionInSinglePrecision) {
  know_all();
  for (const double nu : {0.3, 0.49}) {  // nearly incompressible: aggregates with a softer bulk modulus
    PetscInt iterations[4] = {};
    for (std::size_t i = 0; i < 4; ++i) {
      Body body(box("16,4,4", "4,1,1"), 2);
      body.set_material(i == 0 ? neo_hookean(nu) : by(names[i - 1], nu));
      body.clamp("xmin");
      body.set_up();
      LinearProblem problem(body);
      const auto u = vector(body), load = vector(body, [](const Vec3&) { return Vec3{0, 0, 1}; });
      auto b = vector(body), x = vector(body);
      check(VecCopy(load.get(), b.get()));
      problem.mask(b.get(), 0);
      problem.update(u.get(), {1, 0, 0});
      iterations[i] = problem.solve(b.get(), x.get(), 1e-8);
      EXPECT_GT(iterations[i], 0);
      EXPECT_LE(std::abs(iterations[i] - iterations[0]), 1) << nu << (i > 0 ? names[i - 1] : "");
    }
  }
}

TEST(OwnLaws, TellAnInversion) {
  know_all();
  for (const char* name : names) {
    Body body(box("1,1,1"), 1);
    body.set_material(by(name));
    body.set_up();
    const auto turned = vector(body, [](const Vec3& X) { return Vec3{-2 * X[0], 0, 0}; });
    auto r = vector(body);
    int told = 0, all = 0;
    try {
      body.residual({0, turned.get(), nullptr, nullptr}, r.get());
    } catch (const InvalidState&) {
      told = 1;
    }
    check(MPI_Allreduce(&told, &all, 1, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
    EXPECT_EQ(all, 1) << name;
  }
}

TEST(OwnLaws, RefuseWhatCannotBe) {
  know_all();
  const auto refused = [](const Material& m, const std::string& word) {
    try {
      check_material(m);
      ADD_FAILURE() << word;
    } catch (const OptionError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  Material m = by("neo_whole");
  EXPECT_NO_THROW(check_material(m));
  m.parameters = {1};
  refused(m, "2 parameters (mu, lambda)");
  m.parameters = {std::nan(""), 1};
  refused(m, "mu = nan");
  m.parameters = {-1, 1};
  refused(m, "shear modulus at small strains = -1");
  m.parameters = {1, -1};
  refused(m, "bulk modulus at small strains");

  static const char* const other[] = {"sse2"};
  CompiledLaw strange;
  strange.simd = other[0];
  strange.name = "neo_hookean";
  strange.parameters = 1;
  strange.parameter_names[0] = "a";
  const auto refuse_law = [&](const std::string& word) {
    const CompiledLaw* const versions[] = {&strange};
    try {
      register_law(versions);
      ADD_FAILURE() << word;
    } catch (const OptionError& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refuse_law("another version");
  strange.made_for = CompiledLaw::interface;
  refuse_law("known already");
  strange.name = "strange";
  strange.parameter_names[0] = "rho";
  refuse_law("rho");
}

TEST(OwnLaws, HaveNoKernelsForAnotherMachine) {
  static CompiledLaw elsewhere;
  elsewhere.made_for = CompiledLaw::interface;
  elsewhere.simd = "abacus";
  elsewhere.name = "elsewhere";
  elsewhere.parameters = 1;
  elsewhere.parameter_names[0] = "k";
  elsewhere.lame = [](const double* p, double* result) { result[0] = result[1] = p[0]; };
  const CompiledLaw* const versions[] = {&elsewhere};
  Body body(box("1,1,1"), 1);
  body.set_material({.law = register_law(versions), .rho = 1, .parameters = {1}});
  try {
    body.set_up();
    ADD_FAILURE();
  } catch (const OptionError& error) {
    EXPECT_NE(std::string(error.what()).find("abacus"), std::string::npos) << error.what();
  }
}

TEST(OwnLaws, AreDampedByTheirMass) {
  know_all();
  const Mesh mesh = box("3,2,2", "1.5,0.8,1.1");
  std::vector<Handle<Vec>> forces;
  for (Material m : {neo_hookean(), by("neo_by_energy")})
    for (const PetscReal damping : {0.0, 0.4}) {
      m.rayleigh_mass = damping;
      Body body(Mesh::adopt(mesh.dm()), 2);
      body.set_material(m);
      body.set_up();
      const auto u = vector(body, wavy), v = vector(body, ripple);
      forces.push_back(vector(body));
      body.residual({0, u.get(), v.get(), v.get()}, forces.back().get());
    }
  EXPECT_LT(gap(forces[3].get(), forces[1].get()), 1e-13);
  EXPECT_GT(gap(forces[3].get(), forces[2].get()), 1e-3);
}

TEST(OwnLaws, AreTheLibrarysOwnOnTetrahedra) {
  know_all();
  for (const int degree : {1, 2, 3})
    for (const char* name : names) compare("auto", degree, Cells::tetrahedra, name);
}
