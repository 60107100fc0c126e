/* Registers the TS type before PETSc is initialised, as a program does whose PETSc is not the one of libgearshift. */
#include <gearshift.h>

int main(void) { return GearshiftInitializePackage() == PETSC_ERR_ORDER ? 0 : 1; }
