"""gearshift for Python: the time integrator "gear" for petsc4py's TS.

``import gearshift`` loads the library into the PETSc of petsc4py and registers
the type, so that every program with ``TS.setI2Function`` (or ``setIFunction``,
``setRHSFunction``) may say ``ts.setType("gear")``, or ``-ts_type gear``::

    import sys
    import petsc4py
    petsc4py.init(sys.argv)  # before gearshift, which would do it without options
    import gearshift

It integrates F(t, u, u', u'') = 0 with the velocity u' as the only unknown, or
F(t, u, u') = 0. Options of the method, the record of its steps and the whole
state of a run are those of :class:`Gear`. Units are those of the program.
"""

import ctypes

import numpy
from petsc4py import PETSc

from . import _build

__all__ = ["Error", "Gear", "Snapshot", "STEP"]
__version__ = _build.VERSION

METHODS = ("bdf", "sdirk", "esdirk")

#: What Gear.steps tells of every accepted step: its end and size [time], the
#: weighted local error (accepted at <= 1; 0 where gear does not control the
#: step), its number from 1, order and method of the formula, attempts (1 where
#: the first one stood), iterations of Newton's method and of the Krylov solver.
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
    """A call of the library failed; the text says what, where and what to try."""


#: TSGearStep of gearshift.h.
_STEP = numpy.dtype(
    [(name, float) for name in STEP.names[:3]]
    + [(name, f"i{_build.INDEX_BITS // 8}") for name in STEP.names[3:]],
    align=True,
)


def _describe_petsc():
    """PETSc of petsc4py: version, bits of an index, kind of scalars."""
    version = ".".join(str(n) for n in PETSc.Sys.getVersion()[:2])
    bits = 8 * numpy.dtype(PETSc.IntType).itemsize
    scalar = numpy.dtype(PETSc.ScalarType)
    kind = "complex" if scalar.kind == "c" else "real"
    precision = "double" if numpy.finfo(scalar).bits == 64 else "other than double"
    return f"PETSc {version} with {bits}-bit indices and {kind} {precision} scalars"


def _load():
    """The library, in the PETSc that petsc4py runs with."""
    wanted = (
        f"PETSc {_build.PETSC_VERSION} with {_build.INDEX_BITS}-bit indices"
        " and real double scalars"
    )
    remedy = (
        "choose another one by petsc4py.init(arch=...) or PETSC_DIR, or build"
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
    """The shared library that holds an address."""

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
    """An error code of PETSc becomes an Error with its text."""
    if not code:
        return
    general, text = ctypes.c_char_p(), ctypes.c_char_p()
    _library.PetscErrorMessage(code, ctypes.byref(general), ctypes.byref(text))
    raise Error((text.value or general.value or b"unknown error").decode().strip())


def _call(name, *arguments):
    _check(getattr(_library, name)(*arguments))


def _text_of(value):
    """A value as the option database has it."""
    if isinstance(value, (bool, numpy.bool_)):
        return b"true" if value else b"false"
    return str(value).encode()


class Snapshot:
    """The whole state of a run in memory; see Gear.snapshot()."""

    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        if self._handle and not PETSc.Sys.isFinalized():
            _library.TSGearSnapshotDestroy(ctypes.byref(self._handle))


class Gear:
    """A petsc4py TS of type gear, with what TS itself has no function for.

    ``Gear(ts, adapt="order", rho_inf=0.8)`` sets the type, and the options as
    ``-ts_gear_adapt order -ts_gear_rho_inf 0.8`` would; what ``-help`` lists as
    ``-ts_gear_...`` are the keywords. Tolerances, steps and times are TS's own.
    From then on its accepted steps are recorded. Collective on the TS's
    communicator, as all methods are. Raises Error for an unknown keyword or
    value, and for keywords after the first step.

    A ``ts.setFromOptions()`` that follows gives the command line the last word.
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
        """The accepted steps so far, an array of STEP: ``gear.steps["order"]``."""
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
        """Sums over the steps so far: steps, those by each method, rejected, newton, krylov."""
        steps = self.steps
        sums = {"steps": len(steps)}
        sums.update((name, int(numpy.sum(steps["method"] == name))) for name in METHODS)
        sums["rejected"] = int(numpy.sum(steps["attempts"] - 1))
        sums.update((name, int(numpy.sum(steps[name]))) for name in ("newton", "krylov"))
        return sums

    def advance_to(self, t):
        """Steps to the time t exactly, calling TS's monitors after each step.

        For windows of a coupled problem. A step that gear does not adapt is
        that of before again after the last one, which is shorter. TS's final
        time is t afterwards. Events of TS are looked for by ``ts.solve()``
        alone. Raises Error when a step fails.

        Returns whether t was reached. It ends before t as ``ts.solve()`` does:
        after TS's largest number of steps (``ts.setMaxSteps()``, 5000 unless
        set), by a signal or the wall limit with ``-ts_gear_checkpoint``, or by a
        monitor that sets a reason; ``ts.getConvergedReason()`` says which.
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
        """Fills the vectors u and v = u' for a time of the last step [time]."""
        handles = (ctypes.c_void_p(x.handle if x else None) for x in (u, v))
        _call("TSGearInterpolate", self._ts, ctypes.c_double(t), *handles)
        for x in (u, v):
            if x:
                x.stateIncrease()

    def snapshot(self):
        """The whole state: time, step, solution, history, controller."""
        handle = ctypes.c_void_p()
        _call("TSGearSnapshotCreate", self._ts, ctypes.byref(handle))
        return Snapshot(handle)

    def restore(self, snapshot):
        """Goes back (or forward) to a snapshot of this TS, or of one like it.

        Every later digit is that of the run the snapshot was taken from, where
        steps are made by advance_to() or ``ts.step()``.
        """
        _call("TSGearSnapshotRestore", self._ts, snapshot._handle)

    def save(self, path):
        """Writes the state to an HDF5 file, completely or not at all.

        The file before is kept as ``<path>.previous``.
        """
        _call("TSGearSave", self._ts, str(path).encode())

    def load(self, path):
        """Reads what save() wrote, on any number of ranks."""
        _call("TSGearLoad", self._ts, str(path).encode())


_library = _load()
_check(_library.GearshiftInitializePackage())
