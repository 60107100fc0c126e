#pragma once

/* gearshift for C programs: the time integrator "gear" for PETSc's TS.

   Either call GearshiftInitializePackage() after PetscInitialize(), or load the library at run time with
   -dll_append <prefix>/lib/libgearshift.so; then TSSetType(ts, "gear") or -ts_type gear integrates

     F(t, u, u', u'') = 0   of TSSetI2Function() (or of TSSetIFunction() after TS2SetSolution()), with the velocity as
   unknown F(t, u, u') = 0        of TSSetIFunction(), or u' = G(t, u) of TSSetRHSFunction()

   by BDF of fixed order. Options: -ts_gear_order, -ts_gear_start, -ts_gear_newton_*; see -help. */

#include <petscsys.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* Registers the TS type "gear". May be called more than once. Fails with a message when the PETSc at run time is of
   another minor version than the one gearshift was built with. Not collective. */
__attribute__((visibility("default"))) PetscErrorCode GearshiftInitializePackage(void);

/* What -dll_append calls. */
__attribute__((visibility("default"))) PetscErrorCode PetscDLLibraryRegister_gearshift(void);

#if defined(__cplusplus)
}
#endif
