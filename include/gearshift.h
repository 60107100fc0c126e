#pragma once

/** @file
   gearshift for C programs: the time integrator "gear" for PETSc's TS.

   Either call GearshiftInitializePackage() after PetscInitialize(), or load the library at run time with
   `-dll_append <prefix>/lib/libgearshift.so`; then TSSetType(ts, "gear") or `-ts_type gear` integrates

       F(t, u, u', u'') = 0   of TSSetI2Function(), or of TSSetIFunction() after TS2SetSolution(); unknown: the velocity
       F(t, u, u') = 0        of TSSetIFunction(), or u' = G(t, u) of TSSetRHSFunction()

   by BDF. A program of second order keeps its step and the order given, unless it asks for -ts_gear_adapt step or
   order, or for a TSAdapt; one of first order gets variable step and order at TS's tolerances, unless it names a
   TSAdapt.
   Options: -ts_gear_order, -ts_gear_adapt, -ts_gear_family, -ts_gear_start, -ts_gear_pc_update, ...; see -help.
   Runs longer than a job: -ts_gear_checkpoint, -ts_gear_restart, -ts_gear_max_wall (examples/cluster/restart.md).

   Equations, solution, tolerances, steps and events are TS's own. The TSGear functions below give what it has no
   function for: the method's options, a record of the steps, the velocity between steps, and the whole state kept,
   taken back, written and read. They return a PETSc error code, of PETSC_ERR_ARG_WRONG where the TS is of another type,
   and are collective unless they say otherwise. */

#include <petscts.h>

#if defined(__cplusplus)
extern "C" {
#endif

/** Registers the TS type "gear". May be called more than once, and is to be called again after a new PetscInitialize().
   Fails with a message when PETSc is not initialised, and when the PETSc at run time is of another minor version than the
   one gearshift was built with, or has indices of another size. Not collective. */
__attribute__((visibility("default"))) PetscErrorCode GearshiftInitializePackage(void);

/** What -dll_append calls. */
__attribute__((visibility("default"))) PetscErrorCode PetscDLLibraryRegister_gearshift(void);

/** Sets an option of the method as `-ts_gear_NAME VALUE` does: TSGearSetOption(ts, "adapt", "order"). Before TSSetUp();
   a later TSSetFromOptions() overrides it by what the user gives. An unknown name fails with the nearest one. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSetOption(TS ts, const char name[], const char value[]);

/** Which kind of formula took a step. */
typedef enum {
  TSGEAR_BDF = 0,   /**< a multistep formula: BDF, NDF2 or BDF-alpha */
  TSGEAR_SDIRK = 1, /**< the one-step method of order 4, in a start or by family */
  TSGEAR_ESDIRK = 2 /**< the one-step method of order 5, by family or by choice */
} TSGearMethod;

/** An accepted step. */
typedef struct {
  PetscReal t;       /**< its end [time] */
  PetscReal dt;      /**< its size [time] */
  PetscReal error;   /**< weighted local error, accepted at <= 1; 0 where the step is not controlled by gear */
  PetscInt step;     /**< its number, from 1 */
  PetscInt order;    /**< of the formula */
  PetscInt method;   /**< TSGearMethod */
  PetscInt attempts; /**< 1, and one for each that failed Newton's or the error test */
  PetscInt newton;   /**< iterations, of all attempts */
  PetscInt krylov;   /**< iterations, of all attempts */
} TSGearStep;

/** Takes the rigid motion of a solid out of copies of u and v = u', which become the deformation and its rate in the
   body's own axes; *done says whether anything was taken out, the same on all ranks. Collective. */
typedef PetscErrorCode (*TSGearTakeOutRigidMotion)(TS ts, Vec u, Vec v, PetscBool* done, void* context);
/** For second-order programs whose bodies fly or spin: errors of steps are measured relative to the deformation that
   `take_out` leaves (NULL: to u and v), and to the length of each `vector_size` entries in a row (3: the displacement of a
   node; 1: each entry alone), so that accuracy depends neither on the speed of the body nor on the axes. Before TSSetUp().
   Not collective, but the same on all ranks. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSetRigidMotion(TS ts, TSGearTakeOutRigidMotion take_out,
                                                                           PetscInt vector_size, void* context);

/** Whether accepted steps are kept for TSGearGetSteps(); off at first. Not collective, but the same on all ranks. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSetRecording(TS ts, PetscBool on);

/** The steps kept so far, the same on all ranks. A step that is rolled back, or that lies behind a state that was
   restored or loaded, is taken out. Valid until the next step. Not collective. */
__attribute__((visibility("default"))) PetscErrorCode TSGearGetSteps(TS ts, PetscInt* n, const TSGearStep* steps[]);

/** u and v = u' at a time of the last step, of the order of the method; either may be NULL. */
__attribute__((visibility("default"))) PetscErrorCode TSGearInterpolate(TS ts, PetscReal t, Vec u, Vec v);

/** The whole state between two steps: time, step, solution, history, controller. After TSGearSnapshotRestore() every
   later digit is that of the run the state was taken from: for windows of a coupled problem that are repeated. Restoring
   fails where the TS has other options, sizes or
   events; TSReset() must follow then. Destroyed before PetscFinalize(). */
typedef struct _p_TSGearSnapshot* TSGearSnapshot;
/** Takes one between two steps. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSnapshotCreate(TS ts, TSGearSnapshot* snapshot);
/** Goes back, or forward, to it. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSnapshotRestore(TS ts, TSGearSnapshot snapshot);
/** Sets it to NULL, which may be destroyed again. Not collective in itself, but to be called on all ranks. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSnapshotDestroy(TSGearSnapshot* snapshot);

/** Writes the whole state into an HDF5 file, as -ts_gear_checkpoint does: completely or not at all; the file before is
   kept as `PATH.previous`. To be read on any number of ranks. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSave(TS ts, const char path[]);
/** Goes on from such a file; TSGearSnapshotRestore() tells what must fit. */
__attribute__((visibility("default"))) PetscErrorCode TSGearLoad(TS ts, const char path[]);

#if defined(__cplusplus)
}
#endif
