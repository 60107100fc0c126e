#include "solid/multigrid/single_transfer.hpp"

#include <algorithm>

namespace gearshift::solid {
namespace {

/// 1/k for the entries of owned nodes shared by k cells of the rank.
std::vector<float> shares(const Space& space) {
  std::vector<float> share(3 * static_cast<std::size_t>(space.owned_nodes()));
  for (PetscInt cell = 0; cell < space.cells(); ++cell)
    for (const PetscInt node : space.cell_nodes(cell))
      if (node < space.owned_nodes())
        for (int c = 0; c < 3; ++c) share[static_cast<std::size_t>(3 * node + c)] += 1;
  for (float& k : share) k = 1 / k;
  return share;
}

}  // namespace

SingleTransfer::SingleTransfer(LevelOperator<float>& fine, const Space& coarse, const Supports& held)
    : fine_(fine),
      coarse_(coarse),
      held_(held),
      halo_(coarse),
      fine_share_(shares(fine.space())),
      coarse_share_(shares(coarse)),
      work_(fine.size()) {
  for (const PetscInt entry : fine.supports().entries()) fine_share_[static_cast<std::size_t>(entry)] = 0;
  fill_matrices(coarse.element(), fine.space().element());
  const auto& arrays = fine.loop().arrays();
  const auto lanes = static_cast<std::size_t>(arrays.lanes()),
             points = static_cast<std::size_t>(coarse.nodes_per_cell());
  coarse_nodes_.resize(static_cast<std::size_t>(arrays.view().count) * points * lanes);
  for (int b = 0; b < arrays.view().count; ++b)
    for (std::size_t l = 0; l < lanes; ++l) {
      const bool used = static_cast<int>(l) < arrays.used(b);
      const auto nodes = coarse.cell_nodes(arrays.cell(b, static_cast<int>(l)));
      for (std::size_t i = 0; i < points; ++i)
        coarse_nodes_[(static_cast<std::size_t>(b) * points + i) * lanes + l] =
            3 * static_cast<int>(used ? nodes[i] : coarse.local_nodes());
    }
}

void SingleTransfer::fill_matrices(const Element& coarse, const Element& fine) {
  const bool simplex = coarse.kind() == CellKind::tetrahedron;
  const std::size_t n = simplex ? fine.nodes().size() : fine.line().nodes.size(),
                    m = simplex ? coarse.nodes().size() : coarse.line().nodes.size();
  const auto evaluate = [&](const Element& from, const Element& to, std::size_t i, std::span<double> values) {
    simplex ? from.values(to.nodes()[i], values) : lagrange(from.line().nodes, to.line().nodes[i], values);
  };
  interpolation_.resize(n * m);
  evaluation_.resize(n * m);
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) evaluate(coarse, fine, i, std::span(interpolation_).subspan(i * m, m));
  for (std::size_t j = 0; j < m; ++j) {
    evaluate(fine, coarse, j, values);
    for (std::size_t i = 0; i < n; ++i) evaluation_[i * m + j] = values[i];
  }
}

void SingleTransfer::prolong(float* coarse, float* fine) {
  hold(coarse);
  float* const ghosts = coarse + 3 * coarse_.owned_nodes();
  halo_.spread_begin(coarse);
  halo_.spread_end(ghosts);
  std::fill(coarse + 3 * coarse_.local_nodes(), coarse + coarse_size(), 0.0F);
  fine_.loop().run<1>({}, work_.data(), Ghosts::left_out,
                      [&](const Batches<float>& b, Range range, const auto&, float* to) {
                        fine_.kernels().in_float.transfer.prolong(b, range, coarse_.basis().n, interpolation_.data(),
                                                                  coarse_nodes_.data(), coarse, to);
                      });
  for (std::size_t i = 0; i < work_.size(); ++i) fine[i] += fine_share_[i] * work_[i];
}

void SingleTransfer::restrict_residual(const float* b, const float* product, float* coarse) {
  for (std::size_t i = 0; i < work_.size(); ++i) work_[i] = fine_share_[i] * (b[i] - product[i]);
  std::fill(coarse, coarse + coarse_size(), 0.0F);
  fine_.loop().run<1>(
      {work_.data()}, {}, Ghosts::left_out, [&](const Batches<float>& batches, Range range, const auto& from, float*) {
        fine_.kernels().in_float.transfer.restrict_fine(batches, range, coarse_.basis().n, interpolation_.data(),
                                                        coarse_nodes_.data(), from[0], coarse);
      });
  halo_.gather_begin(coarse + 3 * coarse_.owned_nodes());
  halo_.gather_end(coarse);
  hold(coarse);
}

void SingleTransfer::evaluate(const float* fine, float* coarse) {
  std::fill(coarse, coarse + coarse_size(), 0.0F);
  fine_.loop().run<1>(
      {fine}, {}, Ghosts::exchanged, [&](const Batches<float>& batches, Range range, const auto& from, float*) {
        fine_.kernels().in_float.transfer.restrict_fine(batches, range, coarse_.basis().n, evaluation_.data(),
                                                        coarse_nodes_.data(), from[0], coarse);
      });
  for (std::size_t i = 0; i < coarse_share_.size(); ++i) coarse[i] *= coarse_share_[i];
}

}  // namespace gearshift::solid
