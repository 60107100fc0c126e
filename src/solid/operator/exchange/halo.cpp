#include "solid/operator/exchange/halo.hpp"

#include "petsc/versions.hpp"

#include <algorithm>
#include <numeric>

namespace gearshift::solid {

using petsc::check;

namespace {

template <class T>
MPI_Datatype type_of() {
  return sizeof(T) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE;
}

}  // namespace

template <class T>
Halo<T>::Halo(MPI_Comm comm, PetscSF sf) {
  petsc::RankCount count = 0;
  const PetscMPIInt* ranks = nullptr;
  const PetscInt *offsets = nullptr, *nodes = nullptr, *remote = nullptr;
  const auto keep = [&](Side& side) {
    std::vector<petsc::RankCount> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](auto i, auto j) { return ranks[i] < ranks[j]; });
    side.offsets.assign(1, 0);
    for (const auto i : order) {
      side.ranks.push_back(ranks[i]);
      side.nodes.insert(side.nodes.end(), nodes + offsets[i], nodes + offsets[i + 1]);
      side.offsets.push_back(static_cast<PetscInt>(side.nodes.size()));
    }
    side.buffer.resize(3 * side.nodes.size());
  };
  check(PetscSFGetRootRanks(sf, &count, &ranks, &offsets, &nodes, &remote));
  keep(ghosts_);
  check(PetscSFGetLeafRanks(sf, &count, &ranks, &offsets, &nodes));
  keep(owners_);
  requests_.resize(owners_.ranks.size() + ghosts_.ranks.size());
  // A separate tag distinguishes these messages from all others.
  check(PetscCommDuplicate(comm, &comm_, &tag_));
}

template <class T>
Halo<T>::~Halo() {
  PetscBool finalized = PETSC_FALSE;
  (void)!PetscFinalized(&finalized);
  if (!finalized) (void)!PetscCommDestroy(&comm_);
}

template <class T>
void Halo<T>::Side::pack(const T* from) {
  T* to = buffer.data();
  for (const PetscInt node : nodes)
    for (int c = 0; c < 3; ++c) *to++ = from[3 * node + c];
}

template <class T>
void Halo<T>::send(Side& from, Side& to) {
  std::size_t request = 0;
  const auto post = [&](Side& side, auto&& call) {
    for (std::size_t i = 0; i < side.ranks.size(); ++i) {
      const PetscInt begin = side.offsets[i], size = 3 * (side.offsets[i + 1] - begin);
      call(side.buffer.data() + 3 * begin, static_cast<int>(size), side.ranks[i], &requests_[request++]);
    }
  };
  post(to, [&](T* data, int size, int rank, MPI_Request* r) {
    check(MPI_Irecv(data, size, type_of<T>(), rank, tag_, comm_, r));
  });
  post(from, [&](T* data, int size, int rank, MPI_Request* r) {
    check(MPI_Isend(data, size, type_of<T>(), rank, tag_, comm_, r));
  });
}

template <class T>
void Halo<T>::finish() {
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE));
}

template <class T>
void Halo<T>::spread_begin(const T* owned) {
  owners_.pack(owned);
  send(owners_, ghosts_);
}

template <class T>
void Halo<T>::spread_end(T* ghosts) {
  finish();
  const T* from = ghosts_.buffer.data();
  for (const PetscInt node : ghosts_.nodes)
    for (int c = 0; c < 3; ++c) ghosts[3 * node + c] = *from++;
}

template <class T>
void Halo<T>::gather_begin(const T* ghosts) {
  ghosts_.pack(ghosts);
  send(ghosts_, owners_);
}

template <class T>
void Halo<T>::gather_end(T* owned) {
  gather_end([owned](PetscInt node, const std::array<T, 3>& value) {
    for (std::size_t c = 0; c < 3; ++c) owned[3 * static_cast<std::size_t>(node) + c] += value[c];
  });
}

template class Halo<double>;
template class Halo<float>;

}  // namespace gearshift::solid
