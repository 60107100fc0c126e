"""A soft beam is released from rest: dolfinx assembles, any TS type of PETSc integrates.

    rho u'' = div P(u, u') + rho g,    P = dW/dF + F 2 eta sym(F^T grad u'),    F = 1 + grad u

with the neo-Hookean energy W = mu/2 (tr F^T F - 3) - mu ln J + lambda/2 ln^2 J. The beam, 1 m x 0.1 m x 0.05 m, is
clamped at x = 0 and falls under its own weight. UFL derives the tangent.

    mpirun -np 2 /usr/bin/python3 beam.py -ts_type gear -ts_gear_order 4 -ts_dt 0.0125

Types for second-order equations (gear, alpha2) get I2 functions in u; types for first-order equations (bdf, theta) get
the pair (u, u').
"""

import sys
import time

import petsc4py

petsc4py.init(sys.argv)

import dolfinx.fem.petsc
import gearshift
import numpy as np
import ufl
from dolfinx import fem, io, mesh
from mpi4py import MPI
from petsc4py import PETSc

OPTIONS = PETSc.Options()
SIZE = (1.0, 0.1, 0.05)  # [m]
E, NU, RHO, ETA = 1e7, 0.3, 1000.0, 4e4  # [Pa], [1], [kg/m^3], [Pa s]
GRAVITY = (0.0, 0.0, -9.81)  # [m/s^2]


class Beam:
    """The equations F(t, x, x', x'') = 0 of a TS; x is u, or (u, v) for a type for first-order equations."""

    def __init__(self, comm, cells, first_order):
        self.domain = mesh.create_box(comm, [(0, 0, 0), SIZE], cells, mesh.CellType.hexahedron)
        element = ufl.VectorElement("Lagrange", self.domain.ufl_cell(), 2)
        self.space = fem.FunctionSpace(self.domain, ufl.MixedElement([element, element]) if first_order else element)
        self.states = [fem.Function(self.space) for _ in range(2 if first_order else 3)]
        self.shifts = [fem.Constant(self.domain, PETSc.ScalarType(1)) for _ in self.states]
        self.assemblies = {"residuals": 0, "tangents": 0}
        if first_order:
            (u, v), (du, dv) = (ufl.split(x) for x in self.states)
            w, z = ufl.TestFunctions(self.space)
            residual = self.momentum(u, v, dv, w) + ufl.inner(du - v, z) * self.dx
        else:
            residual = self.momentum(*self.states, ufl.TestFunction(self.space))
        tangent = sum(s * ufl.derivative(residual, x) for s, x in zip(self.shifts, self.states))
        self.residual_form, self.tangent_form = fem.form(residual), fem.form(tangent)
        self.vector = fem.petsc.create_vector(self.residual_form)
        self.matrix = fem.petsc.create_matrix(self.tangent_form)
        self.hold_clamp(first_order)

    @property
    def dx(self):
        return ufl.Measure("dx", self.domain, metadata={"quadrature_degree": 4})

    def momentum(self, u, v, a, w):
        """Returns the virtual work of inertia, stress and weight [J]."""
        mu, lam = E / (2 * (1 + NU)), E * NU / ((1 + NU) * (1 - 2 * NU))
        F = ufl.variable(ufl.Identity(3) + ufl.grad(u))
        J = ufl.det(F)
        W = mu / 2 * (ufl.inner(F, F) - 3) - mu * ufl.ln(J) + lam / 2 * ufl.ln(J) ** 2
        P = ufl.diff(W, F) + F * (2 * ETA * ufl.sym(F.T * ufl.grad(v)))
        load = RHO * (a - ufl.as_vector(GRAVITY))
        return (ufl.inner(load, w) + ufl.inner(P, ufl.grad(w))) * self.dx

    def hold_clamp(self, first_order):
        """Sets the equation of the clamped rows: the highest derivative is zero."""

        def at_clamp(x):
            return np.isclose(x[0], 0)

        if first_order:
            parts = [(self.space.sub(i), self.space.sub(i).collapse()[0]) for i in (0, 1)]
            dofs = np.unique(np.concatenate([fem.locate_dofs_geometrical(pair, at_clamp)[0] for pair in parts]))
            rows = dofs
        else:
            dofs = fem.locate_dofs_geometrical(self.space, at_clamp)
            rows = np.add.outer(3 * dofs, np.arange(3)).ravel()
        self.clamp = fem.dirichletbc(fem.Function(self.space), dofs)
        self.rows = rows[rows < self.vector.getLocalSize()]

    def take(self, *vectors):
        for function, x in zip(self.states, vectors):
            x.copy(function.vector)
            function.x.scatter_forward()

    # [callbacks]
    def residual(self, ts, t, *vectors_and_f):
        *vectors, f = vectors_and_f
        self.assemblies["residuals"] += 1
        self.take(*vectors)
        with self.vector.localForm() as local:
            local.set(0)
        fem.petsc.assemble_vector(self.vector, self.residual_form)
        self.vector.ghostUpdate(PETSc.InsertMode.ADD, PETSc.ScatterMode.REVERSE)
        self.vector.array[self.rows] = vectors[-1].array_r[self.rows]
        self.vector.copy(f)

    def tangent(self, ts, t, *arguments):
        """Assembles the derivative with respect to x plus the shifts times those with respect to x' and x''."""
        n = len(self.states)
        vectors, shifts, P = arguments[:n], arguments[n:-2], arguments[-1]
        self.assemblies["tangents"] += 1
        self.take(*vectors)
        for constant, shift in zip(self.shifts[1:], shifts):
            constant.value = shift
        P.zeroEntries()
        fem.petsc.assemble_matrix(P, self.tangent_form, bcs=[self.clamp], diagonal=shifts[-1])
        P.assemble()
    # [callbacks]


class Tip:
    """The deflection of the corner (1 m, 0.1 m, 0.05 m) at given times."""

    def __init__(self, beam, times, first_order):
        space, dofs = beam.space.sub(0).collapse() if first_order else (beam.space, None)
        nodes = np.flatnonzero(np.isclose(space.tabulate_dof_coordinates(), SIZE).all(axis=1))
        nodes = nodes[nodes < space.dofmap.index_map.size_local]
        self.rows = [3 * i + 2 if dofs is None else dofs[3 * i + 2] for i in nodes]
        self.comm, self.times, self.values = beam.domain.comm, times, []
        self.between = beam.vector.duplicate()

    def of(self, x):
        return self.comm.allreduce(x.array_r[self.rows].sum())

    def monitor(self, ts, step, t, x):
        """Records the deflection at the times; adaptive steps of gear may pass them and are interpolated."""
        for at in self.times[len(self.values) :]:
            if at > t * (1 + 1e-12):
                break
            if not np.isclose(at, t, rtol=1e-12):
                ts.interpolate(at, self.between)
            self.values.append(self.of(x if np.isclose(at, t, rtol=1e-12) else self.between))


def main():
    comm = MPI.COMM_WORLD
    kind = OPTIONS.getString("ts_type", "gear")
    first_order = kind not in ("gear", "alpha2")
    cells = [int(n) for n in OPTIONS.getString("cells", "8,1,1").split(",")]
    end = OPTIONS.getReal("ts_max_time", 5.0)  # [s]
    beam = Beam(comm, cells, first_order)
    times = np.linspace(0, end, OPTIONS.getInt("samples", 40) + 1)[1:]
    tip = Tip(beam, times, first_order)

    x, v, f = (beam.vector.duplicate() for _ in range(3))
    ts = PETSc.TS().create(comm)
    ts.setType(kind)
    gear = gearshift.Gear(ts) if kind == "gear" else None
    if first_order:
        ts.setIFunction(beam.residual, f)
        ts.setIJacobian(beam.tangent, beam.matrix, beam.matrix)
        ts.setSolution(x)
    else:
        ts.setI2Function(beam.residual, f)
        ts.setI2Jacobian(beam.tangent, beam.matrix, beam.matrix)
        ts.setSolution2(x, v)
    ts.setMaxTime(end)
    ts.setTimeStep(0.0125)
    ts.setExactFinalTime(PETSc.TS.ExactFinalTime.MATCHSTEP)
    ts.setMonitor(tip.monitor)
    solves = []
    ts.snes.setUpdate(lambda snes, iteration: solves.append(1) if iteration == 0 else None)
    ts.snes.ksp.pc.setType("lu")
    ts.snes.ksp.pc.setFactorSolverType("mumps")

    folder = OPTIONS.getString("output", "")
    if folder:
        shape = fem.Function(fem.VectorFunctionSpace(beam.domain, ("Lagrange", 2)), name="displacement")
        file = io.VTKFile(comm, f"{folder}/solution.pvd", "w")

        def write(ts, step, t, x):
            beam.take(x)
            shape.interpolate(beam.states[0].sub(0).collapse() if first_order else beam.states[0])
            file.write_function(shape, t)

        ts.setMonitor(write)
    ts.setFromOptions()
    began = time.process_time()
    ts.solve(x)
    seconds = comm.allreduce(time.process_time() - began)
    if folder:
        file.close()

    saved = OPTIONS.getString("tip", "")
    if saved and comm.rank == 0:
        np.savetxt(saved, np.column_stack([times, tip.values]), header="t [s]  deflection of the tip [m]")
    error = ""
    if OPTIONS.hasName("reference"):
        exact = np.loadtxt(OPTIONS.getString("reference"))[:, 1]
        error = f"  error {np.abs(exact - tip.values).max() / np.abs(exact).max():.2e}"
    PETSc.Sys.Print(
        f"{kind}: t {ts.time:g}  tip {tip.values[-1]:.5e} m  steps {ts.step_number}  solves {len(solves)}"
        f"  Newton {ts.getSNESIterations()}  residuals {beam.assemblies['residuals']}"
        f"  tangents {beam.assemblies['tangents']}  CPU {seconds:.2f} s{error}"
    )
    if gear:
        PETSc.Sys.Print("orders " + ", ".join(f"{n}: {(gear.steps['order'] == n).sum()}" for n in range(1, 7)))


if __name__ == "__main__":
    main()
