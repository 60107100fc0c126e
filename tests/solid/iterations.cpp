/// Krylov iterations and speed of the default preconditioner, printed as a table:
/// iterations [-case box|flag] [-degree p] [-cells n] [-mesh file]
#include <gearshift/petsc/session.hpp>

#include "solid/helpers.hpp"

#include <petsctime.h>

using namespace gearshift;
using namespace gearshift::solid;

namespace {

void run(Mesh mesh, int degree, PetscReal nu, bool flag, PetscReal dt) {
  const PetscInt cells = mesh.global_cells();
  Body body(std::move(mesh), degree);
  if (flag) {
    body.set_material({.law = Law::st_venant_kirchhoff, .E = 1.4e6, .nu = nu, .rho = 1000});
    body.fix("zmin", 2);
    body.fix("zmax", 2);
    body.clamp("clamp");
  } else {
    body.set_material({.law = Law::neo_hookean, .E = 1e7, .nu = nu, .rho = 1000});
    body.clamp("xmin");
  }
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0.1, -2, 0.3}; }, true);
  PetscLogDouble start = 0, middle = 0, end = 0;
  PetscTime(&start);
  body.set_up();
  test::LinearProblem problem(body);
  auto q = test::vector(body), r = test::vector(body), x = test::vector(body);
  body.residual({0, q.get(), nullptr, nullptr}, r.get());
  problem.mask(r.get(), 0);
  PetscInt size = 0;
  VecGetSize(q.get(), &size);
  for (const bool dynamic : {false, true}) {
    const PetscReal alpha = 1.5 / dt;
    PetscTime(&start);
    problem.update(q.get(), dynamic ? Shifts{1 / alpha, 1, alpha} : Shifts{1, 0, 0});
    petsc::check(KSPSetUp(problem.ksp()));
    PetscTime(&middle);
    const PetscInt iterations = problem.solve(r.get(), x.get(), 1e-8);
    PetscTime(&end);
    PetscPrintf(PETSC_COMM_WORLD,
                "%-5s degree %d cells %7d dofs %8d %-8s iterations %4d  rebuild %.2f s  solve %.2f s\n",
                flag ? "flag" : "box", degree, (int)cells, (int)size, dynamic ? "dynamic" : "static", (int)iterations,
                middle - start, end - middle);
  }
  PetscTime(&start);
  int products = 0;
  for (; products < 30; ++products) {
    problem.tangent().apply({1, 0, 1}, r.get(), x.get());
    PetscTime(&end);
  }
  PetscPrintf(PETSC_COMM_WORLD, "      product %.1f MDoF/s", 1e-6 * size * products / (end - start));
  PetscTime(&start);
  int residuals = 0;
  for (; residuals < 30; ++residuals) {
    body.residual({0, q.get(), nullptr, r.get()}, x.get());
    PetscTime(&end);
  }
  PetscPrintf(PETSC_COMM_WORLD, ", residual %.1f MDoF/s\n", 1e-6 * size * residuals / (end - start));
}

}  // namespace

int main(int argc, char** argv) {
  Session session(argc, argv);
  return session.run([&](MPI_Comm comm) {
    PetscInt degree = 2;
    PetscReal nu = 0.3, dt = 0.01;
    PetscBool flag = PETSC_FALSE;
    PetscOptionsGetInt(nullptr, nullptr, "-degree", &degree, nullptr);
    PetscOptionsGetReal(nullptr, nullptr, "-nu", &nu, nullptr);
    PetscOptionsGetReal(nullptr, nullptr, "-dt", &dt, nullptr);
    PetscOptionsHasName(nullptr, nullptr, "-flag", &flag);
    run(Mesh::from_options(comm), (int)degree, nu, flag, dt);
  });
}
