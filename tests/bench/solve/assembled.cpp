/// The problems of `gearshift-bench solve` and `operator` with an assembled stiffness, for comparison:
///
///   assembled solve [-degree p ...] [-check] [-peer gamg] [-node_order lines]   CG to the
///   same tolerance; -ksp_*, -pc_*
///   assembled multiply [-degree p ...] [-repeat 9]   MatMult of AIJ and of BAIJ with 3 x 3 blocks
///
/// Options and fields are those of gearshift-bench. -check adds the field `difference`: the difference between the
/// product of the matrix with a vector and the matrix-free product, relative to its size.
#include <gearshift/petsc/session.hpp>

#include "bench/cantilever.hpp"
#include "bench/linear_system.hpp"
#include "bench/measure.hpp"
#include "bench/memory.hpp"
#include "bench/solve/stiffness.hpp"

#include <petscksp.h>

#include <array>
#include <cmath>
#include <optional>
#include <string_view>

using namespace gearshift;
using namespace gearshift::bench;
using petsc::check;
using petsc::Handle;

namespace {

/// Multigrid on the assembled matrix: with a program's default options, or with the best ones.
enum class Peer { plain, gamg, hypre };
constexpr std::array peers{"plain", "gamg", "hypre"};
constexpr std::array orders{"space", "lines", "rcm"};

struct Problem {
  Cantilever beam;
  PetscReal rtol = 1e-8;
  PetscInt repeat = 9;
  bool check_product = false;
  Peer peer = Peer::gamg;
  NodeOrder order = NodeOrder::space;
};

Problem read_problem(MPI_Comm comm) {
  Problem given;
  petsc::read_options(comm, "", "assembled", [&](petsc::Options& options) {
    given.beam.read(options);
    options.real("-rtol", "reduction of the residual's norm", given.rtol);
    options.integer("-repeat", "measured repetitions of a product", given.repeat);
    options.choice(
        "-peer", "plain: PCGAMG by PETSc's defaults; gamg: at its best, with products by blocks of 3; hypre: BoomerAMG",
        peers, given.peer);
    options.choice("-node_order", "order of the nodes: the library's, along lines, or reverse Cuthill-McKee", orders,
                   given.order);
    options.flag("-check", "compare a product with the matrix-free one", given.check_product);
  });
  given.beam.validate();
  return given;
}

void describe(io::Summary& line, const Cantilever& beam, const solid::Mesh& mesh, const solid::Space& space) {
  int ranks = 1;
  MPI_Comm_size(mesh.comm(), &ranks);
  line.add("degree", beam.degree);
  line.add("material", name_of(beam.material.law));
  line.add("nu", beam.material.nu);
  line.add("stretch", beam.stretch);
  line.add("ranks", ranks);
  line.add("cells", mesh.global_cells());
  line.add("dofs", 3 * space.global_nodes());
}

Handle<Vec> duplicate(Vec vec) {
  Handle<Vec> result;
  check(VecDuplicate(vec, result.out()));
  check(VecZeroEntries(result.get()));
  return result;
}

/// Returns |A x - K x| / |A x| for a wavy x.
PetscReal difference(const Problem& given, solid::Mesh mesh, const Stiffness& stiffness, Mat matrix) {
  const auto body = given.beam.make_body(std::move(mesh));
  const LinearSystem system(*body, {1, 0, 0});
  const auto rest = duplicate(body->layout()), x = duplicate(body->layout()), y = duplicate(body->layout()),
             z = duplicate(body->layout());
  system.tangent().update({0, rest.get(), nullptr, nullptr});
  body->interpolate(
      [](PetscReal, const solid::Vec3& X) {
        return solid::Vec3{std::sin(3 * X[0] + X[1]), std::cos(2 * X[1] - X[2]), X[0] * X[2]};
      },
      0, x.get());
  check(MatMult(system.matrix(), x.get(), z.get()));
  stiffness.reorder(x.get(), y.get());
  check(VecCopy(y.get(), x.get()));
  check(MatMult(matrix, x.get(), y.get()));
  stiffness.reorder(z.get(), x.get());
  check(VecCopy(x.get(), z.get()));
  check(VecAXPY(z.get(), -1, y.get()));
  PetscReal apart = 0, size = 0;
  check(VecNorm(z.get(), NORM_2, &apart));
  check(VecNorm(y.get(), NORM_2, &size));
  return apart / size;
}

/// Sets the options that made set-up and solution of the cantilever fastest, among the choices listed in README.md.
void tune(PC pc, PetscInt degree) {
  std::array<PetscReal, 1> threshold{degree == 1 ? 0.01 : 0.02};
  check(PCSetUseAmat(pc, PETSC_TRUE));
  check(PCGAMGSetThreshold(pc, threshold.data(), 1));
  check(PCGAMGSetAggressiveLevels(pc, degree == 1 ? 1 : 2));
}

void solve(MPI_Comm comm, const Problem& given) {
  MemoryWatch watch(comm);
  Stopwatch clock(comm);
  std::optional<solid::Mesh> mesh(given.beam.make_mesh(comm));
  const double mesh_seconds = clock.lap().wall;
  watch.mesh_is_made();
  clock.lap();
  const solid::Space space(*mesh, static_cast<int>(given.beam.degree));
  const Stiffness stiffness(space, given.beam.material, given.beam.clamp, given.order);
  const auto b = stiffness.weight({given.beam.load[0], given.beam.load[1], given.beam.load[2]});
  const auto x = duplicate(b.get());
  const double body_seconds = clock.lap().wall;
  const auto matrix = stiffness.assemble(MATAIJ);
  stiffness.set_rigid_modes(matrix.get());
  check(MatSetOption(matrix.get(), MAT_SPD, PETSC_TRUE));
  // Multigrid needs AIJ; products are twice as fast with blocks.
  const auto product = given.peer == Peer::plain ? Handle<Mat>::share(matrix.get()) : stiffness.assemble(MATBAIJ);
  const Seconds assembly = clock.lap();

  Handle<KSP> ksp;
  PC pc = nullptr;
  check(KSPCreate(comm, ksp.out()));
  check(KSPSetOperators(ksp.get(), product.get(), matrix.get()));
  check(KSPSetType(ksp.get(), KSPCG));
  check(KSPSetNormType(ksp.get(), KSP_NORM_UNPRECONDITIONED));
  check(KSPSetTolerances(ksp.get(), given.rtol, 0, PETSC_DEFAULT, PETSC_DEFAULT));
  check(KSPGetPC(ksp.get(), &pc));
  check(PCSetType(pc, given.peer == Peer::hypre ? PCHYPRE : PCGAMG));
  if (given.peer == Peer::gamg) tune(pc, given.beam.degree);
  check(KSPSetFromOptions(ksp.get()));
  check(KSPSetUp(ksp.get()));
  check(KSPSetUpOnBlocks(ksp.get()));
  const Seconds set_up = clock.lap();
  check(KSPSolve(ksp.get(), b.get(), x.get()));
  const Seconds solving = clock.lap();

  PetscInt iterations = 0;
  KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
  PetscReal rest = 0, whole = 0, largest = 0;
  check(KSPGetIterationNumber(ksp.get(), &iterations));
  check(KSPGetConvergedReason(ksp.get(), &reason));
  check(KSPGetResidualNorm(ksp.get(), &rest));
  check(VecNorm(b.get(), NORM_2, &whole));
  check(VecNorm(x.get(), NORM_INFINITY, &largest));
  io::Summary line;
  line.add("bench", "assembled");
  describe(line, given.beam, *mesh, space);
  line.add("peer", peers[static_cast<std::size_t>(given.peer)]);
  line.add("node_order", orders[static_cast<std::size_t>(given.order)]);
  line.add("rtol", given.rtol);
  add_measured(line, "mesh_s", mesh_seconds);
  add_measured(line, "body_s", body_seconds);
  add_measured(line, "assemble_s", assembly.wall);
  add_measured(line, "assemble_cpu_s", assembly.clock);
  add_measured(line, "setup_s", set_up.wall);
  add_measured(line, "setup_cpu_s", set_up.clock);
  add_measured(line, "solve_s", solving.wall);
  add_measured(line, "solve_cpu_s", solving.clock);
  line.add("iterations", iterations);
  add_measured(line, "residual", rest / whole);
  line.add("max_displacement", largest);
  watch.report(line, 3 * static_cast<double>(space.global_nodes()));
  if (given.check_product)
    add_measured(line, "difference", difference(given, std::move(*mesh), stiffness, product.get()));
  print(comm, line);
  if (reason < 0) throw Error(std::string("CG gave up: ") + KSPConvergedReasons[reason]);
}

void multiply(MPI_Comm comm, const Problem& given) {
  const auto mesh = given.beam.make_mesh(comm);
  const solid::Space space(mesh, static_cast<int>(given.beam.degree));
  const Stiffness stiffness(space, given.beam.material, given.beam.clamp, given.order);
  const double dofs = 3 * static_cast<double>(space.global_nodes());
  for (const MatType type : {MATAIJ, MATBAIJ}) {
    const auto matrix = stiffness.assemble(type);
    Handle<Vec> x, y;
    MatInfo info;
    check(MatCreateVecs(matrix.get(), x.out(), y.out()));
    check(VecSet(x.get(), 1));
    check(MatGetInfo(matrix.get(), MAT_GLOBAL_SUM, &info));
    const Seconds time =
        measure(comm, static_cast<int>(given.repeat), [&] { check(MatMult(matrix.get(), x.get(), y.get())); });
    // The entries, a column index for each entry (or block), and the vectors.
    const double bytes = info.nz_used * (8 + (type == std::string_view(MATBAIJ) ? 4.0 / 9 : 4)) / dofs + 24;
    io::Summary line;
    line.add("bench", "operator");
    line.add("product", type);
    describe(line, given.beam, mesh, space);
    add_measured(line, "MDoF/s", 1e-6 * dofs / time.wall);
    add_measured(line, "MDoF/s_cpu", 1e-6 * dofs / time.clock);
    add_measured(line, "B/DoF", bytes);
    add_measured(line, "GB/s", 1e-9 * bytes * dofs / time.clock);
    print(comm, line);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc > 1 ? argv[1] : "";
  Session session(argc, argv);
  return session.run([&](MPI_Comm comm) {
    const Problem given = read_problem(comm);
    if (petsc::has_option("", "-help")) return;
    if (given.beam.material.law != solid::Law::linear_elastic)
      throw OptionError("the assembled stiffness is that of -material linear_elastic");
    if (mode == "solve")
      solve(comm, given);
    else if (mode == "multiply")
      multiply(comm, given);
    else
      throw OptionError("say what to measure first: solve or multiply");
  });
}
