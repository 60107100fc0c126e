#include "solid/operator/level_operator.hpp"

namespace gearshift::solid {

template <class T>
LevelOperator<T>::LevelOperator(const Space& space, const Constraints& constraints, const MaterialTable& material,
                                const KernelOptions& options)
    : space_(space),
      constraints_(constraints),
      loop_(space, material, choose_kernels(options.simd), 1),
      points_(loop_.kernels(), loop_.arrays().point_data_size(), options.lean_points) {}

template <class T>
void LevelOperator<T>::update(const T* u, Shifts s, PetscReal rate, const double* base) {
  shifts_ = s;
  Inversion found;
  loop_.template run<1>({u}, {}, Ghosts::exchanged, [&](Batches<T> b, Range range, const auto& in, T*) {
    b.branches.rate = rate;
    b.branches.base = base;
    points_.linearize(b, range, in[0], &found);
  });
}

template <class T>
void LevelOperator<T>::apply(const T* in, T* out) {
  const T* all = constraints_.expand(in, size(), expanded_);
  loop_.template run<1>({all}, out, Ghosts::exchanged, [&](const Batches<T>& b, Range range, const auto& from, T* to) {
    points_.apply(b, range, shifts_.q, shifts_.a, from[0], to);
  });
  for (const NodeCouplings& couplings : couplings_) couplings.add_product(all, out);
  constraints_.fold(out);
  blocks_.add_product(in, out);
}

template <class T>
void LevelOperator<T>::diagonal(T* out) {
  loop_.template run<1>({}, out, Ghosts::exchanged, [&](const Batches<T>& b, Range range, const auto&, T* to) {
    points_.diagonal(b, range, shifts_.q, shifts_.a, to);
  });
  for (const NodeCouplings& couplings : couplings_) couplings.add_diagonal(out);
  constraints_.fold_diagonal(out);
  blocks_.add_diagonal(out);
}

template class LevelOperator<double>;
template class LevelOperator<float>;

}  // namespace gearshift::solid
