"""A chain of masses on soft ground is plucked at its middle: u'' + d K u' + K u + u^3 = 0."""

import sys
import petsc4py
petsc4py.init(sys.argv)
import gearshift
from petsc4py import PETSc

n, stiffness, damping = 200, 1e4, 1e-3  # number of masses; stiffness of the springs [1/s^2]; their friction [s]
K = PETSc.Mat().createAIJ([n, n], nnz=3)
for i in range(*K.getOwnershipRange()):
    K.setValue(i, i, 2 * stiffness)
    for j in {max(i - 1, 0), min(i + 1, n - 1)} - {i}:
        K.setValue(i, j, -stiffness)
K.assemble()
u, v = K.createVecs()
u.array = [min(i + 1, n - i) / n for i in range(*K.getOwnershipRange())]


def residual(ts, t, u, v, a, f):
    K.mult(u + damping * v, f)
    f.array += a.array_r + u.array_r**3


def jacobian(ts, t, u, v, a, shift_v, shift_a, J, P):
    K.copy(P)
    P.scale(1 + damping * shift_v)
    P.setDiagonal(P.getDiagonal() + shift_a + 3 * u * u)


ts = PETSc.TS().create()
gear = gearshift.Gear(ts, adapt="order")  # same as -ts_type gear -ts_gear_adapt order
ts.setI2Function(residual, u.duplicate())
ts.setI2Jacobian(jacobian, *[K.duplicate(copy=True)] * 2)
ts.setSolution2(u, v)
ts.setTolerances(rtol=1e-4, atol=1e-5)
ts.setFromOptions()
gear.advance_to(10)
PETSc.Sys.Print(f"t {ts.time:g}  |u| {u.norm():.8f}  {gear.counts}")
