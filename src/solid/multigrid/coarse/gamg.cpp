#include "solid/multigrid/coarse/gamg.hpp"

#include <gearshift/petsc/handle.hpp>
#include <gearshift/petsc/options.hpp>
#include <gearshift/petsc/views.hpp>

#include "petsc/option_override.hpp"
#include "petsc/zero_pivot.hpp"

#include <array>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace gearshift::solid {

using petsc::check;
using petsc::Handle;

namespace {

constexpr PetscInt max_levels = 10;  // PETSc's default

const char* prefix_of(PC pc) {
  const char* prefix = nullptr;
  check(PCGetOptionsPrefix(pc, &prefix));
  return prefix ? prefix : "";
}

/// Defaults that PETSc 3.18 resets when it reads options. Slow coarsening along strong couplings takes about half the
/// iterations of the default, for a moderate set-up.
void set_after_options(PC pc) {
  const char* prefix = prefix_of(pc);
  if (!petsc::has_option(prefix, "-pc_gamg_aggressive_coarsening") &&
      !petsc::has_option(prefix, "-pc_gamg_square_graph"))
    check(PCGAMGSetAggressiveLevels(pc, 0));
}

/// Whether the PCGAMG has been set up before.
bool has_levels(PC pc) {
  PetscInt levels = 0;
  check(PCMGGetLevels(pc, &levels));
  return levels > 0;
}

/// Frees what a PCGAMG was set up with, its near-null space, prolongations and levels, and keeps the PC itself: each
/// new one
/// registers an identifier for data of objects, which PETSc never gives back, and every Vec that keeps its norm has
/// room
/// for all identifiers.
void release_levels(PC pc) {
  Mat of_solver = nullptr, of_preconditioner = nullptr;
  PetscBool given = PETSC_FALSE;
  PetscInt levels = 0;
  check(PCGetOperatorsSet(pc, nullptr, &given));
  if (given) check(PCGetOperators(pc, &of_solver, &of_preconditioner));
  const auto operators = Handle<Mat>::share(of_solver), matrix = Handle<Mat>::share(of_preconditioner);
  check(PCReset(pc));  // which drops the operators, too, and leaves the levels where they are
  if (given) check(PCSetOperators(pc, operators.get(), matrix.get()));
  check(PCMGGetLevels(pc, &levels));
  check(PCMGSetLevels(pc, levels == 1 ? 2 : 1, nullptr));  // another number frees those that are there
  check(PCGAMGSetNlevels(pc, max_levels));                 // a set-up has put their number in its place
}

void smooth(PC pc, PetscInt steps) {
  PetscInt levels = 0;
  check(PCMGGetLevels(pc, &levels));
  for (PetscInt level = 1; level < levels; ++level) {
    KSP smoother = nullptr;
    const char* prefix = nullptr;
    check(PCMGGetSmoother(pc, level, &smoother));
    check(KSPGetOptionsPrefix(smoother, &prefix));
    if (!petsc::has_option(prefix ? prefix : "", "-ksp_max_it"))
      check(KSPSetTolerances(smoother, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, steps));
  }
}

std::string zero_pivot(PC pc) {
  Mat matrix = nullptr;
  std::array<char, 32> text{};
  check(PCGetOperators(pc, nullptr, &matrix));
  std::snprintf(text.data(), text.size(), "%.17g", petsc::zero_pivot(matrix));
  return text.data();
}

/// Zeroes the rows of the finest prolongation in which the near-null space is zero, those of constrained entries.
/// GAMG's QR
/// factors leave rounding errors in them. The operator is identity in these rows, and the matrix is as large as in
/// other
/// rows, in the unit of stiffness: if stiffnesses are small, smoothing amplifies the errors and spoils the correction.
void clear_constrained_rows(PC pc) {
  Mat prolongation = nullptr, matrix = nullptr;
  MatNullSpace space = nullptr;
  PetscInt levels = 0, count = 0, first = 0, last = 0;
  const Vec* modes = nullptr;
  check(PCMGGetLevels(pc, &levels));
  if (levels < 2) return;
  check(PCMGGetInterpolation(pc, levels - 1, &prolongation));
  check(PCGetOperators(pc, nullptr, &matrix));
  check(MatGetNearNullSpace(matrix, &space));
  if (space) check(MatNullSpaceGetVecs(space, nullptr, &count, &modes));
  if (count == 0) return;
  check(MatGetOwnershipRange(prolongation, &first, &last));
  std::vector<char> moves(static_cast<std::size_t>(last - first));
  for (PetscInt mode = 0; mode < count; ++mode) {
    const petsc::ReadView values(modes[mode]);
    for (std::size_t i = 0; i < moves.size(); ++i) moves[i] = moves[i] || values[i] != 0;
  }
  std::vector<PetscInt> rows;
  for (std::size_t i = 0; i < moves.size(); ++i)
    if (!moves[i]) rows.push_back(first + static_cast<PetscInt>(i));
  check(MatZeroRows(prolongation, static_cast<PetscInt>(rows.size()), rows.data(), 0, nullptr, nullptr));
}

}  // namespace

void prefer_gamg(PC pc) {
  PetscReal threshold = 0.02;
  check(PCSetType(pc, PCGAMG));
  check(PCGAMGSetType(pc, PCGAMGAGG));
  check(PCGAMGSetNSmooths(pc, 1));
  check(PCGAMGSetThreshold(pc, &threshold, 1));
  // GAMG works with the operator instead of its matrix, as PETSc makes it. That stays with a PC whose type is changed,
  // and others cannot take blocks from an operator without a matrix: rebuild_gamg() says so when GAMG is to be set up.
  check(PCSetUseAmat(pc, PETSC_FALSE));
}

void rebuild_gamg(PC pc, PetscInt smoothing) {
  PetscBool gamg = PETSC_FALSE, ready = PETSC_FALSE;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCGAMG, &gamg));
  if (!gamg) return;
  if (has_levels(pc)) {
    release_levels(pc);
  } else {
    check(PCSetType(pc, PCNONE));
    prefer_gamg(pc);
  }
  if (!petsc::has_option(prefix_of(pc), "-pc_use_amat")) check(PCSetUseAmat(pc, PETSC_TRUE));
  check(PCSetFromOptions(pc));
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCGAMG, &gamg));
  check(PCGetOperatorsSet(pc, nullptr, &ready));
  if (!gamg || !ready) return;
  set_after_options(pc);
  // PETSc's default for P' A P adds in the order in which messages arrive, but is several times as fast: it is kept
  // where there is at most one message, and where the user chooses an algorithm.
  int ranks = 1;
  MPI_Comm_size(PetscObjectComm(reinterpret_cast<PetscObject>(pc)), &ranks);
  std::optional<petsc::OptionOverride> in_order;
  if (ranks > 2 && !petsc::has_option("", "-matptap_via")) in_order.emplace("-matptap_via", "allatonce");
  // PETSc shifts pivots of the coarsest level below 2.2e-14 in any unit: here it is relative to the smallest diagonal
  // entry.
  // The first key is that of GAMG's own coarse solver, the others those of PCMG's, which a GAMG of one level keeps.
  std::array<std::optional<petsc::OptionOverride>, 3> any_unit;
  const std::array keys{"-mg_coarse_sub_pc_factor_zeropivot", "-mg_coarse_pc_factor_zeropivot",
                        "-mg_coarse_redundant_pc_factor_zeropivot"};
  const std::string pivot = zero_pivot(pc);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!petsc::has_option(prefix_of(pc), keys[i]))
      any_unit[i].emplace(std::string("-") + prefix_of(pc) + (keys[i] + 1), pivot.c_str());
  check(PCSetUp(pc));
  clear_constrained_rows(pc);
  if (smoothing > 0) smooth(pc, smoothing);
}

void prefer_coarse_solver(KSP ksp) {
  PC pc = nullptr;
  check(KSPSetType(ksp, KSPPREONLY));
  check(KSPGetPC(ksp, &pc));
  prefer_gamg(pc);
}

}  // namespace gearshift::solid
