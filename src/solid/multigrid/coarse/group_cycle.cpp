#include "solid/multigrid/coarse/group_cycle.hpp"

#include <gearshift/petsc/views.hpp>

#include "solid/multigrid/coarse/gamg.hpp"
#include "solid/multigrid/multigrid.hpp"

#include <numeric>

namespace gearshift::solid {

using petsc::check;

namespace {

constexpr auto six = static_cast<PetscInt>(rigid_modes);

/// Groups per cluster, and the factor that enlarges its correction, as for groups.
constexpr std::size_t cluster_size = 8;
/// Up to this many groups there are no clusters: communication would cost more than they save.
constexpr PetscInt few = 64;
constexpr double overcorrection = 1.7;
/// Cycles that Chebyshev iteration combines where materials are unlike or the body is thin: clusters bend worse still
/// than groups.
constexpr PetscInt many_cycles = 3;
/// Where materials are unlike: steps that estimate the largest eigenvalue, which the spread of the spectrum slows down,
/// and the unknowns of the clusters up to which a direct solver takes the place of PCGAMG.
constexpr PetscInt estimate_of_unlike = 30, most_direct = 6000;
/// Where strong couplings leave this many times more clusters than there should be, too many for a direct solver, as
/// where single cells are stiff or soft at random, neighbours are clustered however they are coupled.
constexpr PetscInt too_many = 3;

PetscInt sum(PetscInt count, MPI_Comm comm) {
  check(MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPIU_INT, MPI_SUM, comm));
  return count;
}

void estimate_by(KSP smoother, PetscInt steps) {
  KSP estimator = nullptr;
  check(KSPChebyshevEstEigGetKSP(smoother, &estimator));
  check(KSPSetTolerances(estimator, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, steps));
}

/// A direct solver, the whole matrix on every rank; a body that nothing holds makes it singular.
void prefer_direct(KSP ksp) {
  KSP whole = nullptr;
  PC pc = nullptr;
  check(KSPGetPC(ksp, &pc));
  check(PCSetType(pc, PCREDUNDANT));
  check(PCRedundantGetKSP(pc, &whole));
  check(KSPGetPC(whole, &pc));
  check(PCFactorSetShiftType(pc, MAT_SHIFT_INBLOCKS));
}

MPI_Comm comm_of(Mat matrix) { return PetscObjectComm(reinterpret_cast<PetscObject>(matrix)); }

void set_near_null_space(Mat matrix, std::span<const RigidMotions> motions) {
  std::vector<petsc::Handle<Vec>> modes(rigid_modes);
  for (std::size_t mode = 0; mode < rigid_modes; ++mode) {
    check(MatCreateVecs(matrix, modes[mode].out(), nullptr));
    petsc::WriteView values(modes[mode].get());
    for (std::size_t c = 0; c < motions.size(); ++c)
      for (std::size_t n = 0; n < rigid_modes; ++n) values[rigid_modes * c + n] = motions[c][rigid_modes * n + mode];
  }
  set_orthonormal_modes(matrix, std::move(modes));
}

}  // namespace

GroupCycle::GroupCycle(const Aggregates& groups) : groups_(groups) {
  if (groups.groups() <= few) return;
  const auto centres = groups.centres();
  clusters_ = make_groups(centres, cluster_size, groups.couplings().strong());
  const PetscInt count = sum(clusters_.count(), comm_of(groups.matrix()));
  if (six * count > most_direct && static_cast<PetscInt>(cluster_size) * count > too_many * groups.groups())
    clusters_ = make_groups(centres, cluster_size, groups.couplings().all());
  motions_.resize(static_cast<std::size_t>(clusters_.count()));
  PetscInt rows = 0;
  check(MatGetLocalSize(groups.matrix(), &rows, nullptr));
  check(MatCreate(comm_of(groups.matrix()), prolongation_.out()));
  check(MatSetSizes(prolongation_.get(), rows, six * clusters_.count(), PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(prolongation_.get(), MATAIJ));
  check(MatSetBlockSize(prolongation_.get(), six));
  const std::vector<PetscInt> one(static_cast<std::size_t>(rows / six), 1), none(one.size(), 0);
  check(MatXAIJSetPreallocation(prolongation_.get(), six, one.data(), none.data(), nullptr, nullptr));
}

KSP GroupCycle::coarse() const {
  PC pc = nullptr;
  KSP coarse = nullptr;
  check(KSPGetPC(solver_.get(), &pc));
  PetscBool cycle = PETSC_FALSE;
  check(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), PCMG, &cycle));
  if (cycle) check(PCMGGetCoarseSolve(pc, &coarse));
  return coarse;
}

void GroupCycle::configure(const char* prefix) {
  PC pc = nullptr;
  check(KSPCreate(comm_of(groups_.matrix()), solver_.out()));
  check(KSPSetOptionsPrefix(solver_.get(), prefix));
  check(KSPAppendOptionsPrefix(solver_.get(), "mg_groups_"));
  check(KSPSetType(solver_.get(), KSPPREONLY));
  check(KSPGetPC(solver_.get(), &pc));
  check(PCSetType(pc, PCMG));
  if (prolongation_ && (groups_.unlike() || groups_.thin())) prefer_chebyshev(solver_.get(), many_cycles, 0.1, PCMG);
  check(PCMGSetLevels(pc, prolongation_ ? 2 : 1, nullptr));
  check(PCMGSetGalerkin(pc, PC_MG_GALERKIN_NONE));
  if (prolongation_) {
    KSP smoother = nullptr;
    check(PCMGSetInterpolation(pc, 1, prolongation_.get()));
    check(PCMGGetSmoother(pc, 1, &smoother));
    prefer_chebyshev(smoother, 2, 0.1, PCPBJACOBI);
    if (groups_.unlike()) estimate_by(smoother, estimate_of_unlike);
  }
  check(KSPSetOptionsPrefix(coarse(), prefix));
  check(KSPAppendOptionsPrefix(coarse(), "mg_coarse_"));
  prefer_coarse_solver(coarse());
  if (groups_.unlike() && unknowns() <= most_direct) prefer_direct(coarse());
  check(KSPSetFromOptions(coarse()));  // before PCMG does so, at its own set-up
  check(KSPSetFromOptions(solver_.get()));
}

PetscInt GroupCycle::unknowns() const {
  PetscInt columns = six * groups_.groups();
  if (prolongation_) check(MatGetSize(prolongation_.get(), nullptr, &columns));
  return columns;
}

void GroupCycle::update() {
  Mat matrix = groups_.matrix();
  if (prolongation_) {
    set_prolongation();
    set_matrix();
    matrix = matrix_.get();
  } else {
    set_near_null_space(matrix, groups_.motions());
  }
  if (KSP below = coarse()) {
    PC pc = nullptr;
    check(KSPGetPC(below, &pc));
    check(KSPSetOperators(below, matrix, matrix));
    rebuild_gamg(pc, coarse_smoothing);
  }
  check(KSPSetOperators(solver_.get(), groups_.matrix(), groups_.matrix()));
  check(KSPSetUp(solver_.get()));
}

void GroupCycle::set_prolongation() {
  const auto of_groups = groups_.motions();
  PetscInt first = 0, first_column = 0;
  check(MatGetOwnershipRange(prolongation_.get(), &first, nullptr));
  check(MatGetOwnershipRangeColumn(prolongation_.get(), &first_column, nullptr));
  RigidColumns columns;
  for (PetscInt cluster = 0; cluster < clusters_.count(); ++cluster) {
    const auto members = clusters_.of(cluster);
    std::array<double, rigid_modes> sizes{};
    for (std::size_t mode = 0; mode < rigid_modes; ++mode) {
      auto& column = columns[mode];
      column.clear();
      for (const PetscInt group : members)
        for (std::size_t m = 0; m < rigid_modes; ++m)
          column.push_back(of_groups[static_cast<std::size_t>(group)][rigid_modes * m + mode]);
      sizes[mode] = std::inner_product(column.begin(), column.end(), column.begin(), 0.0);
    }
    orthonormalise(columns, sizes);
    RigidMotions& motions = motions_[static_cast<std::size_t>(cluster)];
    motions.fill(0);
    const PetscInt column = first_column / six + cluster;
    for (std::size_t i = 0; i < members.size(); ++i) {
      RigidMotions block{};
      const RigidMotions& own = of_groups[static_cast<std::size_t>(members[i])];
      for (std::size_t m = 0; m < rigid_modes; ++m)
        for (std::size_t n = 0; n < rigid_modes; ++n) {
          const double q = block[rigid_modes * m + n] = columns[n][rigid_modes * i + m];
          for (std::size_t mode = 0; mode < rigid_modes; ++mode)
            motions[rigid_modes * n + mode] += q * own[rigid_modes * m + mode];
        }
      const PetscInt row = first / six + members[i];
      check(MatSetValuesBlocked(prolongation_.get(), 1, &row, 1, &column, block.data(), INSERT_VALUES));
    }
  }
  check(MatAssemblyBegin(prolongation_.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(prolongation_.get(), MAT_FINAL_ASSEMBLY));
}

void GroupCycle::set_matrix() {
  Mat product = matrix_.release();
  const MatReuse reuse = product ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX;
  check(MatPtAP(groups_.matrix(), prolongation_.get(), reuse, PETSC_DEFAULT, &product));
  matrix_ = petsc::Handle<Mat>::adopt(product);
  // Dropped motions are decoupled.
  petsc::Handle<Vec> diagonal;
  check(MatCreateVecs(matrix_.get(), diagonal.out(), nullptr));
  check(MatGetDiagonal(matrix_.get(), diagonal.get()));
  {
    petsc::WriteView values(diagonal.get());
    for (double& d : values) d = d > 0 ? 0 : 1;
  }
  check(MatDiagonalSet(matrix_.get(), diagonal.get(), ADD_VALUES));
  check(MatScale(matrix_.get(), 1 / overcorrection));
  set_near_null_space(matrix_.get(), motions_);
}

void GroupCycle::view(PetscViewer viewer) const { check(KSPView(solver_.get(), viewer)); }

}  // namespace gearshift::solid
