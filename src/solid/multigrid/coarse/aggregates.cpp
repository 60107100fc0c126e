#include "solid/multigrid/coarse/aggregates.hpp"

#include "petsc/queries.hpp"
#include "solid/element/vectors.hpp"

#include <algorithm>
#include <cmath>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Returns the mean number of aggregates that are coupled with an aggregate. Collective.
double mean_neighbours(const AggregateMatrix& matrix, PetscInt aggregates) {
  const BlockPattern& pattern = matrix.pattern();
  PetscInt neighbours = 0;
  pattern.visit([&](std::size_t, PetscInt row, PetscInt column) {
    if (row != column) neighbours += pattern.own(column) ? 2 : 1;
  });
  return static_cast<double>(petsc::reduced(matrix.comm(), MPI_SUM, neighbours)) / static_cast<double>(aggregates);
}

}  // namespace

Aggregates::Aggregates(const Space& space, const Constraints& constraints, const MaterialTable& material, bool apart,
                       SoftBulk soft, const Kernels& kernels)
    : space_(space), kernels_(kernels), soft_(std::move(soft)), apart_(apart) {
  const StiffInclusions parts(space, material);
  contrast_ = parts.contrast();
  bases_ = std::make_unique<AggregateBases>(space, constraints, parts, apart);
  const AggregateNumbers& numbers = bases_->numbers();
  couplings_ = AggregateCouplings(space, parts, material, numbers.of_node,
                                  {numbers.first, numbers.first + bases_->nodes().count()});
  create_matrix();
  thin_ = apart_ || mean_neighbours(*matrix_, aggregates()) <= 10;
}

void Aggregates::create_matrix() {
  auto pairs = coupled_aggregates(space_, bases_->numbers().of_node);
  pairs.insert(pairs.end(), coupled_.begin(), coupled_.end());
  matrix_ = std::make_unique<AggregateMatrix>(space_.comm(), bases_->nodes().count(), pairs, kernels_);
}

template <class T>
bool Aggregates::update(const Tangent& tangent, Shifts s, const NodeBlocks& blocks,
                        std::span<const NodeCouplings> couplings, std::span<const T> u) {
  const bool renewed = make_places(couplings);
  std::vector<Vec3> positions(space_.coordinates().begin(), space_.coordinates().begin() + space_.owned_nodes());
  for (std::size_t node = 0; node < positions.size(); ++node)
    for (std::size_t c = 0; c < 3; ++c) positions[node][c] += static_cast<double>(u[3 * node + c]);
  bases_->update(positions);
  matrix_->clear();
  soft_.update(tangent.displacement(), tangent.history());
  bases_->complete(true);
  add_cells(tangent, s);
  bases_->complete(false);
  add_node_blocks(blocks);
  for (const NodeCouplings& each : couplings) add_couplings(each);
  matrix_->assemble();
  scale_matrix();
  decouple_dropped();
  motions_ = bases_->motions(positions);
  return renewed;
}

/// Scales the matrix: PETSc treats pivots below 2e-14 as zero, in any units.
void Aggregates::scale_matrix() {
  double stiffest = 0;
  const BlockPattern& pattern = matrix_->pattern();
  for (PetscInt aggregate = pattern.first(); aggregate < pattern.first() + pattern.rows(); ++aggregate) {
    const Block own = matrix_->diagonal_block(aggregate);
    for (std::size_t m = 0; m < modes; ++m) stiffest = std::max(stiffest, std::abs(own[(modes + 1) * m]));
  }
  stiffest = petsc::reduced(space_.comm(), MPI_MAX, stiffest);
  int exponent = 0;
  if (stiffest > 0 && std::isfinite(stiffest)) (void)std::frexp(stiffest, &exponent);
  scale_ = std::ldexp(1.0, -exponent);
  matrix_->scale(scale_);
}

void Aggregates::decouple_dropped() {
  for (std::size_t a = 0; a < static_cast<std::size_t>(bases_->nodes().count()); ++a) {
    const PetscInt aggregate = bases_->numbers().first + static_cast<PetscInt>(a);
    const Block own = matrix_->diagonal_block(aggregate);
    Block on_diagonal{};
    double stiff = 0;
    for (std::size_t m = 0; m < modes; ++m) stiff = std::max(stiff, own[(modes + 1) * m]);
    for (std::size_t m = 0; m < modes; ++m)
      if (bases_->dropped(a, m)) on_diagonal[(modes + 1) * m] = stiff > 0 ? stiff : 1;
    matrix_->add(aggregate, aggregate, on_diagonal);
  }
}

void Aggregates::add_node_blocks(const NodeBlocks& blocks) {
  for (std::size_t i = 0; i < blocks.count(); ++i) {
    const auto node = static_cast<std::size_t>(blocks.node(i));
    const auto B = whole(blocks.block(i));
    const float* Q = bases_->of(node);
    Block to{};
    for (std::size_t c = 0; c < 3; ++c)
      for (std::size_t d = 0; d < 3; ++d)
        for (std::size_t l = 0; l < modes; ++l)
          for (std::size_t m = 0; m < modes; ++m)
            to[modes * l + m] +=
                static_cast<double>(Q[modes * c + l]) * B[3 * c + d] * static_cast<double>(Q[modes * d + m]);
    const PetscInt aggregate = bases_->numbers().of_node[node];
    matrix_->add(aggregate, aggregate, to);
  }
}

template bool Aggregates::update(const Tangent&, Shifts, const NodeBlocks&, std::span<const NodeCouplings>,
                                 std::span<const float>);
template bool Aggregates::update(const Tangent&, Shifts, const NodeBlocks&, std::span<const NodeCouplings>,
                                 std::span<const double>);
}  // namespace gearshift::solid
