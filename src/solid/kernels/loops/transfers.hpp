#pragma once

/// @file
/// Prolongation and restriction between degrees: nodal values of all cells from one multigrid level to another.

#include "solid/kernels/loops/batch.hpp"
#include "solid/kernels/sweeps/dense_transfer.hpp"
#include "solid/kernels/sweeps/transfer.hpp"

namespace gearshift::solid {
inline namespace GEARSHIFT_KERNELS {

template <class P, int N, int M, class Use>
void transfer_between(Hexahedron<N>, Hexahedron<M>, Use&& use) {
  use.template operator()<Transfer<N, M, P>>();
}
template <class P, int p, int low, class Use>
void transfer_between(Tetrahedron<p>, Tetrahedron<low>, Use&& use) {
  use.template operator()<DenseTransfer<Tetrahedron<p>::nodes, Tetrahedron<low>::nodes, P>>();
}
template <class P, int p, int low, class Use>
void transfer_between(Wedge<p>, Wedge<low>, Use&& use) {
  use.template operator()<DenseTransfer<Wedge<p>::nodes, Wedge<low>::nodes, P>>();
}
template <class P, class Fine, class Coarse, class Use>
void transfer_between(Fine, Coarse, Use&&) {}  // different kinds: never used

/// Calls use.operator()<Transfer>() for the two elements of a transfer.
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
             const long* coarse_at, const typename P::Scalar* coarse, typename P::Scalar* fine) {
  with_transfer<P>(b, m, [&]<class Transfer>() {
    const Transfer transfer(matrix);
    for (int i = range.begin; i < range.end; ++i) {
      clear_output(b, i, fine);
      transfer.prolong(coarse, coarse_nodes + coarse_at[i], fine, b.nodes + b.nodes_at[i]);
    }
  });
}

template <class P>
void restrict_fine(const Batches<typename P::Scalar>& b, Range range, int m, const double* matrix,
                   const int* coarse_nodes, const long* coarse_at, const typename P::Scalar* fine,
                   typename P::Scalar* coarse) {
  with_transfer<P>(b, m, [&]<class Transfer>() {
    const Transfer transfer(matrix);
    for (int i = range.begin; i < range.end; ++i)
      transfer.restrict_fine(fine, b.nodes + b.nodes_at[i], coarse, coarse_nodes + coarse_at[i]);
  });
}

}  // namespace GEARSHIFT_KERNELS
}  // namespace gearshift::solid
