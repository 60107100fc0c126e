/// Prints iterations of the default solver for bodies other than homogeneous cantilevers, as one table (Markdown):
///
///   bench_robust [-dofs 1e4] [-degrees 1,2,3] [-cases layers,nu,...] [-contrasts 1e3,1e6] [-repeat 3]
///
/// Static linear solves to 1e-8 of bodies clamped at a face under a weight that bends and twists them.
/// Entries above their target are between asterisks. -cases takes the first letters of row names; -ksp_*,
/// -pc_* and -mg_* change the solver.
#include <gearshift/petsc/session.hpp>

#include "bench/cantilever.hpp"
#include "bench/linear_system.hpp"
#include "bench/measure.hpp"
#include "bench/solve/robust_cases.hpp"
#include "petsc/queries.hpp"

#include <petscdmplex.h>
#include <petscksp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace gearshift;
using namespace gearshift::bench;
using petsc::check;
using solid::Vec3;

namespace {

struct Settings {
  PetscReal dofs = 1e4;
  std::vector<PetscInt> degrees{1, 2, 3};
  std::string cases;
  PetscInt repeat = 3;
  std::vector<PetscReal> contrasts = bench::contrasts;
};

struct Outcome {
  PetscInt iterations = 0;  // negative: not solved
  double seconds = 0;       // processor time of set-up and solve, on the slowest rank
};

std::string text(const char* form, double value) {
  std::array<char, 48> result{};
  std::snprintf(result.data(), result.size(), form, value);
  return result.data();
}

/// Returns the number of cells per unit of the shape for approximately this number of unknowns.
PetscInt cells_for(const Shape& shape, PetscInt degree, PetscReal dofs) {
  const auto size = [&](PetscInt n) {
    double result = 3;
    for (std::size_t d = 0; d < 3; ++d)
      result *= static_cast<double>(degree) * static_cast<double>(shape.cells(d, n)) + 1;
    return result;
  };
  PetscInt n = 1;
  while (size(n + 1) <= dofs) ++n;
  return size(n + 1) / dofs < dofs / size(n) ? n + 1 : n;
}

/// Moves the nodes of a unit cube so that its cells grow a hundredfold along every axis.
void grade(DM dm, PetscInt n) {
  if (n < 2) return;
  const double growth = std::pow(100, 1 / static_cast<double>(n - 1)),
               whole = std::pow(growth, static_cast<double>(n)) - 1;
  Vec coordinates = nullptr;
  PetscInt size = 0;
  PetscScalar* values = nullptr;
  check(DMGetCoordinatesLocal(dm, &coordinates));
  check(VecGetLocalSize(coordinates, &size));
  check(VecGetArray(coordinates, &values));
  for (PetscInt i = 0; i < size; ++i) values[i] = (std::pow(growth, values[i] * static_cast<double>(n)) - 1) / whole;
  check(VecRestoreArray(coordinates, &values));
  check(DMSetCoordinatesLocal(dm, coordinates));
}

/// Gives the label "stiff" to the cells of this rank that the pattern selects.
void mark(DM dm, const Shape& shape, const Pattern& pattern, PetscInt n) {
  PetscInt first = 0, last = 0;
  check(DMCreateLabel(dm, "stiff"));
  check(DMPlexGetHeightStratum(dm, 0, &first, &last));
  for (PetscInt cell = first; cell < last; ++cell) {
    PetscReal volume = 0;
    std::array<PetscReal, 3> centre{}, normal{};
    std::array<int, 3> place{};
    check(DMPlexComputeCellGeometryFVM(dm, cell, &volume, centre.data(), normal.data()));
    for (std::size_t d = 0; d < 3; ++d)
      place[d] = static_cast<int>(centre[d] / shape.length[d] * static_cast<double>(shape.cells(d, n)));
    if (pattern(place)) check(DMSetLabelValue(dm, "stiff", cell, 1));
  }
}

solid::Mesh make_mesh(MPI_Comm comm, const Case& given, PetscInt n) {
  std::string faces, upper;
  for (std::size_t d = 0; d < 3; ++d) {
    faces += (d > 0 ? "," : "") + std::to_string(given.shape.cells(d, n));
    upper += (d > 0 ? "," : "") + text("%.17g", given.shape.length[d]);
  }
  check(PetscOptionsSetValue(nullptr, "-dm_plex_box_faces", faces.c_str()));
  check(PetscOptionsSetValue(nullptr, "-dm_plex_box_upper", upper.c_str()));
  solid::Mesh mesh = solid::Mesh::from_options(comm);
  if (!given.stiff && !given.shape.graded) return mesh;
  if (given.shape.graded) grade(mesh.dm(), n);
  if (given.stiff) mark(mesh.dm(), given.shape, given.stiff, n);
  return solid::Mesh::adopt(mesh.dm());
}

Outcome run(MPI_Comm comm, const Settings& settings, const Case& given, PetscInt degree, PetscReal contrast) {
  const PetscInt n = cells_for(given.shape, degree, settings.dofs);
  solid::Body body(make_mesh(comm, given, n), static_cast<int>(degree));
  solid::Material material{.law = solid::Law::linear_elastic, .E = 1, .nu = given.nu, .rho = 1};
  body.set_material(material);
  material.E = contrast;
  const auto& regions = body.mesh().region_names();
  // Coarse meshes may have no stiff cell.
  if (given.stiff && !regions.empty()) body.set_material("stiff", material);
  body.set_formulation(given.formulation);
  const auto& names = body.mesh().face_names();
  // An adopted mesh has PETSc's numbers instead of a box's names.
  body.clamp(std::find(names.begin(), names.end(), "xmin") != names.end() ? "xmin" : "6");
  body.set_gravity([](PetscReal, const Vec3&) { return Vec3{0.1, 0.3, -1}; }, true);
  body.set_up();
  LinearSystem system(body, {1, 0, 0});
  const auto b = system.load(), x = petsc::duplicate(body.layout());
  Outcome result;
  const Seconds seconds = measure(comm, static_cast<int>(settings.repeat), [&] {
    system.prepare();
    const auto solution = system.solve(b.get(), x.get(), 1e-8);
    result.iterations = solution.reason < 0 ? -solution.iterations : solution.iterations;
  });
  result.seconds = seconds.clock;
  return result;
}

/// Returns an entry of the table: iterations, with their targets.
std::string entry(const Case& given, const std::vector<Outcome>& outcomes, const Outcome& alike) {
  std::string result, ratios;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const Outcome& outcome = outcomes[i];
    const bool solved = outcome.iterations >= 0;
    const double ratio = static_cast<double>(outcome.iterations) / static_cast<double>(alike.iterations),
                 time = outcome.seconds / alike.seconds;
    const bool relative = given.relative && !given.most.empty(),
               enough = solved &&
                        (given.most.empty() || (relative ? ratio : static_cast<double>(outcome.iterations)) <=
                                                   given.most[std::min(i, given.most.size() - 1)]) &&
                        (given.max_time == 0 || time <= given.max_time);
    const std::string mark = enough ? "" : "*";
    result += (i > 0 ? " / " : "") + mark +
              (solved ? std::to_string(outcome.iterations) : "none in " + std::to_string(-outcome.iterations)) + mark;
    if (relative) ratios += (i > 0 ? " / " : "") + (solved ? text("%.1f", ratio) : "-");
    if (given.max_time > 0) ratios += text("time %.1f", time);
  }
  return ratios.empty() ? result : result + " (" + ratios + ")";
}

bool chosen(const std::string& cases, const std::string& name) {
  if (cases.empty()) return true;
  for (std::size_t at = 0; at <= cases.size();) {
    const std::size_t end = std::min(cases.find(',', at), cases.size());
    if (end > at && name.compare(0, end - at, cases, at, end - at) == 0) return true;
    at = end + 1;
  }
  return false;
}

void print_table(MPI_Comm comm, const Settings& settings) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  check(
      PetscPrintf(comm,
                  "Iterations to 1e-8 at rest, about %s unknowns, %d rank%s; in brackets multiples of the homogeneous "
                  "body's, for nu of its processor time\n\n| case | target |",
                  text("%g", settings.dofs).c_str(), ranks, ranks > 1 ? "s" : ""));
  for (const PetscInt degree : settings.degrees) check(PetscPrintf(comm, " degree %d |", static_cast<int>(degree)));
  check(PetscPrintf(comm, "\n|---|---|"));
  for (std::size_t i = 0; i < settings.degrees.size(); ++i) check(PetscPrintf(comm, "---|"));
  check(PetscPrintf(comm, "\n"));
  std::map<PetscInt, Outcome> alike;
  for (const Case& given : robust_cases()) {
    const bool plain = !given.stiff && given.name == "homogeneous";
    if (!plain && !chosen(settings.cases, given.name)) continue;
    // A row is printed at once, so that no other message is inside.
    std::string row = "| " + given.name + " | " + given.wanted + " |";
    for (const PetscInt degree : settings.degrees) {
      std::vector<Outcome> outcomes;
      if (degree < given.least_degree) {
        row += " - |";
        continue;
      }
      for (const PetscReal contrast : given.stiff ? settings.contrasts : std::vector<PetscReal>{1})
        outcomes.push_back(run(comm, settings, given, degree, contrast));
      if (plain) alike[degree] = outcomes.front();
      row += " " + entry(given, outcomes, alike[degree]) + " |";
    }
    check(PetscPrintf(comm, "%s\n", row.c_str()));
    (void)std::fflush(stdout);
  }
}

}  // namespace

int main(int argc, char** argv) {
  Session session(argc, argv);
  return session.run([&](MPI_Comm comm) {
    Settings settings;
    std::vector<PetscReal> degrees{1, 2, 3};
    petsc::read_options(comm, "", "bench_robust", [&](petsc::Options& options) {
      options.real("-dofs", "unknowns of each body, about", settings.dofs);
      options.reals("-degrees", "polynomial degrees, 1 to 6", degrees);
      options.string("-cases", "beginnings of the rows' names, separated by commas; all of them if empty",
                     settings.cases);
      options.reals("-contrasts", "ratios of moduli instead of 1e3 and 1e6, for which the targets are given",
                    settings.contrasts);
      options.integer("-repeat", "solves of each, of whose times the median is taken", settings.repeat);
    });
    if (petsc::has_option("", "-help")) return;
    settings.degrees.clear();
    for (const PetscReal degree : degrees) {
      if (!(degree >= 1 && degree <= 6)) throw OptionError("option -degrees: give numbers from 1 to 6");
      settings.degrees.push_back(static_cast<PetscInt>(degree));
    }
    if (!(settings.dofs >= 100 && settings.dofs <= 1e9))
      throw OptionError("option -dofs: give a number from 100 to 1e9");
    if (settings.repeat < 1) throw OptionError("option -repeat: give 1 or more");
    if (!petsc::has_option("", "-ksp_max_it")) check(PetscOptionsSetValue(nullptr, "-ksp_max_it", "2000"));
    print_table(comm, settings);
  });
}
