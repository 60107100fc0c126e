#pragma once

/// @file
/// The exchange of nodal values between ranks.

#include <gearshift/solid/space.hpp>

#include <vector>

namespace gearshift::solid {

/// Three numbers a node between owners and the ranks that hold ghosts of them, along Space::node_sf(), which does not
/// add up floats where PetscReal is double. One exchange at a time. Contributions are added in the order of the ranks'
/// numbers, so that sums do not depend on who is faster.
template <class T>
class Halo {
 public:
  /// Collective.
  explicit Halo(const Space& space);
  ~Halo();
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  /// ghosts (3 x ghost_nodes()) = the owners' values; other work may go on between the two. Collective.
  void spread_begin(const T* owned);
  void spread_end(T* ghosts);
  /// owned += all ghosts' values; likewise.
  void gather_begin(const T* ghosts);
  void gather_end(T* owned);

 private:
  struct Side {
    std::vector<int> ranks;
    std::vector<PetscInt> offsets, nodes;  // of the rank i: nodes[offsets[i]] to nodes[offsets[i + 1]]
    std::vector<T> buffer;
    void pack(const T* from);
  };
  void send(Side& from, Side& to);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0;
  Side owners_, ghosts_;
  std::vector<MPI_Request> requests_;
};

extern template class Halo<double>;
extern template class Halo<float>;

}  // namespace gearshift::solid
