#include "solid/solver_choice.hpp"

#include <gearshift/petsc/options.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Types of PC that need products, or a diagonal, alone.
constexpr std::array<std::string_view, 7> matrix_free{PCNONE, PCJACOBI, PCMG, PCSHELL, PCKSP, PCMAT, PCCOMPOSITE};

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
  if (wanted_ == Solver::amg || wanted_ == Solver::jacobi) return wanted_;
  // At degree 1 a preconditioner of the user's choice needs a matrix, and so do levels in double precision.
  return degree_ == 1 && (!single_levels_ || !option("-pc_type").empty()) ? Solver::amg : Solver::pmg;
}

bool SolverChoice::allows_gamg() const {
  const std::string type = option("-pc_type");
  return type.empty() || type == PCGAMG;
}

bool SolverChoice::double_levels() const { return !single_levels_ || (degree_ > 1 && option("-pc_type") == PCMG); }

double SolverChoice::basis_vectors() const {
  if (!option("-ksp_type").empty()) return 0;  // unknown
  PetscInt restart = 30;
  check(PetscOptionsGetInt(nullptr, prefix_.c_str(), "-ksp_gmres_restart", &restart, nullptr));
  // Flexible GMRES keeps them preconditioned too.
  return static_cast<double>(float_levels() ? 2 * restart : restart) + 2;
}

bool SolverChoice::by_differences() const { return is_on(prefix_, "-snes_mf") || is_on(prefix_, "-snes_fd"); }

void SolverChoice::check_options() const {
  const std::string type = option("-pc_type"), key = "option -" + prefix_;
  if (is_on(prefix_, "-snes_fd_color"))
    throw OptionError(key +
                      "snes_fd_color: colouring needs the entries of a matrix, which bodies do not have; leave it "
                      "out, or use -snes_mf (differences without a matrix)");
  if (degree_ == 1 || type.empty() || is_on(prefix_, "-snes_fd") ||
      std::find(matrix_free.begin(), matrix_free.end(), type) != matrix_free.end())
    return;
  throw OptionError(key + "pc_type " + type +
                    " needs the entries of a matrix, which bodies have at degree 1 only; at degree " +
                    std::to_string(degree_) +
                    " leave it out (multigrid over degrees), or use -solver jacobi or -pc_type mg, and choose the "
                    "solver below degree 1 by -mg_coarse_pc_type " +
                    type);
}

}  // namespace gearshift::solid
