"""Relations between two runs of a case. Each one returns a list of differences, or None if it does not apply."""
import functools
import math
import pathlib
from dataclasses import replace

import quantities as q
from contacts import names_of
from quantities import Faces, Frame, LinearField, Profile, RigidMotion, Sides, Vector, Words
from run import Failed, clean, columns_of, command, read, run, summary, transformed

# Nearly to rounding; with tangents in single precision Newton's line search would be limited by their noise.
EXACTLY = ("-ksp_rtol", "1e-12", "-ksp_max_it", "10000", "-snes_rtol", "1e-11", "-snes_stol", "0", "-gear_newton_test", "petsc",
           "-solid_points", "double")


class Runs:
    """The runs of one case, each in its own folder."""

    def __init__(self, program, case, folder, coupled=None):
        self.program, self.case, self.folder, self.coupled = program, case, pathlib.Path(folder), coupled
        self.commands = {}
        self._plain = None

    def tables(self, name, case=None, frame=Frame(), ranks=1, further=(), allowed=(0,), program=None):
        where = self.folder / name
        clean(where)
        further = (*self.tight(), *further)
        line = command(program or self.program, case or self.case, where, frame, ranks, further)
        self.commands[name] = " ".join(line)
        run(line, where, allowed)
        return read(where)

    def tight(self):
        if self.case.kind == "adaptive":
            return ()
        if self.case.kind == "modes" and "static" not in self.case.keys:
            return EXACTLY[-2:]
        thresholds = "gear_newton_test" in self.case.keys
        return EXACTLY[:-4] + EXACTLY[-2:] if thresholds else EXACTLY

    def plain(self):
        if self._plain is None:
            self._plain = self.tables("plain")
        return self._plain

    def halved(self):
        """Returns true if fixed steps or load steps failed, which may depend on rounding."""
        return self.case.kind in ("fixed", "static") and summary(self.folder / "plain")["rejected"] > 0

    def tolerances(self, strict):
        """Returns tolerances of most fields, and of fields with one more derivative."""
        if self.case.kind in ("fixed", "static"):
            return strict, 100 * strict
        if self.case.kind == "modes":
            return 1e-6, 1e-6
        rtol = float(self.case.keys["gear_rtol"].text)
        if "gear_atol" in self.case.keys:
            size = scale_of(self.plain(), "u", "vector", q.LENGTH)
            rtol += self.case.keys["gear_atol"].values[0] / size if size > 0 else 1e-3
        return 20 * rtol, 100 * rtol


# Gradients of the displacement: adaptive runs compute them less accurately than the displacement itself.
GRADIENTS = {"cauchy", "von_mises", "strain", "energy_density", "pressure", "principal_1", "principal_2", "principal_3",
             "contact_pressure"}
DERIVED = {"v", "a", "kinetic", "numerical", "p", "l", "dissipated", "work_reactions", "work_loads", "stored", "contact",
           "friction", "slip"}


def reference(case, frame, dimension):
    """Returns a number of this dimension from size, density and stiffness; much smaller numbers are rounding."""
    L = max(case.mesh.size)
    mass, length, time = dimension
    return frame.factor(dimension) * (L ** 3) ** mass * L ** length * (L / 10) ** time


def scale_of(tables, field, kind, dimension):
    """Returns the largest value of the field in all files; for stresses, the largest of all stresses."""
    largest = 0.0
    for columns, rows in tables.values():
        for other_kind, other, where, other_dimension in columns_of(columns):
            stresses = dimension == other_dimension == q.STRESS
            same = other_dimension == dimension and (other_kind == kind or stresses)
            if same and (dimension not in (q.NONE, q.LENGTH) or other == field):
                largest = max([largest, *(abs(row[i]) for row in rows for i in where)])
    return largest


def in_order_of(wanted, columns, rows):
    """Returns the table with its columns in that order, if it has them: faces are in the order of the mesh's cells."""
    if sorted(columns) != sorted(wanted):
        return columns, rows
    order = [columns.index(name) for name in wanted]
    return wanted, [[row[i] for i in order] for row in rows]


def differences(one, other, tolerance, derived, least=lambda dimension: 0.0, looser=frozenset(DERIVED), left_out=(), whole=None):
    """`tolerance`, and for the fields in `looser` `derived`, are relative to the largest value of the field in all
    files, or in both `whole` ones; 0: bitwise equal."""
    found = [] if any(rows for _, rows in one.values()) else ["no rows to compare"]
    for name in sorted(set(one) | set(other)):
        if name not in one or name not in other:
            found.append(f"{name}: only in one of both")
            continue
        (columns, rows), (other_columns, other_rows) = one[name], in_order_of(one[name][0], *other[name])
        if columns != other_columns or len(rows) != len(other_rows):
            found.append(f"{name}: {len(rows)} rows of {len(columns)} columns, {len(other_rows)} of {len(other_columns)}")
            continue
        for kind, field, where, dimension in columns_of(columns):
            if (name == "modes.csv" and field != "frequency") or field in left_out:
                continue
            allowed = derived if field in looser or kind == "moment" else tolerance
            scale = max(*(scale_of(tables, field, kind, dimension) for tables in whole or (one, other)), least(dimension))
            values = [row[i] for row in (*rows, *other_rows) for i in where]
            if not all(map(math.isfinite, values)):
                found.append(f"{name}: {field}: not a finite number")
                continue
            worst = max((abs(a[i] - b[i]) for a, b in zip(rows, other_rows) for i in where), default=0.0)
            if worst > allowed * scale:
                found.append(f"{name}: {field}: {worst:.3g} of {scale:.3g}")
    return found


def probes(tables, last=False):
    return {name: (columns, rows[-1:] if last else rows) for name, (columns, rows) in tables.items()
            if name.startswith("probe_")}


def compare(runs, one, other, strict, frame=Frame()):
    """For adaptive steps, which may differ, compares only the ends of the probes' tables, without accelerations:
    tolerances of q and v leave the fastest modes in them. Errors in v within an absolute tolerance reach q later."""
    tolerance, derived = runs.tolerances(strict)
    least = lambda dimension: 1e-4 * reference(runs.case, frame, dimension)
    if runs.case.kind == "adaptive":
        whole = probes(one), probes(other)  # tolerances are relative to the largest motion
        one, other = probes(one, last=True), probes(other, last=True)
        if not {"gear_atol_v", "gear_cutoff_frequency"} & set(runs.case.keys):
            return differences(one, other, tolerance, derived, least, DERIVED | GRADIENTS, {"a"}, whole)
        return differences(one, other, derived, derived, least, left_out={"a", "v"}, whole=whole)
    return differences(one, other, tolerance, derived, least)


def in_frame(runs, name, frame, strict):
    return compare(runs, transformed(runs.plain(), frame, "static" in runs.case.keys), runs.tables(name, frame=frame), strict, frame)


def rotation(random):
    a = [random.gauss(0, 1) for _ in range(4)]
    n = math.sqrt(sum(x * x for x in a))
    w, x, y, z = (v / n for v in a)
    return ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))


def right_angles(random):
    """Returns a rotation that maps axes to axes."""
    while True:
        axes, signs = random.sample(range(3), 3), [random.choice((-1.0, 1.0)) for _ in range(3)]
        R = tuple(tuple(signs[i] if axes[i] == j else 0.0 for j in range(3)) for i in range(3))
        if sum(a * b for a, b in zip(q.cross(R[0], R[1]), R[2])) > 0:
            return R


def repeatable(relation):
    @functools.wraps(relation)
    def applied(runs, random):
        runs.plain()
        return None if runs.halved() else relation(runs, random)
    return applied


@repeatable
def turned(runs, random):
    if not runs.case.turnable:
        return None
    boxes = any(isinstance(value, Sides) for value in runs.case.keys.values())
    return in_frame(runs, "turned", Frame(R=right_angles(random) if boxes else rotation(random)), 1e-8)


@repeatable
def shifted(runs, random):
    size = 1e3 * max(runs.case.mesh.size)
    return in_frame(runs, "shifted", Frame(shift=tuple(random.uniform(-size, size) for _ in range(3))), 1e-7)


@repeatable
def units_of_two(runs, random):
    """Scales all numbers by powers of two: bitwise equal unless a library pivots by size."""
    frame = Frame(units=tuple(2.0 ** random.randint(-20, 20) for _ in range(3)))
    return in_frame(runs, "units_of_two", frame, 1e-10)


@repeatable
def units(runs, random):
    return in_frame(runs, "units", Frame(units=tuple(random.choice((1e-3, 1.0, 1e3)) for _ in range(3))), 1e-8)


@repeatable
def thrown(runs, random):
    keys = runs.case.keys
    held = ("rayleigh_mass", "foundation_", "dashpot_", "frame_", "base_")
    if not runs.case.free or any(part in key for key in keys for part in held):
        return None
    contacts = [f"contact_{name}" for name in names_of(runs.case)]
    if any(f"{key}_friction" in keys and f"{key}_slip_speed" not in keys for key in contacts):
        return None  # the default depends on the velocity
    T = keys["gear_t_end"].values[0]
    V = tuple(random.choice((1, 1e3)) * random.gauss(0, 1) * max(runs.case.mesh.size) / T for _ in range(3))
    zero = ((0.0,) * 3,) * 3
    field = keys.get("initial_velocity") or LinearField((0.0,) * 3, zero, (0.0,) * 3, q.VELOCITY)
    obstacles = {f"{key}_motion": keys.get(f"{key}_motion", RigidMotion()).thrown(V) for key in contacts
                 if f"{key}_with" not in keys}
    case = runs.case.with_keys(initial_velocity=field.thrown(V), **obstacles)
    flown = {}
    for name, (columns, rows) in probes(runs.tables("thrown", case)).items():
        back = []
        for row in rows:
            row = list(row)
            for kind, base, where, _ in columns_of(columns):
                if kind == "vector" and base in ("u", "v"):
                    for c, i in enumerate(where):
                        row[i] -= V[c] * (row[0] if base == "u" else 1)
            back.append(row)
        flown[name] = (columns, back)
    speed = max(abs(v) for v in V)
    rounding = 1e-13 * speed * T / max(1e-3 * max(runs.case.mesh.size), 1e-300)
    return compare(runs, probes(runs.plain()), flown, max(1e-7, rounding))


@repeatable
def ranks(runs, random):
    return compare(runs, runs.plain(), runs.tables("ranks", ranks=random.randint(2, 4)), 1e-8)


@repeatable
def renumbered(runs, random):
    case = replace(runs.case, mesh=replace(runs.case.mesh, seed=random.randint(1, 10 ** 6)))
    return compare(runs, runs.plain(), runs.tables("renumbered", case), 1e-8)


@repeatable
def split_region(runs, random):
    del random
    mesh = runs.case.mesh
    if mesh.counts[1] < 2 or any(key.startswith("material_r0") for key in runs.case.keys):
        return None
    return compare(runs, runs.plain(), runs.tables("split_region", replace(runs.case, mesh=replace(mesh, split="region"))), 1e-8)


@repeatable
def split_face(runs, random):
    del random
    mesh, keys = runs.case.mesh, runs.case.keys
    per_area = ("traction_", "pressure_", "foundation_", "dashpot_")
    mine = [key for key in keys if "xmax" in key]
    touching = {key: value.split() for key, value in keys.items() if isinstance(value, Faces) and "xmax" in value.names}
    if mesh.counts[1] < 2 or any(not key.startswith(per_area) for key in mine) or not (mine or touching):
        return None
    if any("xmax" in value.text for value in keys.values() if isinstance(value, Words)):
        return None
    changed = {key: None for key in mine} | touching
    for key in mine:
        for half in "ab":
            changed[key.replace("xmax", "xmax" + half)] = keys[key]
    case = replace(runs.case.with_keys(**changed), mesh=replace(mesh, split="face"))
    others = lambda tables: {name: table for name, table in tables.items() if name != "forces.csv"}
    return compare(runs, others(runs.plain()), others(runs.tables("split_face", case)), 1e-8)


def restarted(runs, random):
    if runs.case.kind not in ("fixed", "adaptive"):
        return None
    steps = len(next(iter(runs.plain().values()))[1]) - 1
    if steps < 2:
        return None
    stop = random.randint(1, steps - 1)
    checkpoint = ("-gear_checkpoint", str(runs.folder / "restarted" / "c.h5"), "-gear_checkpoint_every", "1")
    runs.tables("restarted", further=(*checkpoint, "-gear_max_steps", str(stop)), allowed=(0, 2))
    line = command(runs.program, runs.case, runs.folder / "restarted", further=(*runs.tight(), *checkpoint, "-gear_restart", checkpoint[1]))
    runs.commands["continued"] = " ".join(line)
    run(line, runs.folder / "restarted")
    return differences(runs.plain(), read(runs.folder / "restarted"), 0, 0)


def fewer_results(runs, random):
    """Checks that results do not depend on which other results are requested, nor on a density that nothing needs."""
    case = runs.case
    if case.kind == "static" and "gravity" not in case.keys:
        case = case.with_keys(**{key: None for key in case.keys if key == "rho" or key.endswith("_rho")})
    fields = case.keys["probe_fields"].text.split(",")
    kept = sorted(random.sample(fields, random.randint(1, len(fields))))
    format_now = "vtkhdf" if random.random() < 0.5 else "vtu"
    other = case.with_keys(probe_fields=Words(",".join(kept)), fields=Words("displacement"), envelope=None,
                           vtk_every=None, output_every=Words("0"), output_dt=None, output_times=None, output_format=Words(format_now))
    one, two = runs.plain(), runs.tables("fewer_results", other)
    found = []
    for name in sorted(set(one) | set(two)):
        if name not in one or name not in two:
            found.append(f"{name}: only in one of both")
            continue
        (columns, rows), (few, few_rows) = one[name], two[name]
        at = [columns.index(c) for c in few if c in columns]
        if len(at) < len(few):
            found.append(f"{name}: columns {set(few) - set(columns)} are new")
        elif [[row[i] for i in at] for row in rows] != few_rows:
            found.append(f"{name}: other values with fewer results")
    return found


@repeatable
def other_kernels(runs, random):
    """Uses another instruction set, which rounds differently."""
    try:
        here = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    except OSError:
        return None
    sets = [name for name in ("sse2", "avx2") if name in here]
    if not sets:
        return None
    return compare(runs, runs.plain(), runs.tables("other_kernels", further=("-solid_simd", random.choice(sets))), 1e-9)


@repeatable
def other_solver(runs, random):
    """Uses another preconditioner, other precisions in it, or other times of rebuilding."""
    keys = runs.case.keys
    mixed = "formulation" in keys
    solvers = [("-solver", name) for name in ("pmg", "amg", "jacobi") if not (mixed and name == "jacobi")]
    types = [("-pc_type", name) for name in ("lu", "gamg")]
    if runs.case.kind == "modes":
        types = [("-modes_pc_type", name) for name in ("lu", "cholesky")]
    updates = ("auto", "step", "newton", "simulation")  # with variable steps the last one cannot serve all of them
    update = ("-gear_pc_update", random.choice(updates[:3] if runs.case.kind == "adaptive" else updates))
    precisions = () if mixed else ("-solid_levels", random.choice(("float", "double")))
    chosen = random.choice(solvers + types)
    cycle = ("-mg_inertia", random.choice(("0,0", "0.3,1", "1e9,1e9"))) if chosen[1] == "pmg" else ()
    further = (*chosen, *update, *precisions, *cycle)
    return compare(runs, runs.plain(), runs.tables("other_solver", further=further), 1e-8)


@repeatable
def coupled(runs, random):
    """Tractions from the partner in preCICE's stand-in agree with those of a formula; windows may be repeated."""
    keys = runs.case.keys
    faces = (",".join(value.text for key, value in keys.items() if key in ("clamp", "fix_x", "fix_y", "fix_z", "fix_normal"))).split(",")
    if not runs.coupled or runs.case.kind not in ("fixed", "adaptive") or "xmax" in faces or "prescribe_xmax" in keys:
        return None
    T, degree, mesh = keys["gear_t_end"].values[0], int(keys["degree"].text), runs.case.mesh
    load, windows, rate = tuple(random.gauss(0, 0.3) for _ in range(3)), 4, 3 / T
    alone = runs.case.with_keys(traction_xmax=Vector(load, q.STRESS, Profile("sine", 1 / rate)), csv_every=Words("1"),
                                output_dt=None, output_times=None)
    settings = runs.folder / "coupled.txt"
    vertices = math.prod(degree * n + 1 for n in mesh.counts[1:])
    settings.write_text(f"windows {windows}\nwindow {T / windows!r}\nforce {load[0]!r} {load[1]!r} {load[2]!r}\nrate {rate!r}\n"
                        f"vertices {vertices}\nper_area {1 / vertices!r}\niterations {random.choice((1, 3))}\n", encoding="utf-8")
    written = random.choice(("displacement", "velocity"))
    further = ("-precice", str(settings), "-precice_faces", "xmax", "-precice_read", "Stress", "-precice_read_kind", "traction",
               "-precice_write", written.capitalize(), "-precice_write_kind", written, "-precice_samples", random.choice("123"))
    one = probes(runs.tables("alone", alone))
    other = probes(runs.tables("coupled", alone.with_keys(traction_xmax=None), further=further, program=runs.coupled))
    ends = lambda rows: [min(rows, key=lambda row: abs(row[0] - T * i / windows)) for i in range(windows + 1)]
    one = {name: (columns, ends(rows)) for name, (columns, rows) in one.items()}
    if runs.case.kind == "fixed" and any(abs(row[0] - T * i / windows) > 1e-9 * T
                                         for _, rows in one.values() for i, row in enumerate(rows)):
        return None  # a kink of a load is inside a window, and no step of the uncoupled run ends with the window
    return compare(runs, one, other, 1e-8)


ALL = (turned, shifted, units_of_two, units, thrown, ranks, renumbered, split_region, split_face, restarted, fewer_results,
       other_kernels, other_solver, coupled)
__all__ = ["ALL", "Failed", "Runs"]
