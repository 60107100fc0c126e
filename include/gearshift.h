#pragma once

/** @file
   gearshift for C programs: the time integrator "gear" for PETSc's TS.

   Either call GearshiftInitializePackage() after PetscInitialize(), or load the library at run time with
   `-dll_append <prefix>/lib/libgearshift.so`; then TSSetType(ts, "gear") or `-ts_type gear` integrates

       F(t, u, u', u'') = 0   of TSSetI2Function(), or of TSSetIFunction() after TS2SetSolution(); unknown: the velocity
       F(t, u, u') = 0        of TSSetIFunction(), or u' = G(t, u) of TSSetRHSFunction()

   by BDF. A second-order program keeps its step size and the given order, unless -ts_gear_adapt step or order, or a
   TSAdapt, is requested. In a first-order program step size and order vary with TS's tolerances, unless the program
   names a TSAdapt.
   Options: -ts_gear_order, -ts_gear_adapt, -ts_gear_family, -ts_gear_start, -ts_gear_pc_update, ...; see -help.
   For runs longer than a batch job: -ts_gear_checkpoint, -ts_gear_restart, -ts_gear_max_wall
   (examples/cluster/restart.md).

   Equations, solution, tolerances, steps and events are set by the functions of TS. The TSGear functions below add
   those that TS lacks: the options of the method, a record of the steps, the velocity between steps, and saving and
   restoring the complete state in memory and in files. They return a PETSc error code (PETSC_ERR_ARG_WRONG if the TS is
   of another type) and are collective unless stated otherwise. */

#include <petscts.h>

#if defined(__cplusplus)
extern "C" {
#endif

/** Registers the TS type "gear". May be called more than once, and must be called again after a new PetscInitialize().
   Fails with a message if PETSc is not initialised, or if the PETSc at run time differs in its minor version or in the
   size of its indices from the PETSc with which gearshift was built. Not collective. */
__attribute__((visibility("default"))) PetscErrorCode GearshiftInitializePackage(void);

/** The function that PETSc calls for -dll_append. */
__attribute__((visibility("default"))) PetscErrorCode PetscDLLibraryRegister_gearshift(void);

/** Sets an option of the method as `-ts_gear_NAME VALUE` does: TSGearSetOption(ts, "adapt", "order"). Must be
   called before TSSetUp(); a later TSSetFromOptions() overrides it by the user's option. If the name is unknown, the
   error message gives the closest valid name. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSetOption(TS ts, const char name[], const char value[]);

/** The kind of formula that made a step. */
typedef enum {
  TSGEAR_BDF = 0,   /**< a multistep formula: BDF, NDF2 or BDF-alpha */
  TSGEAR_SDIRK = 1, /**< the one-step method of order 4, used by a start or by -ts_gear_family */
  TSGEAR_ESDIRK = 2 /**< the one-step method of order 5, used by -ts_gear_family or chosen automatically */
} TSGearMethod;

/** An accepted step. */
typedef struct {
  PetscReal t;       /**< end of the step [time] */
  PetscReal dt;      /**< step size [time] */
  PetscReal error;   /**< weighted local error, accepted if <= 1; 0 if gear does not control the step */
  PetscInt step;     /**< number of the step, from 1 */
  PetscInt order;    /**< order of the formula */
  PetscInt method;   /**< TSGearMethod */
  PetscInt attempts; /**< 1 + the number of attempts that failed (Newton or error test) */
  PetscInt newton;   /**< Newton iterations of all attempts */
  PetscInt krylov;   /**< Krylov iterations of all attempts */
} TSGearStep;

/** Removes the rigid-body motion of a solid from copies of u and v = u', which become the deformation and its rate in
   body-fixed axes. Sets *done to true if something was removed; it must be equal on all ranks. Collective. */
typedef PetscErrorCode (*TSGearTakeOutRigidMotion)(TS ts, Vec u, Vec v, PetscBool* done, void* context);
/** For second-order programs whose bodies fly or spin: measures the errors of steps relative to the deformation that
   remains after `take_out` (NULL: relative to u and v), and to the length of each group of `vector_size` successive
   entries (3: the displacement of a node; 1: single entries). Accuracy then depends neither on the speed of the body
   nor on the axes. Must be called before TSSetUp(). Not collective, but all ranks must pass the same arguments. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSetRigidMotion(TS ts, TSGearTakeOutRigidMotion take_out,
                                                                           PetscInt vector_size, void* context);

/** Turns the record of accepted steps for TSGearGetSteps() on or off (default: off). Not collective, but all ranks must
   pass the same value. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSetRecording(TS ts, PetscBool on);

/** Returns the steps recorded so far, which are equal on all ranks. Steps that were rolled back, or that are later than
   a restored or loaded state, are removed. The array is valid until the next step. Not collective. */
__attribute__((visibility("default"))) PetscErrorCode TSGearGetSteps(TS ts, PetscInt* n, const TSGearStep* steps[]);

/** Computes u and v = u' at a time within the last step, with the order of the method; either vector may be NULL. */
__attribute__((visibility("default"))) PetscErrorCode TSGearInterpolate(TS ts, PetscReal t, Vec u, Vec v);

/** The complete state between two steps: time, step, solution, history, controller. After TSGearSnapshotRestore() the
   run continues with the same digits as the run from which the state was taken: for repeated time windows of a coupled
   problem. Restoring fails if the TS has other options, sizes or events; TSReset() must be called after such a failure.
   Must be destroyed before PetscFinalize(). */
typedef struct _p_TSGearSnapshot* TSGearSnapshot;
/** Creates a snapshot between two steps. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSnapshotCreate(TS ts, TSGearSnapshot* snapshot);
/** Sets the TS back, or forward, to the state of the snapshot. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSnapshotRestore(TS ts, TSGearSnapshot snapshot);
/** Destroys the snapshot and sets the pointer to NULL; destroying NULL is allowed. Involves no communication, but must
   be called on all ranks. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSnapshotDestroy(TSGearSnapshot* snapshot);

/** Writes the complete state to an HDF5 file, as -ts_gear_checkpoint does. An existing file is replaced only by a
   complete one and kept as `PATH.previous`. The file can be read on any number of ranks. */
__attribute__((visibility("default"))) PetscErrorCode TSGearSave(TS ts, const char path[]);
/** Loads the state from such a file. The TS must match it as for TSGearSnapshotRestore(). */
__attribute__((visibility("default"))) PetscErrorCode TSGearLoad(TS ts, const char path[]);

#if defined(__cplusplus)
}
#endif
