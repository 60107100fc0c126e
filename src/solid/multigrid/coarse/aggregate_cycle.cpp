#include "solid/multigrid/coarse/aggregate_cycle.hpp"

#include "petsc/definite_pc.hpp"
#include "petsc/queries.hpp"
#include "solid/multigrid/coarse/direct.hpp"
#include "solid/multigrid/coarse/gamg.hpp"
#include "solid/multigrid/constants.hpp"
#include "solid/multigrid/multigrid.hpp"
#include "solid/multigrid/shell_context.hpp"
#include "solid/numerics/sets.hpp"

#include <Eigen/Core>

namespace gearshift::solid {

using petsc::check;

namespace {

void estimate_by(KSP smoother, PetscInt steps) {
  KSP estimator = nullptr;
  check(KSPChebyshevEstEigGetKSP(smoother, &estimator));
  check(KSPSetTolerances(estimator, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, steps));
}

void set_near_null_space(Mat matrix, std::span<const RigidMotions> motions) {
  std::vector<petsc::Handle<Vec>> modes(rigid_motions);
  for (std::size_t mode = 0; mode < rigid_motions; ++mode) {
    check(MatCreateVecs(matrix, modes[mode].out(), nullptr));
    petsc::WriteView values(modes[mode].get());
    for (std::size_t c = 0; c < motions.size(); ++c)
      for (std::size_t n = 0; n < rigid_motions; ++n)
        values[rigid_motions * c + n] = motions[c][rigid_motions * n + mode];
  }
  set_orthonormal_modes(matrix, std::move(modes));
}

}  // namespace

bool AggregateCycle::takes_multifrontal(PetscInt aggregates, double contrast, bool hinged) {
  return aggregates > multigrid::few_aggregates && contrast > multigrid::strong_contrast && hinged &&
         six * aggregates <= multigrid::max_multifrontal_unknowns && has_multifrontal();
}

NodeAggregates AggregateCycle::make_clusters(std::span<const Vec3> centres, const AggregateCouplings& couplings,
                                             PetscInt aggregates, MPI_Comm comm) {
  NodeAggregates clusters = make_aggregates(centres, multigrid::cluster_size, couplings.strong());
  const PetscInt count = petsc::reduced(comm, MPI_SUM, clusters.count());
  if (six * count > multigrid::max_direct_unknowns &&
      static_cast<PetscInt>(multigrid::cluster_size) * count > multigrid::too_many_clusters * aggregates)
    return make_aggregates(centres, multigrid::cluster_size, couplings.all());
  return clusters;
}

AggregateCycle::AggregateCycle(const Aggregates& aggregates) : aggregates_(aggregates) {
  if (aggregates.aggregates() <= multigrid::few_aggregates ||
      (aggregates.apart() && six * aggregates.aggregates() <= multigrid::max_direct_unknowns))
    return;
  multifrontal_ = takes_multifrontal(aggregates.aggregates(), aggregates.contrast(), aggregates.couplings().hinged());
  if (multifrontal_) return;
  clusters_ =
      make_clusters(aggregates.centres(), aggregates.couplings(), aggregates.aggregates(), aggregates.matrix().comm());
  motions_.resize(static_cast<std::size_t>(clusters_.count()));
  const PetscInt rows = six * aggregates.matrix().pattern().rows();
  check(MatCreate(aggregates.matrix().comm(), prolongation_.out()));
  check(MatSetSizes(prolongation_.get(), rows, six * clusters_.count(), PETSC_DETERMINE, PETSC_DETERMINE));
  check(MatSetType(prolongation_.get(), MATAIJ));
  check(MatSetBlockSize(prolongation_.get(), six));
  const std::vector<PetscInt> one(static_cast<std::size_t>(rows / six), 1), none(one.size(), 0);
  check(MatXAIJSetPreallocation(prolongation_.get(), six, one.data(), none.data(), nullptr, nullptr));
  number_clusters();
}

void AggregateCycle::number_clusters() {
  const AggregateMatrix& aggregates = aggregates_.matrix();
  PetscInt first = 0;
  check(MatGetOwnershipRangeColumn(prolongation_.get(), &first, nullptr));
  cluster_.resize(index(aggregates.pattern().rows()));
  for (PetscInt cluster = 0; cluster < clusters_.count(); ++cluster)
    for (const PetscInt aggregate : clusters_.of(cluster)) cluster_[index(aggregate)] = first / six + cluster;
  const std::vector<double> own(cluster_.begin(), cluster_.end());
  std::vector<double> others;
  aggregates.pattern().spread(own, 1, others);
  beyond_.assign(others.begin(), others.end());
  std::vector<BlockPlace> pairs;
  aggregates.pattern().visit([&](std::size_t, PetscInt row, PetscInt column) {
    pairs.push_back({cluster_of(row), cluster_of(column)});
  });
  clusters_matrix_ =
      std::make_unique<AggregateMatrix>(aggregates.comm(), clusters_.count(), pairs, aggregates.kernels());
}

PetscInt AggregateCycle::cluster_of(PetscInt aggregate) const {
  const BlockPattern& aggregates = aggregates_.matrix().pattern();
  return aggregates.own(aggregate) ? cluster_[index(aggregate - aggregates.first())]
                                   : beyond_[aggregates.ghost(aggregate)];
}

KSP AggregateCycle::coarse() const {
  KSP coarse = nullptr;
  const PC pc = petsc::pc_of(solver_.get());
  if (petsc::is_of_type(pc, PCMG)) check(PCMGGetCoarseSolve(pc, &coarse));
  return coarse;
}

void AggregateCycle::configure(const char* prefix, bool degrees_above) {
  check(KSPCreate(aggregates_.matrix().comm(), solver_.out()));
  check(KSPSetOptionsPrefix(solver_.get(), prefix));
  check(KSPAppendOptionsPrefix(solver_.get(), "mg_groups_"));
  check(KSPSetType(solver_.get(), KSPPREONLY));
  const PC pc = petsc::pc_of(solver_.get());
  check(PCSetType(pc, PCMG));
  if (prolongation_ && aggregates_.apart())
    prefer_chebyshev(solver_.get(), multigrid::cycles_of_lines, 0.02, PCMG);
  else if (prolongation_ && aggregates_.contrast() > multigrid::strong_contrast && !degrees_above)
    prefer_chebyshev(solver_.get(), multigrid::cycles_of_contrast, 0.03, PCMG);
  else if (prolongation_ && (aggregates_.contrast() > multigrid::strong_contrast || aggregates_.thin()))
    prefer_chebyshev(solver_.get(), multigrid::many_cycles, 0.1, PCMG);
  check(PCMGSetLevels(pc, prolongation_ ? 2 : 1, nullptr));
  check(PCMGSetGalerkin(pc, PC_MG_GALERKIN_NONE));
  if (prolongation_) {
    KSP smoother = nullptr;
    check(PCMGSetInterpolation(pc, 1, prolongation_.get()));
    check(PCMGGetSmoother(pc, 1, &smoother));
    if (aggregates_.unlike())
      smooth_by_factors(smoother);
    else
      prefer_chebyshev(smoother, 2, 0.1, PCPBJACOBI);
  }
  check(KSPSetOptionsPrefix(coarse(), prefix));
  check(KSPAppendOptionsPrefix(coarse(), "mg_coarse_"));
  prefer_coarse_solver(coarse());
  if (multifrontal_ || ((aggregates_.unlike() || aggregates_.apart()) && unknowns() <= multigrid::max_direct_unknowns))
    prefer_first_rank(coarse());
  check(KSPSetFromOptions(coarse()));  // PCMG does so only at its own set-up
  check(KSPSetFromOptions(solver_.get()));
}

void AggregateCycle::smooth_by_factors(KSP smoother) {
  prefer_chebyshev(smoother, aggregates_.contrast() > multigrid::strong_contrast ? 2 : 1, 0.1, PCSHELL);
  estimate_by(smoother, multigrid::estimate_of_unlike);
  const PC pc = petsc::pc_of(smoother);
  factors_ = std::make_unique<AggregateFactors>(aggregates_.matrix());
  check(PCShellSetContext(pc, factors_.get()));
  check(PCShellSetName(pc, "incomplete factors of the matrix of the aggregates"));
  check(PCShellSetSetUp(pc, [](PC shell) {
    return with_context<AggregateFactors>(shell, [](AggregateFactors& factors) { factors.update(); });
  }));
  check(PCShellSetApply(pc, [](PC shell, Vec r, Vec z) {
    return with_context<AggregateFactors>(shell, [&](AggregateFactors& factors) { factors.solve(r, z); });
  }));
  petsc::tells_definite(pc, [](PC shell) {
    AggregateFactors* factors = nullptr;
    check(PCShellGetContext(shell, &factors));
    return factors->is_definite();
  });
}

PetscInt AggregateCycle::unknowns() const {
  PetscInt columns = six * aggregates_.aggregates();
  if (prolongation_) check(MatGetSize(prolongation_.get(), nullptr, &columns));
  return columns;
}

bool AggregateCycle::replaced() const { return !coarse(); }

void AggregateCycle::update() {
  Mat all = aggregates_.matrix().get();
  if (prolongation_ && !replaced()) {
    set_prolongation();
    set_matrix();
  } else {
    matrix_ = aggregates_.matrix().assembled();
    if (multifrontal_) keep_from_singular(matrix_.get(), aggregates_.contrast());
    all = matrix_.get();
    set_near_null_space(all, aggregates_.motions());
  }
  if (KSP below = coarse()) {
    set_up_coarse(below, matrix_.get(), multifrontal_, zero_pivot_);
    rebuild_gamg(petsc::pc_of(below), multigrid::coarse_smoothing);
  }
  check(KSPSetOperators(solver_.get(), all, all));
  check(KSPSetUp(solver_.get()));
}

void AggregateCycle::set_prolongation() {
  const auto of_aggregates = aggregates_.motions();
  PetscInt first = 0, first_column = 0;
  check(MatGetOwnershipRange(prolongation_.get(), &first, nullptr));
  check(MatGetOwnershipRangeColumn(prolongation_.get(), &first_column, nullptr));
  parts_.resize(of_aggregates.size() * rigid_motions * rigid_motions);
  RigidColumns columns;
  for (PetscInt cluster = 0; cluster < clusters_.count(); ++cluster) {
    const auto members = clusters_.of(cluster);
    for (std::size_t mode = 0; mode < rigid_motions; ++mode) {
      auto& column = columns[mode];
      column.clear();
      for (const PetscInt aggregate : members)
        for (std::size_t m = 0; m < rigid_motions; ++m)
          column.push_back(of_aggregates[static_cast<std::size_t>(aggregate)][rigid_motions * m + mode]);
    }
    orthonormalise(columns);
    RigidMotions& motions = motions_[static_cast<std::size_t>(cluster)];
    motions.fill(0);
    const PetscInt column = first_column / six + cluster;
    for (std::size_t i = 0; i < members.size(); ++i) {
      RigidMotions block{};
      const RigidMotions& own = of_aggregates[static_cast<std::size_t>(members[i])];
      for (std::size_t m = 0; m < rigid_motions; ++m)
        for (std::size_t n = 0; n < rigid_motions; ++n) {
          const double q = block[rigid_motions * m + n] = columns[n][rigid_motions * i + m];
          for (std::size_t mode = 0; mode < rigid_motions; ++mode)
            motions[rigid_motions * n + mode] += q * own[rigid_motions * m + mode];
        }
      std::copy(block.begin(), block.end(), parts_.begin() + static_cast<std::ptrdiff_t>(block.size()) * members[i]);
      const PetscInt row = first / six + members[i];
      check(MatSetValuesBlocked(prolongation_.get(), 1, &row, 1, &column, block.data(), INSERT_VALUES));
    }
  }
  check(MatAssemblyBegin(prolongation_.get(), MAT_FINAL_ASSEMBLY));
  check(MatAssemblyEnd(prolongation_.get(), MAT_FINAL_ASSEMBLY));
}

void AggregateCycle::set_matrix() {
  const AggregateMatrix& aggregates = aggregates_.matrix();
  constexpr std::size_t size = rigid_motions * rigid_motions;
  std::vector<double> others;
  aggregates.pattern().spread(parts_, static_cast<int>(size), others);
  const auto part = [&](PetscInt aggregate) {
    const BlockPattern& pattern = aggregates.pattern();
    return pattern.own(aggregate) ? parts_.data() + size * index(aggregate - pattern.first())
                                  : others.data() + size * pattern.ghost(aggregate);
  };
  clusters_matrix_->clear();
  aggregates.visit([&](PetscInt row, PetscInt column, const AggregateMatrix::Block& block) {
    if (column < row) return;  // the owner of that row has the block, too
    using Square = Eigen::Matrix<double, six, six, Eigen::RowMajor>;
    using Part = Eigen::Map<const Square>;
    AggregateMatrix::Block product{};
    Eigen::Map<Square> result(product.data());
    result.noalias() =
        Part(part(row)).transpose() * (Part(block.data()) * Part(part(column))) / multigrid::overcorrection_of_clusters;
    const PetscInt a = cluster_of(row), b = cluster_of(column);
    // A block between two aggregates of one cluster also contributes its transpose to the cluster's block.
    if (a == b && row != column) result += result.transpose().eval();
    clusters_matrix_->add(a, b, product);
  });
  clusters_matrix_->assemble();
  // Motions that were dropped are decoupled.
  const BlockPattern& clusters = clusters_matrix_->pattern();
  for (PetscInt a = clusters.first(); a < clusters.first() + clusters.rows(); ++a) {
    const AggregateMatrix::Block own = clusters_matrix_->diagonal_block(a);
    AggregateMatrix::Block alone{};
    for (std::size_t m = 0; m < size; m += rigid_motions + 1)
      alone[m] = own[m] > 0 ? 0 : 1 / multigrid::overcorrection_of_clusters;
    clusters_matrix_->add(a, a, alone);
  }
  matrix_ = clusters_matrix_->assembled();
  set_near_null_space(matrix_.get(), motions_);
}

bool AggregateCycle::is_definite() const { return petsc::is_known_definite(solver_.get()); }

void AggregateCycle::view(PetscViewer viewer) const { check(KSPView(solver_.get(), viewer)); }

}  // namespace gearshift::solid
