#include "solid/multigrid/coarse/gamg.hpp"

#include <gearshift/petsc/options.hpp>

#include "petsc/options/option_override.hpp"
#include "petsc/queries.hpp"
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

/// Sets defaults that PETSc 3.18 resets when it reads options. Slow coarsening along strong couplings takes about half
/// the iterations of the default, at a moderate set-up cost.
void set_after_options(PC pc) {
  const char* prefix = petsc::prefix_of(pc);
  if (!petsc::has_option(prefix, "-pc_gamg_aggressive_coarsening") &&
      !petsc::has_option(prefix, "-pc_gamg_square_graph"))
    check(PCGAMGSetAggressiveLevels(pc, 0));
}

/// Returns true if the PCGAMG has been set up before.
bool has_levels(PC pc) {
  PetscInt levels = 0;
  check(PCMGGetLevels(pc, &levels));
  return levels > 0;
}

/// Frees the set-up data of a PCGAMG: its near-null space, prolongations and levels. The PC itself is kept: each new PC
/// registers an identifier for object data that PETSc never releases, and every Vec that stores its norm reserves space
/// for all identifiers.
void release_levels(PC pc) {
  Mat of_solver = nullptr, of_preconditioner = nullptr;
  PetscBool given = PETSC_FALSE;
  PetscInt levels = 0;
  check(PCGetOperatorsSet(pc, nullptr, &given));
  if (given) check(PCGetOperators(pc, &of_solver, &of_preconditioner));
  const auto operators = Handle<Mat>::share(of_solver), matrix = Handle<Mat>::share(of_preconditioner);
  check(PCReset(pc));  // also drops the operators, but does not free the levels
  if (given) check(PCSetOperators(pc, operators.get(), matrix.get()));
  check(PCMGGetLevels(pc, &levels));
  check(PCMGSetLevels(pc, levels == 1 ? 2 : 1, nullptr));  // a different number of levels frees the old ones
  check(PCGAMGSetNlevels(pc, max_levels));                 // a set-up has overwritten the maximum
}

void smooth(PC pc, PetscInt steps) {
  PetscInt levels = 0;
  check(PCMGGetLevels(pc, &levels));
  for (PetscInt level = 1; level < levels; ++level) {
    KSP smoother = nullptr;
    check(PCMGGetSmoother(pc, level, &smoother));
    if (!petsc::has_option(petsc::prefix_of(smoother), "-ksp_max_it"))
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

/// Sets the rows of the finest prolongation to zero in which the near-null space is zero: those of constrained entries.
/// GAMG's QR factors leave rounding errors in them. The operator is identity in these rows, while the entries of other
/// rows have the unit of stiffness: if stiffnesses are small, smoothing amplifies the errors and spoils the correction.
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
  // By PETSc's default GAMG would use the operator instead of its matrix. The flag (PCSetUseAmat) remains set when the
  // type of the PC changes, and other types cannot extract blocks from an operator without a matrix: rebuild_gamg()
  // sets it when GAMG is set up.
  check(PCSetUseAmat(pc, PETSC_FALSE));
}

void rebuild_gamg(PC pc, PetscInt smoothing) {
  PetscBool ready = PETSC_FALSE;
  if (!petsc::is_of_type(pc, PCGAMG)) return;
  if (has_levels(pc)) {
    release_levels(pc);
  } else {
    check(PCSetType(pc, PCNONE));
    prefer_gamg(pc);
  }
  if (!petsc::has_option(petsc::prefix_of(pc), "-pc_use_amat")) check(PCSetUseAmat(pc, PETSC_TRUE));
  check(PCSetFromOptions(pc));
  check(PCGetOperatorsSet(pc, nullptr, &ready));
  if (!petsc::is_of_type(pc, PCGAMG) || !ready) return;
  set_after_options(pc);
  // PETSc's default algorithm for P' A P adds in the order in which messages arrive, but is several times as fast: it
  // is kept if there is no more than one message, or if the user chooses an algorithm.
  const int ranks = petsc::ranks_of(petsc::comm_of(pc));
  std::optional<petsc::OptionOverride> in_order;
  if (ranks > 2 && !petsc::has_option("", "-matptap_via")) in_order.emplace("-matptap_via", "allatonce");
  // PETSc shifts pivots of the coarsest level below 2.2e-14 in any unit: here the limit is relative to the smallest
  // diagonal entry. The first key belongs to GAMG's own coarse solver, the others to PCMG's, which a GAMG of one level
  // keeps.
  std::array<std::optional<petsc::OptionOverride>, 3> any_unit;
  const std::array keys{"-mg_coarse_sub_pc_factor_zeropivot", "-mg_coarse_pc_factor_zeropivot",
                        "-mg_coarse_redundant_pc_factor_zeropivot"};
  const std::string pivot = zero_pivot(pc);
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!petsc::has_option(petsc::prefix_of(pc), keys[i]))
      any_unit[i].emplace(std::string("-") + petsc::prefix_of(pc) + (keys[i] + 1), pivot.c_str());
  check(PCSetUp(pc));
  clear_constrained_rows(pc);
  if (smoothing > 0) smooth(pc, smoothing);
}

void prefer_coarse_solver(KSP ksp) {
  check(KSPSetType(ksp, KSPPREONLY));
  prefer_gamg(petsc::pc_of(ksp));
}

}  // namespace gearshift::solid
