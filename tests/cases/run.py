"""Runs a case and reads its tables."""
import csv
import json
import math
import pathlib
import random
import shutil
import subprocess

import quantities as q
from quantities import Frame

VECTORS = {"": (q.LENGTH, "xyz"), "u": (q.LENGTH, "xyz"), "v": (q.VELOCITY, "xyz"), "a": (q.ACCELERATION, "xyz"),
           "p": (q.MOMENTUM, "xyz")}
SCALARS = {"t": q.TIME, "von_mises": q.STRESS, "energy_density": q.STRESS, "pressure": q.STRESS, "kinetic": q.ENERGY,
           "stored": q.ENERGY, "work_loads": q.ENERGY, "work_reactions": q.ENERGY, "dissipated": q.ENERGY,
           "numerical": q.ENERGY, "frequency": q.RATE, "contact": q.ENERGY, "friction": q.ENERGY,
           "contact_pressure": q.STRESS, "gap": q.LENGTH, "slip": q.VELOCITY}
# Tables whose columns do not depend on rounding.
TABLES = ("probe_*.csv", "forces.csv", "momentum.csv", "energy.csv", "modes.csv", "frequency_response.csv")


class Failed(Exception):
    """The program ended with an error."""


def command(program, case, folder, frame=Frame(), ranks=1, further=()):
    """Returns the whole command of a run; writes the mesh."""
    folder.mkdir(parents=True, exist_ok=True)
    mesh = folder / "body.msh"
    case.mesh.write(mesh, frame, random.Random(case.mesh.seed))
    line = [*program(ranks), "-dm_plex_filename", str(mesh), "-output", str(folder / "out"), "-overwrite", "true"]
    for key, value in case.keys.items():
        if hasattr(value, "write"):
            path = folder / (key + getattr(value, "ending", ".csv"))
            value.write(path, frame)
            line += [f"-{key}", str(path)]
        else:
            line += [f"-{key}", value.of(frame)]
    return line + list(further)


def run(line, folder, allowed=(0,)):
    try:
        done = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    except subprocess.TimeoutExpired as hang:
        raise Failed("no end after 300 s") from hang
    (folder / "log").write_text(" ".join(line) + "\n" + done.stdout + done.stderr, encoding="utf-8")
    if done.returncode not in allowed:
        lines = (done.stderr + done.stdout).splitlines()
        errors = [line for line in lines if line.startswith("error")] or lines[-1:]
        raise Failed(f"exit code {done.returncode}: {errors[0][:400]}")
    return done


def read(folder):
    """Returns {file: (columns, rows)}."""
    tables = {}
    for pattern in TABLES:
        for path in sorted(pathlib.Path(folder / "out").glob(pattern)):
            with open(path, newline="", encoding="utf-8") as file:
                rows = list(csv.reader(file))
            table = rows[0], [[float(x) for x in row] for row in rows[1:]]
            tables[path.name] = complex_parts(*table) if path.name == "frequency_response.csv" else table
    return tables


def complex_parts(columns, rows):
    """Converts amplitudes and phases of the probes' motion to real and imaginary parts, which are vectors."""
    names, new = ["frequency"], [row[:1] for row in rows]
    for i in range(1, len(columns), 6):
        for part, function in (("_re", math.cos), ("_im", math.sin)):
            names += [columns[i + 2 * c][:-3] + part + "xyz"[c] for c in range(3)]
            for row, to in zip(rows, new):
                to += [row[i + 2 * c] * function(math.radians(row[i + 2 * c + 1])) for c in range(3)]
    return names, new


def summary(folder):
    return json.loads((folder / "out" / "summary.json").read_text(encoding="utf-8"))


def columns_of(names):
    """Groups columns: (kind, field, indices, dimension)."""
    groups, i = [], 0
    while i < len(names):
        name = names[i]
        triple = [n[-1:] for n in names[i:i + 3]] == ["x", "y", "z"] and len({n[:-1] for n in names[i:i + 3]}) == 1
        if names[i:i + 6] and name.endswith("_xx"):
            dimension = q.STRESS if name.startswith("cauchy") else q.NONE
            groups.append(("tensor", name[:-3], range(i, i + 6), dimension))
            i += 6
        elif triple:
            base = name[:-1]
            if base.endswith("_f"):
                groups.append(("vector", base, range(i, i + 3), q.FORCE))
            elif base.endswith("_m"):
                groups.append(("moment", base, range(i, i + 3), q.MOMENT))
            elif base.endswith(("_re", "_im")):
                groups.append(("vector", base, range(i, i + 3), q.LENGTH))
            elif base == "l":
                groups.append(("moment", base, range(i, i + 3), (1, 2, -1)))
            elif base == "":
                groups.append(("point", base, range(i, i + 3), q.LENGTH))
            elif base in VECTORS:
                groups.append(("vector", base, range(i, i + 3), VECTORS[base][0]))
            else:
                groups += [("scalar", n, range(i + k, i + k + 1), q.NONE) for k, n in enumerate(names[i:i + 3])]
            i += 3
        else:
            dimension = q.STRESS if name.startswith("principal") else SCALARS.get(name, q.NONE)
            groups.append(("scalar", name, range(i, i + 1), dimension))
            i += 1
    return groups


def transformed(tables, frame, static=False):
    """Transforms the tables of the original case to another frame. A moment about the origin follows its force in the
    table; the time of a static solution is its load factor."""
    result = {}
    for name, (columns, rows) in tables.items():
        groups = columns_of(columns)
        new = []
        for row in rows:
            out, force = list(row), (0.0, 0.0, 0.0)
            for kind, field, where, dimension in groups:
                old = tuple(row[i] for i in where)
                if kind == "vector":
                    force = now = frame.vector(old, dimension)
                elif kind == "moment":
                    shift = tuple(frame.scalar(s, q.LENGTH) for s in frame.shift)
                    now = tuple(a + b for a, b in zip(frame.vector(old, dimension), q.cross(shift, force)))
                elif kind == "point":
                    now = frame.point(old)
                elif kind == "tensor":
                    now = frame.tensor(old, dimension)
                else:
                    now = old if static and field == "t" else (frame.scalar(old[0], dimension),)
                for i, value in zip(where, now):
                    out[i] = value
            new.append(out)
        result[name] = (columns, new)
    return result


def clean(folder):
    shutil.rmtree(folder, ignore_errors=True)
