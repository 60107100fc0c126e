/* A program that appears to a library loaded by it to have a PETSc with integers of another size. */
#include <petscts.h>

/* Replaces the function of PETSc's library. */
PetscErrorCode PetscDataTypeGetSize(PetscDataType type, size_t* size) {
  *size = type == PETSC_INT ? 12 - sizeof(PetscInt) : sizeof(PetscScalar);
  return 0;
}

int main(int argc, char** argv) {
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  return PetscFinalize();
}
