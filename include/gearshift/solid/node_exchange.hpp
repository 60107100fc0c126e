#pragma once

/// @file
/// Exchange of nodal values between ranks.

#include <gearshift/export.hpp>
#include <gearshift/petsc/handle.hpp>

#include <petscsf.h>
#include <petscvec.h>

#include <span>

namespace gearshift::solid {

/// Exchange of vectors with three numbers per node between the ranks that own nodes and those where they are ghosts. A
/// local array holds the owned nodes and then the ghosts. Every function but sf() is collective. Other work may be done between
/// `begin` and `end`; only one exchange at a time per array.
class GEARSHIFT_EXPORT NodeExchange {
 public:
  NodeExchange() = default;
  /// @param owned  the number of nodes that this rank owns
  /// @param ghosts the global number of each ghost
  NodeExchange(MPI_Comm comm, PetscInt owned, std::span<const PetscInt> ghosts);

  /// Returns the PetscSF whose roots are the owned nodes and whose leaves, numbered from 0, are the ghosts; its unit is
  /// a node.
  PetscSF sf() const { return sf_.get(); }

  /// Fill a local array from a global Vec: owned entries are copied at once, ghosts are available after end.
  void global_to_local_begin(Vec global, PetscReal* local) const;
  void global_to_local_end(Vec global, PetscReal* local) const;
  /// Compute global = owned part of local + contributions of all ghosts.
  void local_to_global_begin(const PetscReal* local, Vec global) const;
  void local_to_global_end(const PetscReal* local, Vec global) const;
  /// Exchange ghosts only, with the array of a Vec's owned entries: after end, ghosts have the values of their owners,
  /// or have been added to them.
  void ghosts_begin(const PetscReal* owned, PetscReal* ghosts) const;
  void ghosts_end(const PetscReal* owned, PetscReal* ghosts) const;
  void add_ghosts_begin(const PetscReal* ghosts, PetscReal* owned) const;
  void add_ghosts_end(const PetscReal* ghosts, PetscReal* owned) const;

 private:
  PetscInt owned_ = 0;
  petsc::Handle<PetscSF> sf_;
};

}  // namespace gearshift::solid
