! A string with internal friction between two walls, u'' + e D u' + c^2 D u = 0, in Fortran. The equations and the
! digits of the result are those of examples/04_any_petsc_program. D is -u_xx by central differences on n interior
! points.
module string_equations
#include <petsc/finclude/petscts.h>
  use gearshift
  implicit none
  PetscReal, parameter :: c = 1, e = 0.1d0
  type(tMat) :: D
  type(tVec) :: work

contains

  ! [equations]
  subroutine residual(solver, t, u, v, a, f, ierr)
    type(tTS) :: solver
    PetscReal :: t
    type(tVec) :: u, v, a, f
    PetscErrorCode :: ierr
    PetscCall(MatMult(D, u, f, ierr))
    PetscCall(MatMult(D, v, work, ierr))
    PetscCall(VecAXPBYPCZ(f, 1.d0, e, c**2, a, work, ierr))
  end subroutine

  subroutine tangent(solver, t, u, v, a, shift_v, shift_a, J, P, ierr)
    type(tTS) :: solver
    PetscReal :: t, shift_v, shift_a
    type(tVec) :: u, v, a
    type(tMat) :: J, P
    PetscErrorCode :: ierr
    PetscCall(MatCopy(D, P, SAME_NONZERO_PATTERN, ierr))
    PetscCall(MatScale(P, c**2 + e * shift_v, ierr))
    PetscCall(MatShift(P, shift_a, ierr))
  end subroutine
  ! [equations]
end module

program string
#include <petsc/finclude/petscts.h>
  use string_equations
  implicit none
  PetscInt, parameter :: n = 199
  PetscReal, parameter :: pi = acos(-1.d0), h = 1.d0 / (n + 1), t_end = 1.9d0
  PetscReal :: k, decay, w, error_u, error_v
  PetscInt :: i, first, last
  PetscErrorCode :: ierr
  type(tTS) :: solver
  type(tMat) :: P
  type(tVec) :: u, v, f, exact_u, exact_v
  type(TSGearStep), allocatable :: steps(:)
  type(TSGearSnapshot) :: half_way
  character(200) :: line

  PetscCallA(PetscInitialize(ierr))
  PetscCallA(GearshiftInitializePackage(ierr))
  PetscCallA(MatCreate(PETSC_COMM_WORLD, D, ierr))
  PetscCallA(MatSetSizes(D, PETSC_DECIDE, PETSC_DECIDE, n, n, ierr))
  PetscCallA(MatSetType(D, MATAIJ, ierr))
  PetscCallA(MatSetUp(D, ierr))
  PetscCallA(MatGetOwnershipRange(D, first, last, ierr))
  do i = first, last - 1
    PetscCallA(MatSetValue(D, i, i, 2 / h**2, INSERT_VALUES, ierr))
    if (i > 0) then
      PetscCallA(MatSetValue(D, i, i - 1, -1 / h**2, INSERT_VALUES, ierr))
    end if
    if (i < n - 1) then
      PetscCallA(MatSetValue(D, i, i + 1, -1 / h**2, INSERT_VALUES, ierr))
    end if
  end do
  PetscCallA(MatAssemblyBegin(D, MAT_FINAL_ASSEMBLY, ierr))
  PetscCallA(MatAssemblyEnd(D, MAT_FINAL_ASSEMBLY, ierr))
  PetscCallA(MatDuplicate(D, MAT_COPY_VALUES, P, ierr))
  PetscCallA(MatCreateVecs(D, u, v, ierr))
  PetscCallA(VecDuplicate(u, exact_u, ierr))
  PetscCallA(VecDuplicate(u, exact_v, ierr))
  PetscCallA(VecDuplicate(u, work, ierr))
  PetscCallA(VecDuplicate(u, f, ierr))

  ! If it starts in its first mode, the discrete string moves as exp(-d t) cos(w t), d = e k / 2, w^2 = c^2 k - d^2.
  k = (2 / h * sin(pi * h / 2))**2
  decay = e * k / 2
  w = sqrt(c**2 * k - decay**2)
  call motion(0.d0, u, v)
  call motion(t_end, exact_u, exact_v)

  ! [create]
  PetscCallA(TSCreate(PETSC_COMM_WORLD, solver, ierr))
  PetscCallA(TSSetType(solver, 'gear', ierr))
  PetscCallA(TSGearSetOption(solver, 'order', '4', ierr))
  PetscCallA(TSGearSetRecording(solver, .true., ierr))
  PetscCallA(TSSetI2Function(solver, f, residual, ierr))
  PetscCallA(TSSetI2Jacobian(solver, P, P, tangent, ierr))
  PetscCallA(TS2SetSolution(solver, u, v, ierr))
  PetscCallA(TSSetTimeStep(solver, 0.01d0, ierr))
  PetscCallA(TSSetMaxTime(solver, t_end, ierr))
  PetscCallA(TSSetExactFinalTime(solver, TS_EXACTFINALTIME_MATCHSTEP, ierr))
  PetscCallA(TSSetFromOptions(solver, ierr))
  ! [create]

  ! The second half is integrated twice, as in an iteration with a coupling partner.
  do i = 1, 95
    PetscCallA(TSStep(solver, ierr))
  end do
  PetscCallA(TSGearSnapshotCreate(solver, half_way, ierr))
  do i = 1, 95
    PetscCallA(TSStep(solver, ierr))
  end do
  PetscCallA(TSGearSnapshotRestore(solver, half_way, ierr))
  do i = 1, 95
    PetscCallA(TSStep(solver, ierr))
  end do
  PetscCallA(TSGearSnapshotDestroy(half_way, ierr))

  PetscCallA(TSGearGetSteps(solver, steps, ierr))
  PetscCallA(VecAXPY(exact_u, -1.d0, u, ierr))
  PetscCallA(VecAXPY(exact_v, -1.d0, v, ierr))
  PetscCallA(VecNorm(exact_u, NORM_INFINITY, error_u, ierr))
  PetscCallA(VecNorm(exact_v, NORM_INFINITY, error_v, ierr))
  write (line, '(a,f4.2,a,i0,a,i0,2(a,es9.3))') 't ', steps(size(steps))%t, ', ', size(steps), ' steps of order ', &
    steps(size(steps))%order, ', error of u ', error_u, ", of u' ", error_v
  PetscCallA(PetscPrintf(PETSC_COMM_WORLD, trim(line)//new_line('a'), ierr))

  PetscCallA(TSDestroy(solver, ierr))
  PetscCallA(MatDestroy(P, ierr))
  PetscCallA(MatDestroy(D, ierr))
  PetscCallA(VecDestroy(u, ierr))
  PetscCallA(VecDestroy(v, ierr))
  PetscCallA(VecDestroy(exact_u, ierr))
  PetscCallA(VecDestroy(exact_v, ierr))
  PetscCallA(VecDestroy(work, ierr))
  PetscCallA(VecDestroy(f, ierr))
  PetscCallA(PetscFinalize(ierr))

contains

  subroutine motion(t, x, rate)
    PetscReal, intent(in) :: t
    type(tVec) :: x, rate
    PetscReal :: g, dg, shape
    PetscInt :: j
    g = exp(-decay * t) * cos(w * t)
    dg = -decay * g - w * exp(-decay * t) * sin(w * t)
    do j = first, last - 1
      shape = sin(pi * (j + 1) * h)
      PetscCallA(VecSetValue(x, j, g * shape, INSERT_VALUES, ierr))
      PetscCallA(VecSetValue(rate, j, dg * shape, INSERT_VALUES, ierr))
    end do
    PetscCallA(VecAssemblyBegin(x, ierr))
    PetscCallA(VecAssemblyEnd(x, ierr))
    PetscCallA(VecAssemblyBegin(rate, ierr))
    PetscCallA(VecAssemblyEnd(rate, ierr))
  end subroutine
end program
