#include <gearshift/petsc/views.hpp>
#include <gearshift/solid/node_exchange.hpp>

#include <cstring>

namespace gearshift::solid {

using petsc::check;

namespace {

/// Returns the MPI data type of a node's three numbers, which all sessions of PETSc share. MPI_Finalize() frees it:
/// MPICH reports types that were not freed.
MPI_Datatype node_type() {
  static MPI_Datatype type = MPI_DATATYPE_NULL;
  if (type != MPI_DATATYPE_NULL) return type;
  check(MPI_Type_contiguous(3, MPIU_SCALAR, &type));
  check(MPI_Type_commit(&type));
  int key = MPI_KEYVAL_INVALID;
  const auto free_type = [](MPI_Comm, int, void* kept, void*) {
    return MPI_Type_free(static_cast<MPI_Datatype*>(kept));
  };
  check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_type, &key, nullptr));
  check(MPI_Comm_set_attr(MPI_COMM_SELF, key, &type));
  check(MPI_Comm_free_keyval(&key));
  return type;
}

}  // namespace

NodeExchange::NodeExchange(MPI_Comm comm, PetscInt owned, std::span<const PetscInt> ghosts) : owned_(owned) {
  PetscLayout layout = nullptr;
  check(PetscLayoutCreate(comm, &layout));
  check(PetscLayoutSetLocalSize(layout, owned));
  check(PetscLayoutSetUp(layout));
  check(PetscSFCreate(comm, sf_.out()));
  check(PetscSFSetGraphLayout(sf_.get(), layout, static_cast<PetscInt>(ghosts.size()), nullptr, PETSC_COPY_VALUES,
                              ghosts.data()));
  check(PetscSFSetUp(sf_.get()));
  check(PetscLayoutDestroy(&layout));
}

void NodeExchange::ghosts_begin(const PetscReal* owned, PetscReal* ghosts) const {
  check(PetscSFBcastBegin(sf(), node_type(), owned, ghosts, MPI_REPLACE));
}

void NodeExchange::ghosts_end(const PetscReal* owned, PetscReal* ghosts) const {
  check(PetscSFBcastEnd(sf(), node_type(), owned, ghosts, MPI_REPLACE));
}

void NodeExchange::add_ghosts_begin(const PetscReal* ghosts, PetscReal* owned) const {
  check(PetscSFReduceBegin(sf(), node_type(), ghosts, owned, MPI_SUM));
}

void NodeExchange::add_ghosts_end(const PetscReal* ghosts, PetscReal* owned) const {
  check(PetscSFReduceEnd(sf(), node_type(), ghosts, owned, MPI_SUM));
}

void NodeExchange::global_to_local_begin(Vec global, PetscReal* local) const {
  const petsc::ReadView values(global);
  check(PetscSFBcastBegin(sf(), node_type(), values.span().data(), local + 3 * owned_, MPI_REPLACE));
  if (values.size() > 0) std::memcpy(local, values.span().data(), values.size() * sizeof(PetscReal));
}

void NodeExchange::global_to_local_end(Vec global, PetscReal* local) const {
  const petsc::ReadView values(global);
  check(PetscSFBcastEnd(sf(), node_type(), values.span().data(), local + 3 * owned_, MPI_REPLACE));
}

void NodeExchange::local_to_global_begin(const PetscReal* local, Vec global) const {
  petsc::WriteView values(global);
  if (values.size() > 0) std::memcpy(values.span().data(), local, values.size() * sizeof(PetscReal));
  check(PetscSFReduceBegin(sf(), node_type(), local + 3 * owned_, values.span().data(), MPI_SUM));
}

void NodeExchange::local_to_global_end(const PetscReal* local, Vec global) const {
  petsc::WriteView values(global);
  check(PetscSFReduceEnd(sf(), node_type(), local + 3 * owned_, values.span().data(), MPI_SUM));
}

}  // namespace gearshift::solid
