#include "petsc/definite_pc.hpp"

#include "petsc/queries.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <string_view>

namespace gearshift::petsc {

namespace {

constexpr const char* query = "gearshift_definite";

std::string_view type_of(PC pc) {
  PCType type = nullptr;
  check(PCGetType(pc, &type));
  return type ? type : "";
}

bool on_all_ranks(PC pc, bool mine) { return all(comm_of(pc), mine); }

Mat matrix_of(PC pc) {
  Mat matrix = nullptr;
  check(PCGetOperators(pc, nullptr, &matrix));
  return matrix;
}

bool is_positive(Vec entries) {
  PetscReal least = 0;
  const PetscInt size = size_of(entries);
  if (size > 0) check(VecMin(entries, nullptr, &least));
  return size == 0 || least > 0;
}

bool has_positive_diagonal(Mat matrix) {
  Handle<Vec> diagonal;
  check(MatCreateVecs(matrix, diagonal.out(), nullptr));
  check(MatGetDiagonal(matrix, diagonal.get()));
  return is_positive(diagonal.get());
}

/// Returns true if the diagonal of a PCJACOBI is positive. The diagonal is obtained by applying the PC, which has no
/// function that returns it.
bool is_positive_diagonal(PC pc) {
  Handle<Vec> ones, inverse;
  check(MatCreateVecs(matrix_of(pc), ones.out(), inverse.out()));
  check(VecSet(ones.get(), 1));
  check(PCApply(pc, ones.get(), inverse.get()));
  return is_positive(inverse.get());
}

bool has_definite_blocks(PC pc) {
  Mat matrix = matrix_of(pc);
  const PetscScalar* blocks = nullptr;
  PetscInt size = 1, rows = 0;
  check(MatGetBlockSize(matrix, &size));
  check(MatGetLocalSize(matrix, &rows, nullptr));
  check(MatInvertBlockDiagonal(matrix, &blocks));
  bool definite = true;
  for (PetscInt row = 0; definite && row < rows; row += size) {
    const Eigen::Map<const Eigen::MatrixXd> block(blocks + size * row, size, size);
    definite = block.llt().info() == Eigen::Success;
  }
  return on_all_ranks(pc, definite);
}

/// Tests LU factors: without pivoting, and with equal orderings of rows and columns, U = D L' for a symmetric matrix.
bool has_positive_pivots(PC pc) {
  Mat factors = nullptr;
  MatSolverType by = nullptr;
  check(PCFactorGetMatrix(pc, &factors));
  if (!factors) return false;
  check(MatFactorGetSolverType(factors, &by));
  const bool sequential = is_of_type(factors, MATSEQAIJ);
  return by && std::string_view(by) == MATSOLVERPETSC && sequential && has_positive_diagonal(factors);
}

/// Tests Cholesky factors by Sylvester's law of inertia. (On several ranks MUMPS counts correctly only with ICNTL(13)
/// set.)
bool has_positive_inertia(PC pc) {
  Mat factors = nullptr;
  PetscInt negative = 0;
  const int ranks = ranks_of(comm_of(pc));
  check(PCFactorGetMatrix(pc, &factors));
  if (!factors || ranks > 1) return false;
  PetscBool counts = PETSC_FALSE;
  check(MatHasOperation(factors, MATOP_GET_INERTIA, &counts));
  if (!counts) return false;
  check(MatGetInertia(factors, &negative, nullptr, nullptr));
  return negative == 0;
}

bool has_definite_levels(PC pc) {
  PetscInt levels = 0;
  check(PCMGGetLevels(pc, &levels));
  for (PetscInt level = 0; level < levels; ++level) {
    KSP solver = nullptr;
    check(level == 0 ? PCMGGetCoarseSolve(pc, &solver) : PCMGGetSmoother(pc, level, &solver));
    if (!is_known_definite(solver)) return false;
  }
  return levels > 0;
}

bool has_definite_parts(PC pc) {
  PetscInt count = 0;
  KSP* parts = nullptr;
  check(PCSetUpOnBlocks(pc));
  check(PCBJacobiGetSubKSP(pc, &count, nullptr, &parts));
  bool definite = true;
  for (PetscInt i = 0; i < count; ++i) definite = definite && is_known_definite(parts[i]);
  return on_all_ranks(pc, definite);
}

bool is_definite_everywhere(PC pc) {
  KSP whole = nullptr;
  check(PCRedundantGetKSP(pc, &whole));
  return on_all_ranks(pc, is_known_definite(whole));
}

/// Tests the solver of the ranks that a telescope has kept.
bool is_definite_where_kept(PC pc) {
  KSP kept = nullptr;
  check(PCTelescopeGetKSP(pc, &kept));
  return on_all_ranks(pc, !kept || is_known_definite(kept));
}

bool answer_of(PC pc) {
  DefiniteAnswer answer = nullptr;
  check(PetscObjectQueryFunction(reinterpret_cast<PetscObject>(pc), query, &answer));
  return answer && answer(pc);
}

struct Kind {
  std::string_view type;
  bool (*is_definite)(PC);
};

const std::array<Kind, 12> kinds{{{PCNONE, [](PC) { return true; }},
                                  {PCJACOBI, is_positive_diagonal},
                                  {PCPBJACOBI, has_definite_blocks},
                                  {PCSOR, [](PC pc) { return has_positive_diagonal(matrix_of(pc)); }},
                                  {PCLU, has_positive_pivots},
                                  {PCCHOLESKY, has_positive_inertia},
                                  {PCREDUNDANT, is_definite_everywhere},
                                  {PCTELESCOPE, is_definite_where_kept},
                                  {PCBJACOBI, has_definite_parts},
                                  {PCMG, has_definite_levels},
                                  {PCGAMG, has_definite_levels},
                                  {PCSHELL, answer_of}}};

}  // namespace

bool is_known_definite(PC pc) {
  const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& one) { return one.type == type_of(pc); });
  return kind != kinds.end() && kind->is_definite(pc);
}

bool is_known_definite(KSP ksp) {
  KSPType type = nullptr;
  check(KSPGetType(ksp, &type));
  const std::string_view name = type ? type : "";
  if (name != KSPPREONLY && name != KSPCHEBYSHEV) return false;
  return is_known_definite(pc_of(ksp));
}

void tells_definite(PC pc, DefiniteAnswer answer) {
  check(PetscObjectComposeFunction(reinterpret_cast<PetscObject>(pc), query, answer));
}

}  // namespace gearshift::petsc
