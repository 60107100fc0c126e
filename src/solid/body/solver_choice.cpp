#include "solid/body/solver_choice.hpp"

#include <gearshift/petsc/options.hpp>

#include "petsc/gmres.hpp"
#include "solid/multigrid/coarse/gamg.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Returns true for types of PC that need only products or a diagonal.
bool is_matrix_free(std::string_view type) {
  constexpr std::array<std::string_view, 4> types{PCNONE, PCJACOBI, PCSHELL, PCMAT};
  return std::find(types.begin(), types.end(), type) != types.end();
}

bool is_on(const std::string& prefix, const char* key) {
  PetscBool value = PETSC_FALSE;
  check(PetscOptionsGetBool(nullptr, prefix.c_str(), key, &value, nullptr));
  return value;
}

}  // namespace

std::string SolverChoice::option(const char* key) const {
  std::array<char, 64> name{};
  check(PetscOptionsGetString(nullptr, prefix_.c_str(), key, name.data(), name.size(), nullptr));
  return name.data();
}

Solver SolverChoice::solver() const {
  const std::string type = option("-pc_type");
  const bool matrix_free = type.empty() || is_matrix_free(type);
  if (wanted_ == Solver::amg || (wanted_ == Solver::jacobi && matrix_free)) return wanted_;
  // At degree 1 assembly is cheap, so that any preconditioner chosen by the user gets a matrix.
  const bool matrix = degree_ == 1 ? !type.empty() : !matrix_free;
  return matrix ? Solver::amg : Solver::pmg;
}

double SolverChoice::basis_vectors() const {
  if (!option("-ksp_type").empty()) return 0;  // unknown
  PetscInt restart = petsc::usual_basis;
  check(PetscOptionsGetInt(nullptr, prefix_.c_str(), "-ksp_gmres_restart", &restart, nullptr));
  // Flexible GMRES also keeps the preconditioned vectors.
  return static_cast<double>(solver() == Solver::pmg ? 2 * restart : restart) + 2;
}

bool SolverChoice::by_differences() const { return is_on(prefix_, "-snes_mf") || is_on(prefix_, "-snes_fd"); }

bool SolverChoice::takes_gamg() const {
  const std::string type = option("-pc_type");
  return type.empty() || type == PCGAMG;
}

void SolverChoice::prefer_assembled(PC pc) const {
  // A PC that had the type GAMG would continue to use the matrix-free operator, from which it cannot extract blocks.
  if (takes_gamg()) prefer_gamg(pc);
  if (option("-pc_type") != PCASM) return;
  // Restricted Schwarz, PETSc's default, is not symmetric.
  check(PCSetType(pc, PCASM));
  check(PCASMSetType(pc, PC_ASM_BASIC));
}

void SolverChoice::check_options(int ranks) const {
  const std::string type = option("-pc_type");
  if (ranks > 1 && (type == PCILU || type == PCICC))
    throw OptionError("option -" + prefix_ + "pc_type " + type +
                      " works on one rank only; on several use bjacobi or asm, with it in their blocks (-sub_pc_type " +
                      type + ")");
  if (is_on(prefix_, "-snes_fd_color"))
    throw OptionError(
        "option -" + prefix_ +
        "snes_fd_color: the tangent of a body is exact and cheaper than differences; leave it out, or use "
        "-snes_mf (differences without a matrix) to compare with it");
}

}  // namespace gearshift::solid
