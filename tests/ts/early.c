/* Registers the TS type before PETSc is initialised, like a program that uses another PETSc than libgearshift. */
#include <gearshift.h>

int main(void) { return GearshiftInitializePackage() == PETSC_ERR_ORDER ? 0 : 1; }
