#pragma once

/* gearshift for C programs: the time integrator "gear" for PETSc's TS.

   Either call GearshiftInitializePackage() after PetscInitialize(), or load the library at run time with
   -dll_append <prefix>/lib/libgearshift.so; then TSSetType(ts, "gear") or -ts_type gear integrates

     F(t, u, u', u'') = 0   of TSSetI2Function() (or of TSSetIFunction() after TS2SetSolution()), with the velocity as
   unknown
     F(t, u, u') = 0        of TSSetIFunction(), or u' = G(t, u) of TSSetRHSFunction()

   by BDF. A program of second order keeps its step and the order given, unless it asks for -ts_gear_adapt step or order,
   or for a TSAdapt; one of first order gets variable step and order at TS's tolerances, unless it names a TSAdapt.
   Options: -ts_gear_order, -ts_gear_adapt, -ts_gear_family, -ts_gear_start, -ts_gear_pc_update, ...; see -help.
   Runs longer than a job: -ts_gear_checkpoint, -ts_gear_restart, -ts_gear_max_wall (examples/cluster/restart.md). */

#include <petscsys.h>

#if defined(__cplusplus)
extern "C" {
#endif

/* Registers the TS type "gear". May be called more than once, and is to be called again after a new PetscInitialize().
   Fails with a message when the PETSc at run time is of another minor version than the one gearshift was built with, or
   has indices of another size. Not collective. */
__attribute__((visibility("default"))) PetscErrorCode GearshiftInitializePackage(void);

/* What -dll_append calls. */
__attribute__((visibility("default"))) PetscErrorCode PetscDLLibraryRegister_gearshift(void);

#if defined(__cplusplus)
}
#endif
