#include "solid/multigrid/prolongation.hpp"

#include <algorithm>

namespace gearshift::solid {
namespace {

/// Returns 1/k for the entries of owned nodes shared by k cells of the rank.
template <class T>
std::vector<T> shares(const Space& space) {
  std::vector<T> share(3 * static_cast<std::size_t>(space.owned_nodes()));
  for (PetscInt cell = 0; cell < space.cells(); ++cell)
    for (const PetscInt node : space.cell_nodes(cell))
      if (node < space.owned_nodes())
        for (int c = 0; c < 3; ++c) share[static_cast<std::size_t>(3 * node + c)] += 1;
  for (T& k : share) k = 1 / k;
  return share;
}

}  // namespace

template <class T>
Prolongation<T>::Prolongation(CellLoop<T>& cells, const LevelSpace& fine, const LevelSpace& coarse)
    : cells_(cells),
      coarse_(coarse.space()),
      constraints_(coarse.constraints()),
      halo_(coarse_),
      fine_share_(shares<T>(fine.space())),
      coarse_share_(shares<T>(coarse_)),
      work_(cells.size()) {
  fine.constraints().clear(fine_share_.data());
  for (std::size_t block = 0; block < coarse_.blocks().size(); ++block)
    matrices_.emplace_back(coarse_.blocks()[block].element, fine.space().blocks()[block].element);
  const auto& arrays = cells.arrays();
  const auto lanes = static_cast<std::size_t>(arrays.lanes());
  std::size_t size = 0;
  for (int b = 0; b < arrays.count(); ++b) {
    coarse_at_.push_back(static_cast<long>(size));
    size += coarse_.cell_nodes(arrays.cell(b, 0)).size() * lanes;
  }
  coarse_nodes_.resize(size);
  for (int b = 0; b < arrays.count(); ++b)
    for (std::size_t l = 0; l < lanes; ++l) {
      const bool used = static_cast<int>(l) < arrays.used(b);
      const auto nodes = coarse_.cell_nodes(arrays.cell(b, static_cast<int>(l)));
      for (std::size_t i = 0; i < nodes.size(); ++i)
        coarse_nodes_[static_cast<std::size_t>(coarse_at_[static_cast<std::size_t>(b)]) + i * lanes + l] =
            3 * static_cast<int>(used ? nodes[i] : coarse_.local_nodes());
    }
}

template <class T>
Prolongation<T>::Matrices::Matrices(const Element& coarse, const Element& fine) {
  const bool tensor = coarse.kind() == CellKind::hexahedron;
  const std::size_t n = tensor ? fine.line().nodes.size() : fine.nodes().size(),
                    m = tensor ? coarse.line().nodes.size() : coarse.nodes().size();
  const auto evaluate = [&](const Element& from, const Element& to, std::size_t i, std::span<double> values) {
    tensor ? lagrange(from.line().nodes, to.line().nodes[i], values) : from.values(to.nodes()[i], values);
  };
  interpolation.resize(n * m);
  evaluation.resize(n * m);
  std::vector<double> values(n);
  for (std::size_t i = 0; i < n; ++i) evaluate(coarse, fine, i, std::span(interpolation).subspan(i * m, m));
  for (std::size_t j = 0; j < m; ++j) {
    evaluate(fine, coarse, j, values);
    for (std::size_t i = 0; i < n; ++i) evaluation[i * m + j] = values[i];
  }
}

template <class T>
const typename Prolongation<T>::Matrices& Prolongation<T>::matrices(Range range) const {
  return matrices_[coarse_.block_of(cells_.arrays().cell(range.begin, 0))];
}

template <class T>
void Prolongation<T>::prolong(T* coarse, T* fine) {
  constraints_.apply(coarse);
  T* const ghosts = coarse + 3 * coarse_.owned_nodes();
  halo_.spread_begin(coarse);
  halo_.spread_end(ghosts);
  std::fill(coarse + 3 * coarse_.local_nodes(), coarse + coarse_size(), T(0));
  cells_.template run<1>({}, work_.data(), Ghosts::left_out, [&](const Batches<T>& b, Range range, const auto&, T* to) {
    kernels().prolong(b, range, coarse_.basis().n, matrices(range).interpolation.data(), coarse_nodes_.data(),
                      coarse_at_.data(), coarse, to);
  });
  for (std::size_t i = 0; i < work_.size(); ++i) fine[i] += fine_share_[i] * work_[i];
}

template <class T>
void Prolongation<T>::restrict_fine(const T* fine, T* coarse) {
  for (std::size_t i = 0; i < work_.size(); ++i) work_[i] = fine_share_[i] * fine[i];
  restrict_work(coarse);
}

template <class T>
void Prolongation<T>::restrict_residual(const T* b, const T* product, T* coarse) {
  for (std::size_t i = 0; i < work_.size(); ++i) work_[i] = fine_share_[i] * (b[i] - product[i]);
  restrict_work(coarse);
}

template <class T>
void Prolongation<T>::restrict_work(T* coarse) {
  std::fill(coarse, coarse + coarse_size(), T(0));
  cells_.template run<1>({work_.data()}, {}, Ghosts::left_out,
                         [&](const Batches<T>& b, Range range, const auto& from, T*) {
                           kernels().restrict_fine(b, range, coarse_.basis().n, matrices(range).interpolation.data(),
                                                   coarse_nodes_.data(), coarse_at_.data(), from.front(), coarse);
                         });
  halo_.gather_begin(coarse + 3 * coarse_.owned_nodes());
  halo_.gather_end(coarse);
  constraints_.apply_transposed(coarse);
}

template <class T>
void Prolongation<T>::evaluate(const T* fine, T* coarse) {
  std::fill(coarse, coarse + coarse_size(), T(0));
  cells_.template run<1>({fine}, {}, Ghosts::exchanged, [&](const Batches<T>& b, Range range, const auto& from, T*) {
    kernels().restrict_fine(b, range, coarse_.basis().n, matrices(range).evaluation.data(), coarse_nodes_.data(),
                            coarse_at_.data(), from.front(), coarse);
  });
  for (std::size_t i = 0; i < coarse_share_.size(); ++i) coarse[i] *= coarse_share_[i];
}

template class Prolongation<double>;
template class Prolongation<float>;

}  // namespace gearshift::solid
