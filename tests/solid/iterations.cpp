/// Krylov iterations and speed of the default preconditioner, printed as a table:
/// solid_iterations [-flag] [-degree p] [-nu nu] [-dt dt], and a mesh by -dm_plex_* or -dm_plex_filename
/// Times are wall-clock; rank 0's processor time, in brackets, is what counts on a shared machine.
#include <gearshift/petsc/session.hpp>

#include "solid/helpers.hpp"

#include <petsctime.h>

#include <ctime>

using namespace gearshift;
using namespace gearshift::solid;

namespace {

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

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
  PetscLogDouble start = 0, middle = 0, end = 0, cpu_start = 0, cpu_middle = 0, cpu_end = 0;
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
    cpu_start = processor_time();
    problem.update(q.get(), dynamic ? Shifts{1 / alpha, 1, alpha} : Shifts{1, 0, 0});
    petsc::check(KSPSetUp(problem.ksp()));
    PetscTime(&middle);
    cpu_middle = processor_time();
    const PetscInt iterations = problem.solve(r.get(), x.get(), 1e-8);
    PetscTime(&end);
    cpu_end = processor_time();
    PetscPrintf(PETSC_COMM_WORLD,
                "%-5s degree %d cells %7d dofs %8d %-8s iterations %4d  rebuild %.2f (%.2f) s  solve %.2f (%.2f) s\n",
                flag ? "flag" : "box", degree, (int)cells, (int)size, dynamic ? "dynamic" : "static", (int)iterations,
                middle - start, cpu_middle - cpu_start, end - middle, cpu_end - cpu_middle);
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
