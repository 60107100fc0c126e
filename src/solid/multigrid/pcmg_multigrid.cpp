#include "solid/multigrid/pcmg_multigrid.hpp"

#include <gearshift/petsc/views.hpp>

#include "petsc/log.hpp"
#include "solid/multigrid/coarse/gamg.hpp"

#include <petscmat.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Nodal interpolation between two spaces of one mesh, three components at a time: values at `to`'s owned nodes.
petsc::Handle<Mat> interpolation(const Space& from, const Space& to) {
  const auto rows = static_cast<std::size_t>(to.owned_nodes()),
             columns = static_cast<std::size_t>(from.nodes_per_cell());
  // Weights of one cell: row a node of `to`, column a node of `from`.
  std::vector<std::vector<double>> weights;
  for (const Vec3& xi : to.element().nodes()) from.shape_values(xi, weights.emplace_back(columns));
  const auto matters = [](double weight) { return std::abs(weight) > 1e-13; };
  std::vector<std::pair<PetscInt, std::size_t>> source(rows, {-1, 0});  // a cell of each row, and the node in it
  for (PetscInt cell = 0; cell < to.cells(); ++cell) {
    const auto nodes = to.cell_nodes(cell);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (nodes[i] < to.owned_nodes() && source[static_cast<std::size_t>(nodes[i])].first < 0)
        source[static_cast<std::size_t>(nodes[i])] = {cell, i};
  }
  std::vector<PetscInt> diagonal(rows), other(rows);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto nodes = from.cell_nodes(source[row].first);
    for (std::size_t j = 0; j < columns; ++j)
      if (matters(weights[source[row].second][j])) ++(nodes[j] < from.owned_nodes() ? diagonal : other)[row];
  }
  petsc::Handle<Mat> scalar, vector;
  check(MatCreate(to.comm(), scalar.out()));
  check(MatSetSizes(scalar.get(), to.owned_nodes(), from.owned_nodes(), PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(scalar.get(), MATAIJ));
  check(MatXAIJSetPreallocation(scalar.get(), 1, diagonal.data(), other.data(), nullptr, nullptr));
  for (std::size_t row = 0; row < rows; ++row) {
    const auto nodes = from.cell_nodes(source[row].first);
    for (std::size_t j = 0; j < columns; ++j)
      if (matters(weights[source[row].second][j]))
        check(MatSetValue(scalar.get(), to.first_node() + static_cast<PetscInt>(row),
                          from.global_node_numbers()[static_cast<std::size_t>(nodes[j])],
                          weights[source[row].second][j], INSERT_VALUES));
  }
  check(MatAssemblyBegin(scalar.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(scalar.get(), MAT_FINAL_ASSEMBLY));
  check(MatCreateMAIJ(scalar.get(), 3, vector.out()));
  return vector;
}

void zero_entries(Vec x, const std::vector<PetscInt>& entries) {
  petsc::WriteView values(x);
  for (const PetscInt entry : entries) values[static_cast<std::size_t>(entry)] = 0;
}

/// Tells PETSc that the matrix has changed.
void touch(Mat matrix) {
  check(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
}

}  // namespace

struct PcmgMultigrid::Level {
  explicit Level(LevelSpace on) : own(std::move(on)) {}

  LevelSpace own;
  const Space& space = own.space();
  const Supports& supports = own.supports();
  std::optional<TermSumLevel> terms;  // below the finest level
  const TermSum no_terms;             // levels have blocks instead of the body's terms
  NodeBlocks blocks;
  std::unique_ptr<Operator> own_operator;
  std::unique_ptr<Tangent> own_tangent;
  Tangent* tangent = nullptr;  // not on degree 1
  Shifts shifts;
  petsc::Handle<Vec> displacement;
  petsc::Handle<Mat> matrix;           // a shell, or the assembled degree 1
  std::unique_ptr<NodeMatrixSum> sum;  // of the latter

  void multiply(Vec in, Vec out) {
    tangent->apply_free(shifts, in, out);
    if (blocks.empty()) return;
    const petsc::ReadView from(in);
    const petsc::WriteView to(out);
    blocks.add_product(from.span().data(), to.span().data());
  }
  void diagonal(Vec out) {
    tangent->diagonal(shifts, out);
    petsc::WriteView values(out);
    blocks.add_diagonal(values.span().data());
    for (const PetscInt entry : supports.entries()) values[static_cast<std::size_t>(entry)] = 1;
  }
};

struct PcmgMultigrid::Transfer {
  const Supports *coarse = nullptr, *fine = nullptr;
  petsc::Handle<Mat> prolongation, evaluation, shell;
  petsc::Handle<Vec> coarse_work, fine_work;
};

namespace {

template <class Context, class Body>
PetscErrorCode with_context(Mat shell, Body&& body) {
  Context* context = nullptr;
  PetscCall(MatShellGetContext(shell, &context));
  PetscCallCXX(body(*context));
  return 0;
}

}  // namespace

PcmgMultigrid::PcmgMultigrid(const FinestLevel& finest) {
  const MPI_Comm comm = finest.mesh.comm();
  const auto multiply = [](Mat A, Vec in, Vec out) -> PetscErrorCode {
    return with_context<Level>(A, [&](Level& level) { level.multiply(in, out); });
  };
  const auto get_diagonal = [](Mat A, Vec out) -> PetscErrorCode {
    return with_context<Level>(A, [&](Level& level) { level.diagonal(out); });
  };
  for (LevelSpace& on : make_level_spaces(finest.mesh, finest.op.space(), finest.supports)) {
    auto level = std::make_unique<Level>(std::move(on));
    const int degree = level->space.degree();
    if (!levels_.empty()) {
      level->terms.emplace(finest.terms, level->space);
      if (degree > 1) {
        level->own_operator =
            std::make_unique<Operator>(level->space, level->supports, finest.material, finest.kernels);
        level->own_tangent = std::make_unique<Tangent>(*level->own_operator, level->no_terms, level->supports);
        level->tangent = level->own_tangent.get();
      }
      check(VecDuplicate(level->space.layout(), level->displacement.out()));
    }
    if (degree == 1) {
      level->matrix = create_node_matrix(level->space);
      level->sum = std::make_unique<NodeMatrixSum>(level->space);
    } else {
      const PetscInt size = 3 * level->space.owned_nodes();
      check(MatCreateShell(comm, size, size, PETSC_DETERMINE, PETSC_DETERMINE, level.get(), level->matrix.out()));
      check(
          MatShellSetOperation(level->matrix.get(), MATOP_MULT,
                               reinterpret_cast<void (*)()>(static_cast<PetscErrorCode (*)(Mat, Vec, Vec)>(multiply))));
      check(
          MatShellSetOperation(level->matrix.get(), MATOP_GET_DIAGONAL,
                               reinterpret_cast<void (*)()>(static_cast<PetscErrorCode (*)(Mat, Vec)>(get_diagonal))));
    }
    levels_.push_back(std::move(level));
  }
  const auto prolong = [](Mat A, Vec in, Vec out) -> PetscErrorCode {
    return with_context<Transfer>(A, [&](Transfer& transfer) {
      check(VecCopy(in, transfer.coarse_work.get()));
      zero_entries(transfer.coarse_work.get(), transfer.coarse->entries());
      check(MatMult(transfer.prolongation.get(), transfer.coarse_work.get(), out));
      zero_entries(out, transfer.fine->entries());
    });
  };
  const auto restrict_residual = [](Mat A, Vec in, Vec out) -> PetscErrorCode {
    return with_context<Transfer>(A, [&](Transfer& transfer) {
      check(VecCopy(in, transfer.fine_work.get()));
      zero_entries(transfer.fine_work.get(), transfer.fine->entries());
      check(MatMultTranspose(transfer.prolongation.get(), transfer.fine_work.get(), out));
      zero_entries(out, transfer.coarse->entries());
    });
  };
  for (std::size_t i = 0; i + 1 < levels_.size(); ++i) {
    const Level &upper = *levels_[i], &lower = *levels_[i + 1];
    auto transfer = std::make_unique<Transfer>();
    transfer->fine = &upper.supports;
    transfer->coarse = &lower.supports;
    transfer->prolongation = interpolation(lower.space, upper.space);
    transfer->evaluation = interpolation(upper.space, lower.space);
    check(VecDuplicate(lower.space.layout(), transfer->coarse_work.out()));
    check(VecDuplicate(upper.space.layout(), transfer->fine_work.out()));
    check(MatCreateShell(comm, 3 * upper.space.owned_nodes(), 3 * lower.space.owned_nodes(), PETSC_DETERMINE,
                         PETSC_DETERMINE, transfer.get(), transfer->shell.out()));
    check(MatShellSetOperation(transfer->shell.get(), MATOP_MULT,
                               reinterpret_cast<void (*)()>(static_cast<PetscErrorCode (*)(Mat, Vec, Vec)>(prolong))));
    check(MatShellSetOperation(
        transfer->shell.get(), MATOP_MULT_TRANSPOSE,
        reinterpret_cast<void (*)()>(static_cast<PetscErrorCode (*)(Mat, Vec, Vec)>(restrict_residual))));
    transfers_.push_back(std::move(transfer));
  }
}

PcmgMultigrid::~PcmgMultigrid() = default;

void PcmgMultigrid::configure(PC pc) {
  const auto count = static_cast<PetscInt>(levels_.size());
  check(PCSetType(pc, PCMG));
  check(PCMGSetLevels(pc, count, nullptr));
  check(PCMGSetType(pc, PC_MG_MULTIPLICATIVE));
  check(PCMGSetGalerkin(pc, PC_MG_GALERKIN_NONE));
  for (PetscInt l = 1; l < count; ++l) {
    KSP smoother = nullptr;
    check(PCMGSetInterpolation(pc, l, transfers_[static_cast<std::size_t>(count - 1 - l)]->shell.get()));
    check(PCMGGetSmoother(pc, l, &smoother));
    // Measured on a slab whose cells are four times as thick as long: a higher lower end lets the iterations grow with
    // the mesh, since modes across the thickness, which degree 1 does not have, lie that low. More steps, which the
    // levels in single precision take for cells of 1:10 and near incompressibility, save iterations here, but no time.
    prefer_chebyshev(smoother, 5, 0.03, PCJACOBI);
  }
  KSP coarse = nullptr;
  check(PCMGGetCoarseSolve(pc, &coarse));
  prefer_coarse_solver(coarse);
  check(KSPSetFromOptions(coarse));  // before PCMG does so, at its own set-up
}

bool PcmgMultigrid::drives(PC pc) const {
  PetscBool own = PETSC_FALSE;
  PetscInt levels = 0;
  Mat interpolation = nullptr;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCMG, &own));
  if (!own) return false;
  check(PCMGGetLevels(pc, &levels));
  if (levels != static_cast<PetscInt>(levels_.size())) return false;
  if (levels > 1) check(PCMGGetInterpolation(pc, 1, &interpolation));
  return levels == 1 || interpolation == transfers_.back()->shell.get();
}

void PcmgMultigrid::update(Tangent& tangent, Shifts s, PC pc) {
  const petsc::ScopedEvent event(petsc::Event::precondition);
  const auto count = static_cast<PetscInt>(levels_.size());
  levels_.front()->tangent = &tangent;
  Vec displacement = tangent.displacement();
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    Level& level = *levels_[i];
    level.shifts = s;
    if (i > 0) {
      check(MatMult(transfers_[i - 1]->evaluation.get(), displacement, level.displacement.get()));
      displacement = level.displacement.get();
    }
    if (level.space.degree() == 1) {
      levels_[i - 1]->tangent->assemble_corners(s, *level.sum, level.terms->blocks(s, level.supports), level.supports,
                                                level.matrix.get());
      set_rigid_modes(level.space, level.supports, displacement, level.matrix.get());
      KSP coarse = nullptr;
      check(PCMGGetCoarseSolve(pc, &coarse));
      PC coarse_pc = nullptr;
      check(KSPGetPC(coarse, &coarse_pc));
      check(KSPSetOperators(coarse, level.matrix.get(), level.matrix.get()));
      rebuild_gamg(coarse_pc, coarse_smoothing);
    } else {
      if (i > 0) {
        try {
          level.blocks = level.terms->blocks(s, level.supports);
          level.tangent->update({0, displacement, nullptr, nullptr, {nullptr, 1, tangent.rate()}});
        } catch (const InvalidState&) {
          // This level has fewer points: if only here points are inverted, the smoothing gets worse, nothing else.
        }
      }
      KSP smoother = nullptr;
      touch(level.matrix.get());
      check(PCMGGetSmoother(pc, count - 1 - static_cast<PetscInt>(i), &smoother));
      check(KSPSetOperators(smoother, level.matrix.get(), level.matrix.get()));
    }
  }
  // The PC must be set up again even if its own operator looks unchanged.
  Mat operator_matrix = nullptr, preconditioner_matrix = nullptr;
  PetscBool set = PETSC_FALSE, reuse = PETSC_FALSE;
  check(PCGetOperatorsSet(pc, &set, nullptr));
  if (!set) return;
  check(PCGetOperators(pc, &operator_matrix, &preconditioner_matrix));
  touch(preconditioner_matrix);
  check(PCGetReusePreconditioner(pc, &reuse));
  check(PCSetReusePreconditioner(pc, PETSC_FALSE));
  check(PCSetUp(pc));
  check(PCSetReusePreconditioner(pc, reuse));
}

}  // namespace gearshift::solid
