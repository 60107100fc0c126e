/// Prints a table of Krylov iterations and speed of the default preconditioner:
/// solid_iterations [-flag] [-degree p] [-nu nu] [-dt dt] [-refine 0,2] [-most n] [-growth f], and a mesh by -dm_plex_*
/// Fails if a solve takes more than n iterations, or at the last of the refinements f times those at the first.
/// Times are wall-clock; rank 0's processor time, in brackets, is the relevant figure on a shared machine.
#include <gearshift/petsc/session.hpp>

#include "solid/helpers.hpp"

#include <petsctime.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <string>
#include <vector>

using namespace gearshift;
using namespace gearshift::solid;

namespace {

double processor_time() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

constexpr std::array states{"static", "dynamic"};

/// Returns the iterations of a static and of a dynamic solve.
std::array<PetscInt, 2> run(Mesh mesh, int degree, PetscReal nu, bool flag, PetscReal dt) {
  const PetscInt cells = mesh.global_cells();
  const auto faces = mesh.face_names();
  const bool named = std::find(faces.begin(), faces.end(), "clamp") != faces.end();
  Body body(std::move(mesh), degree);
  if (flag) {
    body.set_material({.law = Law::st_venant_kirchhoff, .E = 1.4e6, .nu = nu, .rho = 1000});
    body.fix("zmin", 2);
    body.fix("zmax", 2);
    body.clamp(named ? "clamp" : "xmin");
  } else {
    body.set_material({.law = Law::neo_hookean, .E = 1e7, .nu = nu, .rho = 1000});
    body.clamp("xmin");
  }
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0.1, -2, 0.3}; }, true);
  PetscLogDouble start = 0, middle = 0, end = 0, cpu_start = 0, cpu_middle = 0, cpu_end = 0;
  (void)!PetscTime(&start);
  body.set_up();
  test::LinearProblem problem(body);
  auto q = test::vector(body), r = test::vector(body), x = test::vector(body);
  body.residual({0, q.get(), nullptr, nullptr}, r.get());
  problem.mask(r.get(), 0);
  PetscInt size = 0;
  (void)!VecGetSize(q.get(), &size);
  std::array<PetscInt, 2> counts{};
  for (const bool dynamic : {false, true}) {
    const PetscReal alpha = 1.5 / dt;
    (void)!PetscTime(&start);
    cpu_start = processor_time();
    problem.update(q.get(), dynamic ? Shifts{1 / alpha, 1, alpha} : Shifts{1, 0, 0});
    petsc::check(KSPSetUp(problem.ksp()));
    (void)!PetscTime(&middle);
    cpu_middle = processor_time();
    const PetscInt iterations = counts[dynamic] = problem.solve(r.get(), x.get(), 1e-8);
    (void)!PetscTime(&end);
    cpu_end = processor_time();
    (void)!PetscPrintf(
        PETSC_COMM_WORLD,
        "%-5s degree %d cells %7d dofs %8d %-8s iterations %4d  rebuild %.2f (%.2f) s  solve %.2f (%.2f) s\n",
        flag ? "flag" : "box", degree, (int)cells, (int)size, states[dynamic], (int)iterations, middle - start,
        cpu_middle - cpu_start, end - middle, cpu_end - cpu_middle);
  }
  (void)!PetscTime(&start);
  int products = 0;
  for (; products < 30; ++products) {
    problem.tangent().apply({1, 0, 1}, r.get(), x.get());
    (void)!PetscTime(&end);
  }
  (void)!PetscPrintf(PETSC_COMM_WORLD, "      product %.1f MDoF/s",
                     1e-6 * static_cast<double>(size) * products / (end - start));
  (void)!PetscTime(&start);
  int residuals = 0;
  for (; residuals < 30; ++residuals) {
    body.residual({0, q.get(), nullptr, r.get()}, x.get());
    (void)!PetscTime(&end);
  }
  (void)!PetscPrintf(PETSC_COMM_WORLD, ", residual %.1f MDoF/s\n",
                     1e-6 * static_cast<double>(size) * residuals / (end - start));
  return counts;
}

void judge(const std::vector<std::array<PetscInt, 2>>& counts, PetscInt most, PetscReal growth) {
  for (std::size_t state = 0; state < states.size(); ++state) {
    const auto first = counts.front()[state], last = counts.back()[state];
    for (const auto& of_mesh : counts)
      if (of_mesh[state] < 0 || of_mesh[state] > most)
        throw Error(std::string(states[state]) + ": not solved within " + std::to_string(most) + " iterations");
    if (counts.size() > 1 && static_cast<PetscReal>(last) >= growth * static_cast<PetscReal>(first))
      throw Error(std::string(states[state]) + ": iterations grow from " + std::to_string(first) + " to " +
                  std::to_string(last));
  }
}

}  // namespace

int main(int argc, char** argv) {
  Session session(argc, argv);
  return session.run([&](MPI_Comm comm) {
    PetscInt degree = 2, most = 500, count = 8;
    PetscReal dt = 0.01, growth = 100;
    std::array<PetscInt, 8> refinements{};
    PetscBool flag = PETSC_FALSE, refine = PETSC_FALSE;
    (void)!PetscOptionsGetInt(nullptr, nullptr, "-degree", &degree, nullptr);
    (void)!PetscOptionsGetReal(nullptr, nullptr, "-dt", &dt, nullptr);
    (void)!PetscOptionsGetIntArray(nullptr, nullptr, "-refine", refinements.data(), &count, &refine);
    (void)!PetscOptionsGetInt(nullptr, nullptr, "-most", &most, nullptr);
    (void)!PetscOptionsGetReal(nullptr, nullptr, "-growth", &growth, nullptr);
    (void)!PetscOptionsHasName(nullptr, nullptr, "-flag", &flag);
    PetscReal nu = flag ? 0.4 : 0.3;
    (void)!PetscOptionsGetReal(nullptr, nullptr, "-nu", &nu, nullptr);
    std::vector<std::array<PetscInt, 2>> counts;
    for (PetscInt i = 0; i < (refine ? count : 1); ++i) {
      if (refine)
        (void)!PetscOptionsSetValue(nullptr, "-dm_refine",
                                    std::to_string(refinements[static_cast<std::size_t>(i)]).c_str());
      counts.push_back(run(Mesh::from_options(comm), (int)degree, nu, flag, dt));
    }
    judge(counts, most, growth);
  });
}
