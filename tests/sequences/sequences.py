"""Random sequences of calls of the module gearshift: calls that must not change a run are made in one of two runs."""

import os
import random
import sys
import tempfile

import petsc4py

petsc4py.init(sys.argv[:1])

import numpy as np
from petsc4py import PETSc

import gearshift

COMM = PETSc.COMM_WORLD.tompi4py()


class Body:
    """n masses, each on a hardening spring, and a load: residual and Jacobian for petsc4py."""

    def __init__(self, dice):
        self.n = dice.randint(1, 6)
        self.first_order = dice.random() < 0.5
        each = lambda low, high: np.array([dice.uniform(low, high) for _ in range(self.n)])
        self.spring = 10 ** each(0, 2)
        self.damper = each(0.5, 2) if self.first_order else each(0, 1)
        self.cubic = self.spring * each(0, 1)
        self.u0, self.v0 = each(-0.5, 0.5), each(-2, 2)
        self.load, self.frequency = dice.uniform(0, 5), dice.uniform(1, 10)

    def part(self, vec, values):
        return values[slice(*vec.getOwnershipRange())]

    def forces(self, t, u, v, f):
        x = u.array_r
        f.array = (
            self.part(u, self.damper) * v.array_r
            + self.part(u, self.spring) * x
            + self.part(u, self.cubic) * x**3
            - self.load * np.sin(self.frequency * t)
        )

    def fill(self, u, shift_v, shift_a, P):
        x = u.array_r
        diagonal = (
            shift_a
            + shift_v * self.part(u, self.damper)
            + self.part(u, self.spring)
            + 3 * self.part(u, self.cubic) * x**2
        )
        for row, value in zip(range(*P.getOwnershipRange()), diagonal):
            P.setValue(row, row, value)
        P.assemble()

    def second_order(self, ts, t, u, v, a, f):
        self.forces(t, u, v, f)
        f.array += a.array_r

    def second_order_tangent(self, ts, t, u, v, a, shift_v, shift_a, J, P):
        self.fill(u, shift_v, shift_a, P)

    def rate(self, ts, t, u, v, f):
        self.forces(t, u, v, f)

    def rate_tangent(self, ts, t, u, v, shift, J, P):
        self.fill(u, shift, 0, P)


class Run:
    """A solver of the body; the options are given by keywords, or in the database."""

    def __init__(self, body, options, dt, tolerance, by_database=False):
        self.body, self.options, self.dt, self.tolerance = body, options, dt, tolerance
        self.since = 0  # the solver has recorded the steps after this one
        self.make(by_database)

    def make(self, by_database):
        body, ts = self.body, PETSc.TS().create()
        P = PETSc.Mat().createAIJ([body.n, body.n], nnz=1)
        self.u, self.v = P.createVecs()
        self.u.array = body.part(self.u, body.u0)
        self.v.array = body.part(self.v, body.v0)
        self.gear = gearshift.Gear(ts, **({} if by_database else self.options))
        if body.first_order:
            ts.setIFunction(body.rate, self.u.duplicate())
            ts.setIJacobian(body.rate_tangent, P, P)
            ts.setSolution(self.u)
        else:
            ts.setI2Function(body.second_order, self.u.duplicate())
            ts.setI2Jacobian(body.second_order_tangent, P, P)
            ts.setSolution2(self.u, self.v)
        ts.setTimeStep(self.dt)
        ts.setTolerances(rtol=self.tolerance, atol=self.tolerance)
        ts.setMaxTime(1e9)
        ts.setExactFinalTime(PETSc.TS.ExactFinalTime.MATCHSTEP)
        if by_database:
            database = PETSc.Options()
            for name, value in self.options.items():
                database["ts_gear_" + name] = value
            ts.setFromOptions()
        ts.setUp()
        if by_database:
            for name in self.options:
                database.delValue("ts_gear_" + name)

    def seen(self):
        ts, vecs = self.gear.ts, (self.u,) if self.body.first_order else (self.u, self.v)
        return (ts.getTime(), ts.getTimeStep(), ts.getStepNumber()) + tuple(x.array_r.tobytes() for x in vecs)

    # These may change the motion.

    def advance(self, count, x, how):
        self.gear.advance_to(self.gear.ts.getTime() + self.dt * count * (0.2 + x))

    def step(self, count, x, how):
        for _ in range(count):
            self.gear.ts.step()

    def set_dt(self, count, x, how):
        self.gear.ts.setTimeStep(self.dt * 4 ** (2 * x - 1.3))

    def set_tolerances(self, count, x, how):
        tolerance = self.tolerance * 10 ** (2 * x - 1)
        self.gear.ts.setTolerances(rtol=tolerance, atol=tolerance)

    def roll_back(self, count, x, how):
        self.gear.ts.step()
        self.gear.ts.rollBack()

    # These must not.

    def read(self, count, x, how):
        if self.gear.ts.getStepNumber() == 0:
            return
        t = self.gear.ts.getTime() - 1e-3 * x
        u, v = self.u.duplicate(), self.v.duplicate()
        self.gear.interpolate(t, u, None if self.body.first_order else v)
        assert self.gear.counts["steps"] == len(self.gear.steps)

    def excursion(self, count, x, how):
        back = self.keep(how)
        for k, change in enumerate((self.set_dt, self.set_tolerances, self.roll_back, self.advance, self.step)):
            if how >> (k + 2) & 1:
                change(count, x, how)
        back(self.gear)

    def transfer(self, count, x, how):
        back = self.keep(how)
        self.since = self.gear.ts.getStepNumber()
        self.make(bool(how & 2))
        if how & 4:
            self.step(2, x, how)
        back(self.gear)

    def keep(self, how):
        """Saves the state in a snapshot or a file; returns a function that restores it and the program's settings."""
        ts = self.gear.ts
        (rtol, atol), end = ts.getTolerances(), ts.getMaxTime()
        snapshot = None if how & 1 else self.gear.snapshot()
        if how & 1:
            self.gear.save(PATH)

        def back(gear):
            gear.ts.setTolerances(rtol=rtol, atol=atol)
            gear.ts.setMaxTime(end)
            gear.load(PATH) if how & 1 else gear.restore(snapshot)

        return back


CHANGING = ("advance", "step", "set_dt", "set_tolerances", "roll_back")
KEEPING = ("excursion", "transfer", "read")
PATH = os.path.join(COMM.bcast(tempfile.mkdtemp() if COMM.rank == 0 else None), "state.h5")


def draw(seed):
    dice = random.Random(seed)
    body = Body(dice)
    families = ("auto", "bdf") if body.first_order else ("auto", "bdf", "ndf2", "bdf_alpha", "sdirk", "esdirk")
    options = {"family": dice.choice(families), "adapt": dice.choice(("none", "step", "order"))}
    if options["family"] in ("auto", "bdf") and dice.random() < 0.7:
        options["order"] = dice.randint(1, 5)
    dt, tolerance = 10 ** dice.uniform(-3, -1.3), 10 ** dice.uniform(-6, -3)
    calls = []
    for _ in range(dice.randint(4, 12)):
        name = dice.choice(CHANGING[:2] if dice.random() < 0.3 else CHANGING + KEEPING)
        calls.append((name, dice.randint(1, 8), dice.random(), dice.randrange(128)))
    return body, options, dt, tolerance, calls + [("step", 15, 0.0, 0)]


def play(seed):
    """Returns the difference of the runs, or nothing."""
    body, options, dt, tolerance, calls = draw(seed)
    plain = Run(body, options, dt, tolerance)
    full = Run(body, options, dt, tolerance, by_database=seed % 2 == 1)
    for done, (name, *numbers) in enumerate(calls):
        for run in (plain, full):
            if run is full or name in CHANGING:
                getattr(run, name)(*numbers)
        steps, others = (run.gear.steps for run in (plain, full))
        same = plain.seen() == full.seen()
        same = same and np.array_equal(*(x[x["step"] > full.since] for x in (steps, others)))
        if COMM.allreduce(0 if same else 1) > 0:
            return f"sequence {seed}, {options}, order {1 if body.first_order else 2}: {calls[: done + 1]}"
    return None


def main():
    first, count = int(sys.argv[1]), int(sys.argv[2])
    failures = [text for text in map(play, range(first, first + count)) if text]
    if COMM.rank == 0:
        print("\n".join(failures + [f"{count} sequences, {len(failures)} of them failed"]))
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
