#pragma once

/// @file
/// The exchange of ghosts in single precision, which PetscSF does not add up where PetscReal is double.

#include <gearshift/solid/space.hpp>

#include <vector>

namespace gearshift::solid {

/// Three numbers a node between owners and the ranks that hold ghosts of them, along Space::exchange(). One exchange at
/// a time. Contributions are added in the order of the ranks' numbers, so that sums do not depend on who is faster.
class SingleExchange {
 public:
  /// Collective.
  explicit SingleExchange(const Space& space);
  ~SingleExchange();
  SingleExchange(const SingleExchange&) = delete;
  SingleExchange& operator=(const SingleExchange&) = delete;

  /// ghosts (3 x ghost_nodes()) = the owners' values; other work may go on between the two. Collective.
  void spread_begin(const float* owned);
  void spread_end(float* ghosts);
  /// owned += all ghosts' values; likewise.
  void gather_begin(const float* ghosts);
  void gather_end(float* owned);

 private:
  struct Side {
    std::vector<int> ranks;
    std::vector<PetscInt> offsets, nodes;  // of the rank i: nodes[offsets[i]] to nodes[offsets[i + 1]]
    std::vector<float> buffer;
    void pack(const float* from);
  };
  void send(Side& from, Side& to);

  MPI_Comm comm_ = MPI_COMM_NULL;
  int tag_ = 0;
  Side owners_, ghosts_;
  std::vector<MPI_Request> requests_;
};

}  // namespace gearshift::solid
