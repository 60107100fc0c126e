/// Solves one problem with one integrator and prints one line of JSON. See README.md.

#include <gearshift/petsc/session.hpp>

#include "check.hpp"
#include "problems.hpp"
#include "result.hpp"
#include "solvers.hpp"

#include <array>
#include <string>
#include <vector>

namespace {

using gearshift::petsc::check;

constexpr const char* help =
    "Work of time integrators on M v' = F(t, q, v), q' = v: one JSON line.\n"
    "  -problem bar|bar0|steep|cant2|free2|cant3|pend|hertz|kelvin|rotor|frame|vdp|beam1|beam01\n"
    "                      -nodes n[,n[,n]]  other numbers of nodes\n"
    "  -solver name        (-list shows all)     -label text       name in the output\n"
    "  -tol t              relative tolerance; absolute ones are t times the problem's scales\n"
    "  -steps n            equal steps, for gear_fixed and two_n\n"
    "  -reference file     compare with the end state in file\n"
    "  -save file          write the end state\n"
    "  -check              tangent and preconditioner against differences, nothing else\n\n";

std::string text(const char* key, const std::string& usual) {
  std::array<char, 1024> value{};
  PetscBool set = PETSC_FALSE;
  check(PetscOptionsGetString(nullptr, nullptr, key, value.data(), value.size(), &set));
  return set ? value.data() : usual;
}

bool flag(const char* key) {
  PetscBool value = PETSC_FALSE;
  check(PetscOptionsGetBool(nullptr, nullptr, key, &value, nullptr));
  return value;
}

std::unique_ptr<bench::Problem> chosen_problem() {
  std::vector<PetscInt> nodes(3);
  PetscInt count = 3;
  PetscBool set = PETSC_FALSE;
  check(PetscOptionsGetIntArray(nullptr, nullptr, "-nodes", nodes.data(), &count, &set));
  nodes.resize(set ? static_cast<std::size_t>(count) : 0);
  auto problem = bench::make_problem(text("-problem", "bar"), nodes);
  check(PetscOptionsGetReal(nullptr, nullptr, "-end", &problem->end, nullptr));
  return problem;
}

bench::Run run(bench::Problem& problem, const bench::Settings& settings) {
  if (settings.kind == "gear") return bench::run_gearshift(problem, settings);
  if (settings.kind == "two_n") return bench::run_two_n(problem, settings);
  if (settings.kind == "ts1" || settings.kind == "ts2") return bench::run_petsc_ts(problem, settings);
  return bench::run_sundials(problem, settings);
}

/// The solver's options are inserted first, so that the command line takes precedence.
bench::Settings chosen_settings(int argc, char** argv) {
  const bench::Solver& solver = bench::find_solver(text("-solver", "cvode").c_str());
  check(PetscOptionsInsertString(nullptr, solver.options));
  check(PetscOptionsInsertArgs(nullptr, argc - 1, argv + 1));
  bench::Settings settings{text("-label", solver.name), solver.kind};
  check(PetscOptionsGetReal(nullptr, nullptr, "-tol", &settings.tolerance, nullptr));
  check(PetscOptionsGetInt(nullptr, nullptr, "-steps", &settings.steps, nullptr));
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  gearshift::Session session(argc, argv, help);
  return session.run([&](MPI_Comm comm) {
    if (flag("-list")) {
      for (const bench::Solver& solver : bench::solvers())
        check(PetscPrintf(comm, "%-16s %s %s\n", solver.name, solver.what, solver.options));
      return;
    }
    const auto problem = chosen_problem();
    if (flag("-check")) return bench::check_tangents(*problem);
    const bench::Settings settings = chosen_settings(argc, argv);
    const bench::Run result = run(*problem, settings);
    const std::string save = text("-save", "");
    if (!save.empty()) bench::save_state(save, result);
    const bench::Errors errors = bench::compare(text("-reference", ""), *problem, result);
    check(PetscPrintf(comm, "%s\n", bench::json_line(*problem, settings, result, errors).c_str()));
  });
}
