#include "petsc/ranks/own_comm.hpp"

#include <petscsys.h>

#include <memory>

namespace gearshift::petsc {
namespace {

int free_duplicate(MPI_Comm, int, void* attribute, void*) {
  const std::unique_ptr<MPI_Comm> duplicate(static_cast<MPI_Comm*>(attribute));
  return duplicate ? MPI_Comm_free(duplicate.get()) : MPI_SUCCESS;
}

/// Returns the process-wide attribute key: repeated initializations of PETSc within one MPI session share it.
int key() {
  static const int made = [] {
    int keyval = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, free_duplicate, &keyval, nullptr);
    return keyval;
  }();
  return made;
}

}  // namespace

MPI_Comm own_comm(MPI_Comm comm) {
  void* attribute = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, key(), &attribute, &found);
  if (found) return attribute ? *static_cast<MPI_Comm*>(attribute) : comm;
  auto duplicate = std::make_unique<MPI_Comm>(MPI_COMM_NULL);
  check(static_cast<PetscErrorCode>(MPI_Comm_dup(comm, duplicate.get()) == MPI_SUCCESS ? 0 : PETSC_ERR_MPI));
  MPI_Comm_set_attr(*duplicate, key(), nullptr);  // marks it as such a communicator itself
  const MPI_Comm made = *duplicate;
  MPI_Comm_set_attr(comm, key(), duplicate.release());
  return made;
}

}  // namespace gearshift::petsc
