#include <petsc/finclude/petscts.h>
#ifdef PETSC_DECLARES_I2
#define PETSCTS petscts, PetscTSSetI2Function => TSSetI2Function, PetscTSSetI2Jacobian => TSSetI2Jacobian
#else
#define PETSCTS petscts
#endif

!> The additions of gearshift to PETSc's module petscts.
module gearshift_ts
  use, intrinsic :: iso_c_binding
  use PETSCTS
  implicit none
  private
  public :: GearshiftInitializePackage, TSSetI2Function, TSSetI2Jacobian, I2Function, I2Jacobian
  public :: TSGearSetOption, TSGearInterpolate, TSGearSave, TSGearLoad
  public :: TSGearStep, TSGearSetRecording, TSGearGetSteps, TSGEAR_BDF, TSGEAR_SDIRK, TSGEAR_ESDIRK
  public :: TSGearSnapshot, TSGearSnapshotCreate, TSGearSnapshotRestore, TSGearSnapshotDestroy

  !> Kinds of formula of a step, as in TSGearStep%method.
  PetscInt, parameter :: TSGEAR_BDF = 0, TSGEAR_SDIRK = 1, TSGEAR_ESDIRK = 2

  !> An accepted step.
  type, bind(C) :: TSGearStep
    PetscReal :: t        !< end of the step [time]
    PetscReal :: dt       !< size of the step [time]
    PetscReal :: error    !< weighted local error, accepted at <= 1; 0 if gear does not control the step
    PetscInt :: step      !< number of the step, from 1
    PetscInt :: order     !< order of the formula
    PetscInt :: method
    PetscInt :: attempts  !< 1, plus one for each attempt that failed in Newton or in the error test
    PetscInt :: newton    !< iterations in all attempts
    PetscInt :: krylov    !< iterations in all attempts
  end type

  !> The complete state of a run in memory.
  type :: TSGearSnapshot
    private
    type(c_ptr) :: data = c_null_ptr
  end type

  abstract interface
    !> Computes f = F(t, u, v, a).
    subroutine I2Function(solver, t, u, v, a, f, ierr)
      import
      type(tTS) :: solver
      PetscReal :: t
      type(tVec) :: u, v, a, f
      PetscErrorCode :: ierr
    end subroutine
    !> Computes P = F_u + shift_v F_v + shift_a F_a and assembles it; also J, if it is a different matrix.
    subroutine I2Jacobian(solver, t, u, v, a, shift_v, shift_a, J, P, ierr)
      import
      type(tTS) :: solver
      PetscReal :: t, shift_v, shift_a
      type(tVec) :: u, v, a
      type(tMat) :: J, P
      PetscErrorCode :: ierr
    end subroutine
  end interface

  ! PETSc's objects are pointers in C, and integers of the size of a pointer in Fortran.
  interface
    function c_initialize() bind(C, name='GearshiftInitializePackage')
      import
      integer(c_int) :: c_initialize
    end function
    function c_set_function(solver, r, callback, context) bind(C, name='TSSetI2Function')
      import
      integer(c_intptr_t), value :: solver, r
      type(c_funptr), value :: callback, context
      integer(c_int) :: c_set_function
    end function
    function c_set_jacobian(solver, J, P, callback, context) bind(C, name='TSSetI2Jacobian')
      import
      integer(c_intptr_t), value :: solver, J, P
      type(c_funptr), value :: callback, context
      integer(c_int) :: c_set_jacobian
    end function
    function c_set_option(solver, name, value) bind(C, name='TSGearSetOption')
      import
      integer(c_intptr_t), value :: solver
      character(kind=c_char), intent(in) :: name(*), value(*)
      integer(c_int) :: c_set_option
    end function
    function c_set_recording(solver, on) bind(C, name='TSGearSetRecording')
      import
      integer(c_intptr_t), value :: solver
      integer(c_int), value :: on
      integer(c_int) :: c_set_recording
    end function
    function c_get_steps(solver, n, steps) bind(C, name='TSGearGetSteps')
      import
      integer(c_intptr_t), value :: solver
      PetscInt :: n
      type(c_ptr) :: steps
      integer(c_int) :: c_get_steps
    end function
    function c_interpolate(solver, t, u, v) bind(C, name='TSGearInterpolate')
      import
      integer(c_intptr_t), value :: solver, u, v
      PetscReal, value :: t
      integer(c_int) :: c_interpolate
    end function
    function c_save(solver, path) bind(C, name='TSGearSave')
      import
      integer(c_intptr_t), value :: solver
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: c_save
    end function
    function c_load(solver, path) bind(C, name='TSGearLoad')
      import
      integer(c_intptr_t), value :: solver
      character(kind=c_char), intent(in) :: path(*)
      integer(c_int) :: c_load
    end function
    function c_create(solver, snapshot) bind(C, name='TSGearSnapshotCreate')
      import
      integer(c_intptr_t), value :: solver
      type(c_ptr) :: snapshot
      integer(c_int) :: c_create
    end function
    function c_restore(solver, snapshot) bind(C, name='TSGearSnapshotRestore')
      import
      integer(c_intptr_t), value :: solver
      type(c_ptr), value :: snapshot
      integer(c_int) :: c_restore
    end function
    function c_destroy(snapshot) bind(C, name='TSGearSnapshotDestroy')
      import
      type(c_ptr) :: snapshot
      integer(c_int) :: c_destroy
    end function
  end interface

contains

  !> Registers the TS type gear. Call it after PetscInitialize().
  subroutine GearshiftInitializePackage(ierr)
    PetscErrorCode, intent(out) :: ierr
    ierr = c_initialize()
  end subroutine

  !> Sets the function F; r is a vector for its values.
  subroutine TSSetI2Function(solver, r, f, ierr)
    type(tTS), intent(in) :: solver
    type(tVec), intent(in) :: r
    procedure(I2Function) :: f
    PetscErrorCode, intent(out) :: ierr
    ierr = c_set_function(int(solver%v, c_intptr_t), int(r%v, c_intptr_t), c_funloc(call_function), c_funloc(f))
  end subroutine

  !> Sets the tangent, for the matrices J and P, which may be one matrix.
  subroutine TSSetI2Jacobian(solver, J, P, f, ierr)
    type(tTS), intent(in) :: solver
    type(tMat), intent(in) :: J, P
    procedure(I2Jacobian) :: f
    PetscErrorCode, intent(out) :: ierr
    ierr = c_set_jacobian(int(solver%v, c_intptr_t), int(J%v, c_intptr_t), int(P%v, c_intptr_t), &
                          c_funloc(call_jacobian), c_funloc(f))
  end subroutine

  !> Called by C; the context is the address of the Fortran procedure.
  function call_function(solver, t, u, v, a, f, context) bind(C, name="") result(code)
    integer(c_intptr_t), value :: solver, u, v, a, f
    PetscReal, value :: t
    type(c_funptr), value :: context
    integer(c_int) :: code
    procedure(I2Function), pointer :: callback
    PetscErrorCode :: ierr
    type(tTS) :: its_solver
    PetscReal :: at
    call c_f_procpointer(context, callback)
    its_solver%v = solver
    at = t
    call callback(its_solver, at, vec_of(u), vec_of(v), vec_of(a), vec_of(f), ierr)
    code = ierr
  end function

  function call_jacobian(solver, t, u, v, a, shift_v, shift_a, J, P, context) bind(C, name="") result(code)
    integer(c_intptr_t), value :: solver, u, v, a, J, P
    PetscReal, value :: t, shift_v, shift_a
    type(c_funptr), value :: context
    integer(c_int) :: code
    procedure(I2Jacobian), pointer :: callback
    PetscErrorCode :: ierr
    type(tTS) :: its_solver
    type(tMat) :: its_J, its_P
    PetscReal :: at, of_v, of_a
    call c_f_procpointer(context, callback)
    its_solver%v = solver
    its_J%v = J
    its_P%v = P
    at = t
    of_v = shift_v
    of_a = shift_a
    call callback(its_solver, at, vec_of(u), vec_of(v), vec_of(a), of_v, of_a, its_J, its_P, ierr)
    code = ierr
  end function

  function vec_of(pointer) result(x)
    integer(c_intptr_t), intent(in) :: pointer
    type(tVec) :: x
    x%v = pointer
  end function

  !> Sets an option like -ts_gear_<name> <value>, before TSSetUp().
  subroutine TSGearSetOption(solver, name, value, ierr)
    type(tTS), intent(in) :: solver
    character(*), intent(in) :: name, value
    PetscErrorCode, intent(out) :: ierr
    ierr = c_set_option(int(solver%v, c_intptr_t), trim(name)//c_null_char, trim(value)//c_null_char)
  end subroutine

  !> Switches the recording of accepted steps for TSGearGetSteps() on or off. Default: off.
  subroutine TSGearSetRecording(solver, on, ierr)
    type(tTS), intent(in) :: solver
    logical, intent(in) :: on
    PetscErrorCode, intent(out) :: ierr
    ierr = c_set_recording(int(solver%v, c_intptr_t), merge(1_c_int, 0_c_int, on))
  end subroutine

  !> Returns a copy of the steps recorded so far.
  subroutine TSGearGetSteps(solver, steps, ierr)
    type(tTS), intent(in) :: solver
    type(TSGearStep), allocatable, intent(out) :: steps(:)
    PetscErrorCode, intent(out) :: ierr
    type(TSGearStep), pointer :: kept(:)
    type(c_ptr) :: first
    PetscInt :: n
    ierr = c_get_steps(int(solver%v, c_intptr_t), n, first)
    if (ierr /= 0) n = 0
    if (n > 0) then
      call c_f_pointer(first, kept, [n])
      steps = kept
    else
      allocate (steps(0))
    end if
  end subroutine

  !> Computes u and v = u' at a time of the last step, with the order of the method.
  subroutine TSGearInterpolate(solver, t, u, v, ierr)
    type(tTS), intent(in) :: solver
    PetscReal, intent(in) :: t
    type(tVec), intent(in) :: u, v
    PetscErrorCode, intent(out) :: ierr
    ierr = c_interpolate(int(solver%v, c_intptr_t), t, int(u%v, c_intptr_t), int(v%v, c_intptr_t))
  end subroutine

  !> Writes the complete state to an HDF5 file, completely or not at all.
  subroutine TSGearSave(solver, path, ierr)
    type(tTS), intent(in) :: solver
    character(*), intent(in) :: path
    PetscErrorCode, intent(out) :: ierr
    ierr = c_save(int(solver%v, c_intptr_t), trim(path)//c_null_char)
  end subroutine

  !> Reads the file that TSGearSave() wrote, on any number of ranks.
  subroutine TSGearLoad(solver, path, ierr)
    type(tTS), intent(in) :: solver
    character(*), intent(in) :: path
    PetscErrorCode, intent(out) :: ierr
    ierr = c_load(int(solver%v, c_intptr_t), trim(path)//c_null_char)
  end subroutine

  !> Keeps the complete state in memory.
  subroutine TSGearSnapshotCreate(solver, snapshot, ierr)
    type(tTS), intent(in) :: solver
    type(TSGearSnapshot), intent(inout) :: snapshot
    PetscErrorCode, intent(out) :: ierr
    ierr = c_create(int(solver%v, c_intptr_t), snapshot%data)
  end subroutine

  !> Restores a snapshot. Later results of TSStep() agree with the earlier ones to the last digit.
  subroutine TSGearSnapshotRestore(solver, snapshot, ierr)
    type(tTS), intent(in) :: solver
    type(TSGearSnapshot), intent(in) :: snapshot
    PetscErrorCode, intent(out) :: ierr
    ierr = c_restore(int(solver%v, c_intptr_t), snapshot%data)
  end subroutine

  subroutine TSGearSnapshotDestroy(snapshot, ierr)
    type(TSGearSnapshot), intent(inout) :: snapshot
    PetscErrorCode, intent(out) :: ierr
    ierr = c_destroy(snapshot%data)
  end subroutine

end module

!> gearshift for Fortran programs: PETSc's module petscts, the functions of gearshift.h, and TSSetI2Function() and
!> TSSetI2Jacobian(). No PETSc provides these two for Fortran: newer modules declare them, but the library does not
!> contain them. A program that has `use petscts` in addition to this module therefore cannot call them. They set the
!> equations F(t, u, v, a) = 0, v = u', a = v' of a TS of type gear or alpha2.
!>
!> Callbacks are module procedures or external procedures; data that they need in addition to their arguments belong
!> in their module. All procedures are collective on the TS's communicator, and ierr is PETSc's error code.
module gearshift
  use PETSCTS
  use gearshift_ts
end module
