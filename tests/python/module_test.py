"""The module gearshift on a driven, damped Duffing oscillator in every entry, on any number of ranks.

u'' + 0.2 u' + 4 u + u^3 = cos(t), u(0) = 1, u'(0) = 0
"""

import os
import signal
import sys
import tempfile
import unittest

import petsc4py

petsc4py.init(sys.argv)

import numpy as np
from petsc4py import PETSc

import gearshift

SIZE = 3


def residual(ts, t, u, v, a, f):
    f.array = a.array_r + 0.2 * v.array_r + 4 * u.array_r + u.array_r**3 - np.cos(t)


def jacobian(ts, t, u, v, a, shift_v, shift_a, J, P):
    P.zeroEntries()
    diagonal = shift_a + 0.2 * shift_v + 4 + 3 * u.array_r**2
    for row, value in zip(range(*P.getOwnershipRange()), diagonal):
        P.setValue(row, row, value)
    P.assemble()


def make(**options):
    ts = PETSc.TS().create()
    gear = gearshift.Gear(ts, **options)
    P = PETSc.Mat().createAIJ([SIZE, SIZE], nnz=1)
    u, v = P.createVecs()
    u.set(1)
    ts.setI2Function(residual, u.duplicate())
    ts.setI2Jacobian(jacobian, P, P)
    ts.setSolution2(u, v)
    ts.setTimeStep(0.05)
    ts.setTolerances(rtol=1e-5, atol=1e-5)
    ts.snes.setTolerances(rtol=1e-12)
    return gear, u, v


def bits(*vectors):
    return b"".join(x.array_r.tobytes() for x in vectors)


class Options(unittest.TestCase):
    def test_options_are_those_of_the_command_line(self):
        gear, u, v = make(order=4, start="full", guard=False)
        gear.advance_to(0.5)
        self.assertEqual(gear.steps["order"][-1], 4)

    def test_the_command_line_has_the_last_word(self):
        gear, u, v = make(order=4)
        PETSc.Options()["ts_gear_order"] = 3
        gear.ts.setFromOptions()
        del PETSc.Options()["ts_gear_order"]
        gear.advance_to(0.5)
        self.assertEqual(gear.steps["order"][-1], 3)

    def test_a_prefix_is_part_of_the_keys(self):
        ts = PETSc.TS().create()
        ts.setOptionsPrefix("body_")
        with self.assertRaisesRegex(gearshift.Error, "-body_ts_gear_order must be in 1..12"):
            gearshift.Gear(ts, order=13)

    def test_unknown_names_are_refused_with_the_nearest_one(self):
        with self.assertRaisesRegex(gearshift.Error, "no option 'famly'; did you mean 'family'"):
            make(famly="bdf")

    def test_unknown_values_are_refused_with_the_known_ones(self):
        with self.assertRaisesRegex(gearshift.Error, "'bfd' is unknown; did you mean 'bdf'. choose one of bdf, ndf2"):
            make(family="bfd")

    def test_options_come_before_the_first_step(self):
        gear, u, v = make()
        gear.advance_to(0.1)
        with self.assertRaisesRegex(gearshift.Error, "set up already"):
            gearshift.Gear(gear.ts, order=3)

    def test_a_refused_value_changes_nothing(self):
        gear, u, v = make(order=3)
        with self.assertRaises(gearshift.Error):
            gearshift.Gear(gear.ts, order=99)
        gear.advance_to(0.5)
        self.assertEqual(gear.steps["order"][-1], 3)


class Steps(unittest.TestCase):
    def test_every_accepted_step_is_told(self):
        gear, u, v = make(adapt="order")
        gear.ts.setMaxTime(3)
        gear.ts.setExactFinalTime(PETSc.TS.ExactFinalTime.MATCHSTEP)
        gear.ts.solve(u)
        steps = gear.steps
        self.assertEqual(len(steps), gear.ts.getStepNumber())
        np.testing.assert_array_equal(steps["step"], np.arange(1, len(steps) + 1))
        np.testing.assert_allclose(np.cumsum(steps["dt"]), steps["t"], rtol=1e-12)
        self.assertEqual(steps["t"][-1], 3)
        self.assertEqual(steps["newton"].sum(), gear.ts.getSNESIterations())
        self.assertEqual(steps["krylov"].sum(), gear.ts.getKSPIterations())
        self.assertEqual(gear.counts["rejected"], gear.ts.getStepRejections())
        self.assertTrue(np.all(steps["error"] > 0) and np.all(steps["error"] <= 1))
        self.assertTrue(set(steps["method"]) <= {"bdf", "sdirk", "esdirk"})

    def test_the_method_is_told(self):
        gear, u, v = make(family="esdirk", adapt="order")
        gear.advance_to(1)
        self.assertEqual(list(gear.steps["method"][:2]), ["sdirk", "esdirk"])
        self.assertEqual(gear.counts["esdirk"], gear.counts["steps"] - 1)

    def test_there_are_none_before_the_first(self):
        gear, u, v = make()
        self.assertEqual(gear.steps.shape, (0,))
        self.assertEqual(gear.counts["newton"], 0)

    def test_fixed_steps_return_after_the_end_of_a_window(self):
        gear, u, v = make(order=2)
        gear.advance_to(0.12)
        gear.advance_to(0.5)
        self.assertAlmostEqual(gear.steps["dt"][4], 0.05, places=12)


class State(unittest.TestCase):
    def repeats(self, **options):
        """Compares a run with one in which all windows are computed twice."""
        gear, u, v = make(**options)
        for end in (0.4, 0.8):
            gear.advance_to(end)
        again, x, y = make(**options)
        for end in (0.4, 0.8):
            before = again.snapshot()
            again.advance_to(end)
            ahead = bits(x, y)
            again.advance_to(end + 0.3)
            again.restore(before)
            again.advance_to(end)
            self.assertEqual(ahead, bits(x, y))
        self.assertEqual(bits(u, v), bits(x, y))
        np.testing.assert_array_equal(gear.steps, again.steps)

    def test_windows_repeat_bit_by_bit_where_step_and_order_adapt(self):
        self.repeats(adapt="order")

    def test_windows_repeat_bit_by_bit_at_fixed_step(self):
        self.repeats(order=3)

    def test_windows_repeat_bit_by_bit_with_a_one_step_method(self):
        self.repeats(family="sdirk")

    def test_files_go_on_bit_by_bit(self):
        comm = PETSc.COMM_WORLD.tompi4py()
        folder = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None)
        path = os.path.join(folder, "state.h5")
        gear, u, v = make(adapt="order")
        gear.advance_to(1)
        gear.save(path)
        gear.advance_to(2)
        again, x, y = make(adapt="order")
        again.load(path)
        self.assertEqual(again.ts.getTime(), 1)
        again.advance_to(2)
        self.assertEqual(bits(u, v), bits(x, y))

    def test_a_missing_file_is_named(self):
        gear, u, v = make()
        with self.assertRaisesRegex(gearshift.Error, "/nowhere/state.h5"):
            gear.load("/nowhere/state.h5")

    def test_snapshots_of_another_method_are_refused(self):
        other = make(order=3)[0]
        other.advance_to(0.5)
        gear, u, v = make(family="esdirk", adapt="order")
        with self.assertRaisesRegex(gearshift.Error, "does not fit"):
            gear.restore(other.snapshot())

    def test_the_velocity_is_interpolated(self):
        gear, u, v = make(adapt="order")
        gear.advance_to(2)
        end = gear.steps[-1]
        x, y, z = u.duplicate(), u.duplicate(), u.duplicate()
        gear.interpolate(end["t"], x, y)
        np.testing.assert_allclose(y.array_r, v.array_r, rtol=1e-10)
        middle, h = end["t"] - end["dt"] / 2, 1e-4 * end["dt"]
        gear.interpolate(middle, v=y)
        gear.interpolate(middle - h, u=x)
        gear.interpolate(middle + h, u=z)
        np.testing.assert_allclose((z.array_r - x.array_r) / (2 * h), y.array_r, rtol=1e-3)


class Stops(unittest.TestCase):
    def test_the_number_of_steps_is_limited(self):
        gear, u, v = make(order=2)
        gear.ts.setMaxSteps(3)
        self.assertFalse(gear.advance_to(0.5))
        self.assertEqual(len(gear.steps), 3)
        self.assertEqual(gear.ts.getConvergedReason(), PETSc.TS.ConvergedReason.CONVERGED_ITS)
        gear.ts.setMaxSteps(100)
        self.assertTrue(gear.advance_to(0.5))

    def test_a_monitor_ends_it(self):
        gear, u, v = make(order=2)

        def monitor(ts, step, t, u):
            if step == 4:
                ts.setConvergedReason(PETSc.TS.ConvergedReason.CONVERGED_USER)

        gear.ts.setMonitor(monitor)
        self.assertFalse(gear.advance_to(0.5))
        self.assertEqual(len(gear.steps), 4)

    def test_a_signal_ends_it_with_a_checkpoint(self):
        comm = PETSc.COMM_WORLD.tompi4py()
        folder = comm.bcast(tempfile.mkdtemp() if comm.rank == 0 else None)
        file = os.path.join(folder, "state.h5")
        gear, u, v = make(order=2, checkpoint=file)

        def monitor(ts, step, t, u):
            if step == 2 and comm.rank == comm.size - 1:
                os.kill(os.getpid(), signal.SIGTERM)

        gear.ts.setMonitor(monitor)
        self.assertFalse(gear.advance_to(0.5))
        self.assertEqual(len(gear.steps), 3)
        self.assertEqual(gear.ts.getConvergedReason(), PETSc.TS.ConvergedReason.CONVERGED_USER)
        comm.barrier()
        self.assertTrue(os.path.exists(file))
        again, x, y = make(order=2)
        again.load(file)
        self.assertEqual(bits(x, y), bits(u, v))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
