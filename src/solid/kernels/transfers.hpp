#pragma once

/// @file
/// Between degrees: nodal values of all cells from one level of multigrid to another.

#include "solid/kernels/batch.hpp"
#include "solid/kernels/simplex_transfer.hpp"
#include "solid/kernels/transfer.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class P, int N, int M, class Use>
void transfer_between(Hexahedron<N>, Hexahedron<M>, Use&& use) {
  use.template operator()<Transfer<N, M, P>, N * N * N, M * M * M>();
}
template <class P, int p, int low, class Use>
void transfer_between(Tetrahedron<p>, Tetrahedron<low>, Use&& use) {
  constexpr int nodes = Tetrahedron<p>::nodes, lower = Tetrahedron<low>::nodes;
  use.template operator()<SimplexTransfer<nodes, lower, P>, nodes, lower>();
}
template <class P, class Fine, class Coarse, class Use>
void transfer_between(Fine, Coarse, Use&&) {}  // of different kinds: never met

/// Calls use.operator()<Transfer, nodes, lower nodes>() for the two elements of a transfer.
template <class P, class Use>
void with_transfer(const Batches<typename P::Scalar>& b, int m, Use&& use) {
  auto lower = b;
  lower.n = m;
  with_element(b, [&]<class Fine>() {
    with_element(lower, [&]<class Coarse>() {
      if constexpr (Coarse::nodes < Fine::nodes) transfer_between<P>(Fine{}, Coarse{}, use);
    });
  });
}

template <class P>
void prolong(const Batches<typename P::Scalar>& b, Range range, int m, const double* matrix, const int* coarse_nodes,
             const typename P::Scalar* coarse, typename P::Scalar* fine) {
  with_transfer<P>(b, m, [&]<class Transfer, int nodes, int lower>() {
    const Transfer transfer(matrix);
    for (int i = range.begin; i < range.end; ++i) {
      clear_fresh(b, i, fine);
      transfer.prolong(coarse, coarse_nodes + static_cast<long>(i) * (lower * P::width), fine,
                       b.nodes + static_cast<long>(i) * (nodes * P::width));
    }
  });
}

template <class P>
void restrict_fine(const Batches<typename P::Scalar>& b, Range range, int m, const double* matrix,
                   const int* coarse_nodes, const typename P::Scalar* fine, typename P::Scalar* coarse) {
  with_transfer<P>(b, m, [&]<class Transfer, int nodes, int lower>() {
    const Transfer transfer(matrix);
    for (int i = range.begin; i < range.end; ++i)
      transfer.restrict_fine(fine, b.nodes + static_cast<long>(i) * (nodes * P::width), coarse,
                             coarse_nodes + static_cast<long>(i) * (lower * P::width));
  });
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
