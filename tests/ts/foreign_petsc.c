/* A program whose PETSc has integers of another size, as far as a library can see that it loads. */
#include <petscts.h>

/* Found before the one in PETSc's library. */
PetscErrorCode PetscDataTypeGetSize(PetscDataType type, size_t* size) {
  *size = type == PETSC_INT ? 12 - sizeof(PetscInt) : sizeof(PetscScalar);
  return 0;
}

int main(int argc, char** argv) {
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  return PetscFinalize();
}
