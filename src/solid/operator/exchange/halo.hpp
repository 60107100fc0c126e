#pragma once

/// @file
/// The exchange of nodal values between ranks.

#include <gearshift/solid/space.hpp>

#include <array>
#include <vector>

namespace gearshift::solid {

/// The exchange of three numbers per node between owners and the ranks that hold ghosts of their nodes, along a PetscSF
/// like Space::node_sf(), which cannot add floats if PetscReal is double. Only one exchange can be in progress at a time.
/// Contributions are added in the order of the ranks' numbers, so that sums do not depend on the order of arrival.
template <class T>
class Halo {
 public:
  /// Collective.
  explicit Halo(const Space& space) : Halo(space.comm(), space.node_sf()) {}
  Halo(MPI_Comm comm, PetscSF sf);
  ~Halo();
  Halo& operator=(Halo&&) = delete;

  /// Computes ghosts (3 x ghost_nodes()) = the owners' values; other work may be done between the two calls.
  /// Collective.
  void spread_begin(const T* owned);
  void spread_end(T* ghosts);
  /// Computes owned += all ghosts' values; other work may be done between the two calls. Collective.
  void gather_begin(const T* ghosts);
  void gather_end(T* owned);
  /// Calls add(owned node, value) for the ghosts' values instead.
  template <class Add>
  void gather_end(Add&& add) {
    finish();
    const T* from = owners_.buffer.data();
    for (const PetscInt node : owners_.nodes) {
      add(node, std::array<T, 3>{from[0], from[1], from[2]});
      from += 3;
    }
  }

 private:
  struct Side {
    std::vector<int> ranks;
    std::vector<PetscInt> offsets, nodes;  // nodes of rank i: nodes[offsets[i]] to nodes[offsets[i + 1]]
    std::vector<T> buffer;
    void pack(const T* from);
  };
  void send(Side& from, Side& to);
  void finish();

  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0;
  Side owners_, ghosts_;
  std::vector<MPI_Request> requests_;
};

extern template class Halo<double>;
extern template class Halo<float>;

}  // namespace gearshift::solid
