"""gearshift for Python: the time integrator "gear" for petsc4py's TS.

``import gearshift`` loads the library into the PETSc of petsc4py and registers
the type. Every program with ``TS.setI2Function`` (or ``setIFunction``,
``setRHSFunction``) can then use ``ts.setType("gear")`` or ``-ts_type gear``::

    import sys
    import petsc4py
    petsc4py.init(sys.argv)  # before gearshift, which would call it without options
    import gearshift

It integrates F(t, u, u', u'') = 0 with the velocity u' as the only unknown, or
F(t, u, u') = 0. The class :class:`Gear` gives access to the options of the
method, the record of its steps and the complete state of a run. Units are
those of the program.
"""

import ctypes

import numpy
from petsc4py import PETSc

from . import _build

__all__ = ["Error", "Gear", "Snapshot", "STEP"]
__version__ = _build.VERSION

METHODS = ("bdf", "sdirk", "esdirk")

#: The entries of Gear.steps for every accepted step: its end and size [time],
#: the weighted local error (accepted at <= 1; 0 if gear does not control the
#: step), its number from 1, order and method of the formula, number of attempts
#: (1 if the first one was accepted), iterations of Newton's method and of the
#: Krylov solver.
STEP = numpy.dtype(
    [
        ("t", float),
        ("dt", float),
        ("error", float),
        ("step", int),
        ("order", int),
        ("method", "U6"),
        ("attempts", int),
        ("newton", int),
        ("krylov", int),
    ]
)


class Error(RuntimeError):
    """A failed call of the library; the text says what failed, where, what to try."""


#: The layout of TSGearStep in gearshift.h.
_STEP = numpy.dtype(
    [(name, float) for name in STEP.names[:3]]
    + [(name, f"i{_build.INDEX_BITS // 8}") for name in STEP.names[3:]],
    align=True,
)


def _describe_petsc():
    """Describes PETSc of petsc4py: version, bits of an index, kind of scalars."""
    version = ".".join(str(n) for n in PETSc.Sys.getVersion()[:2])
    bits = 8 * numpy.dtype(PETSc.IntType).itemsize
    scalar = numpy.dtype(PETSc.ScalarType)
    kind = "complex" if scalar.kind == "c" else "real"
    precision = "double" if numpy.finfo(scalar).bits == 64 else "other than double"
    return f"PETSc {version} with {bits}-bit indices and {kind} {precision} scalars"


def _load():
    """Loads the library and checks that it uses the PETSc of petsc4py."""
    wanted = (
        f"PETSc {_build.PETSC_VERSION} with {_build.INDEX_BITS}-bit indices"
        " and real double scalars"
    )
    remedy = (
        "select another one by petsc4py.init(arch=...) or PETSC_DIR, or build"
        " gearshift against the PETSc of petsc4py"
    )
    found = _describe_petsc()
    if found != wanted:
        raise ImportError(
            f"gearshift was built for {wanted}, but petsc4py runs with {found}: {remedy}"
        )
    try:
        library = ctypes.CDLL(_build.LIBRARY)
    except OSError as error:
        raise ImportError(f"gearshift cannot load its library: {error}") from error
    here, there = (
        ctypes.cast(handle.PetscInitialize, ctypes.c_void_p).value
        for handle in (library, ctypes.CDLL(PETSc.__file__))
    )
    if here != there:
        raise ImportError(
            f"{_build.LIBRARY} is linked to another PETSc library"
            f" ({_file_of(here)}) than petsc4py ({_file_of(there)}): {remedy}"
        )
    return library


def _file_of(address):
    """Returns the name of the shared library that contains an address."""

    class Info(ctypes.Structure):
        _fields_ = [
            ("file", ctypes.c_char_p),
            ("base", ctypes.c_void_p),
            ("symbol", ctypes.c_char_p),
            ("address", ctypes.c_void_p),
        ]

    info = Info()
    ctypes.CDLL(None).dladdr(ctypes.c_void_p(address), ctypes.byref(info))
    return (info.file or b"unknown").decode()


def _check(code):
    """Raises an Error with the text of a nonzero error code of PETSc."""
    if not code:
        return
    general, text = ctypes.c_char_p(), ctypes.c_char_p()
    _library.PetscErrorMessage(code, ctypes.byref(general), ctypes.byref(text))
    raise Error((text.value or general.value or b"unknown error").decode().strip())


def _call(name, *arguments):
    _check(getattr(_library, name)(*arguments))


def _text_of(value):
    """Returns a value in the form of the option database."""
    if isinstance(value, (bool, numpy.bool_)):
        return b"true" if value else b"false"
    return str(value).encode()


class Snapshot:
    """The complete state of a run in memory; see Gear.snapshot()."""

    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        if self._handle and not PETSc.Sys.isFinalized():
            _library.TSGearSnapshotDestroy(ctypes.byref(self._handle))


class Gear:
    """A petsc4py TS of type gear, with the functions that TS itself lacks.

    ``Gear(ts, adapt="order", rho_inf=0.8)`` sets the type, and sets options
    like ``-ts_gear_adapt order -ts_gear_rho_inf 0.8``. The keywords are the
    options that ``-help`` lists as ``-ts_gear_...``. Tolerances, steps and times
    are set by TS itself. From then on its accepted steps are recorded.
    Collective on the TS's communicator, like all methods. Raises Error for an
    unknown keyword or value, and for keywords after the first step.

    If ``ts.setFromOptions()`` follows, the command line has priority.
    """

    def __init__(self, ts, **options):
        self.ts = ts
        if ts.getType() != "gear":
            ts.setType("gear")
        self._ts = ctypes.c_void_p(ts.handle)
        for name, value in options.items():
            _call("TSGearSetOption", self._ts, name.encode(), _text_of(value))
        _call("TSGearSetRecording", self._ts, 1)

    @property
    def steps(self):
        """The accepted steps so far as an array of STEP: ``gear.steps["order"]``."""
        count = numpy.zeros((), PETSc.IntType)
        steps = ctypes.c_void_p()
        _call("TSGearGetSteps", self._ts, count.ctypes, ctypes.byref(steps))
        table = numpy.zeros(count, STEP)
        if count > 0:
            size = int(count) * _STEP.itemsize
            raw = numpy.frombuffer(ctypes.string_at(steps, size), _STEP)
            for name in STEP.names:
                table[name] = raw[name]
            table["method"] = numpy.take(METHODS, raw["method"])
        return table

    @property
    def counts(self):
        """Totals so far: steps, steps by each method, rejected, newton, krylov."""
        steps = self.steps
        sums = {"steps": len(steps)}
        sums.update((name, int(numpy.sum(steps["method"] == name))) for name in METHODS)
        sums["rejected"] = int(numpy.sum(steps["attempts"] - 1))
        sums.update((name, int(numpy.sum(steps[name]))) for name in ("newton", "krylov"))
        return sums

    def advance_to(self, t):
        """Advances to the time t exactly, calling TS's monitors after each step.

        It is meant for windows of a coupled problem. The last step may be
        shorter; a step size that gear does not adapt is restored after it. TS's
        final time is t afterwards. Events of TS are handled only by
        ``ts.solve()``. Raises Error if a step fails.

        Returns True if t was reached. It stops before t, like ``ts.solve()``,
        after TS's maximum number of steps (``ts.setMaxSteps()``, 5000 by
        default), at a signal or the wall limit with ``-ts_gear_checkpoint``, or
        if a monitor sets a reason; ``ts.getConvergedReason()`` returns it.
        """
        ts = self.ts
        dt = ts.getTimeStep()
        ts.setMaxTime(t)
        ts.setExactFinalTime(PETSc.TS.ExactFinalTime.MATCHSTEP)
        ts.setConvergedReason(PETSc.TS.ConvergedReason.ITERATING)
        if ts.getTime() + dt > t > ts.getTime():
            ts.setTimeStep(t - ts.getTime())
        while ts.getTime() < t:
            begin = ts.getTime()
            if ts.getStepNumber() >= ts.getMaxSteps():
                ts.setConvergedReason(PETSc.TS.ConvergedReason.CONVERGED_ITS)
                break
            try:
                ts.step()
            except PETSc.Error as error:
                if ts.getConvergedReason() >= 0:
                    raise
                raise Error(f"the step that begins at t = {begin:g} failed") from error
            if ts.getConvergedReason() < 0:
                raise Error(f"the step that begins at t = {begin:g} failed")
            ts.monitor(ts.getStepNumber(), ts.getTime(), ts.getSolution())
            if ts.getConvergedReason() > 0:
                break
        if ts.getTimeStep() < dt and self.steps["error"][-1:] == 0:
            ts.setTimeStep(dt)
        return ts.getTime() >= t

    def interpolate(self, t, u=None, v=None):
        """Computes the vectors u and v = u' at a time of the last step [time]."""
        handles = (ctypes.c_void_p(x.handle if x else None) for x in (u, v))
        _call("TSGearInterpolate", self._ts, ctypes.c_double(t), *handles)
        for x in (u, v):
            if x:
                x.stateIncrease()

    def snapshot(self):
        """Returns the complete state: time, step, solution, history, controller."""
        handle = ctypes.c_void_p()
        _call("TSGearSnapshotCreate", self._ts, ctypes.byref(handle))
        return Snapshot(handle)

    def restore(self, snapshot):
        """Goes back (or forward) to a snapshot of this TS, or of a similar one.

        Later results agree to the last digit with the run that the snapshot was
        taken from, if steps are made by advance_to() or ``ts.step()``.
        """
        _call("TSGearSnapshotRestore", self._ts, snapshot._handle)

    def save(self, path):
        """Writes the state to an HDF5 file, completely or not at all.

        The previous file is kept as ``<path>.previous``.
        """
        _call("TSGearSave", self._ts, str(path).encode())

    def load(self, path):
        """Reads the file that save() wrote, on any number of ranks."""
        _call("TSGearLoad", self._ts, str(path).encode())


_library = _load()
_check(_library.GearshiftInitializePackage())
