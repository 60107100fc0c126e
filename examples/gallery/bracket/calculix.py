#!/usr/bin/env python3
"""Writes CalculiX inputs of the bracket (*.inp), tabulates results of the shaken one (*.dat), compares a run with them.

  calculix.py deck MESH DT END > NAME.inp          then: ccx NAME
  calculix.py modes MESH COUNT > NAME.inp          natural frequencies
  calculix.py table COARSE.dat FINE.dat > NAME.csv u_y of the lug at every fifth coarse step; FINE has half steps
  calculix.py compare NAME.csv RUN                 folder of a run: probe_lug.csv

MESH is a Gmsh file (4.1, text) of tetrahedra with four nodes or ten. For cells of four nodes, nodes
are added at the midpoints of edges, so that the elements are quadratic (C3D10), the same space as degree 2 here. The
analysis is linear, with the record of shock.csv and the damping of shaken.yaml, integrated by the trapezoidal rule (*DYNAMIC, DIRECT, ALPHA=0) with steps of DT. `compare`
extrapolates from two step sizes, as the error is of order 2; between the rows of probe_lug.csv the run is interpolated
by cubics, using its velocities.
"""
import bisect
import csv
import pathlib
import re
import sys

LUG = (0.028, 0, 0.067)
YOUNG_POISSON = "210e9, 0.3"
STEEL = f"*MATERIAL, NAME=STEEL\n*ELASTIC\n{YOUNG_POISSON}\n*DENSITY\n7800."


def sections(path):
    """Returns the lines of each section of a Gmsh file, by the name of the section."""
    found, name = {}, None
    for line in open(path):
        if line.startswith("$End"):
            name = None
        elif line.startswith("$"):
            name = line[1:].strip()
            found[name] = []
        elif name:
            found[name].append(line.split())
    return found


def blocks(lines, nodes):
    """Yields (dimension, entity, rows) of each block of nodes or elements; blocks of nodes start with their numbers."""
    at = 1
    while at < len(lines):
        dimension, entity, count = int(lines[at][0]), int(lines[at][1]), int(lines[at][3])
        length = 2 * count if nodes else count
        yield dimension, entity, lines[at + 1:at + 1 + length]
        at += 1 + length


def read(path):
    """Returns points by number, tetrahedra, and the triangles of the face `clamp`."""
    mesh = sections(path)
    tag = next(row[1] for row in mesh["PhysicalNames"][1:] if row[2] == '"clamp"')
    points, curves, surfaces, _ = map(int, mesh["Entities"][0])
    clamped = {int(row[0]) for row in mesh["Entities"][1 + points + curves:][:surfaces]
               if tag in row[8:8 + int(row[7])]}
    places = {}
    for _, _, rows in blocks(mesh["Nodes"], True):
        half = len(rows) // 2
        places.update((int(n[0]), tuple(map(float, x[:3]))) for n, x in zip(rows[:half], rows[half:]))
    cells, faces = [], []
    for dimension, entity, rows in blocks(mesh["Elements"], False):
        numbers = [list(map(int, row[1:])) for row in rows]
        if dimension == 3:
            cells += numbers
        elif dimension == 2 and entity in clamped:
            faces += numbers
    return places, cells, faces


def body(mesh):
    """Prints nodes, cells and the clamped nodes; returns the positions of nodes."""
    places, cells, faces = read(mesh)
    middles = {}

    def middle(a, b):
        key = min(a, b), max(a, b)
        if key not in middles:
            middles[key] = max(places) + 1
            places[middles[key]] = tuple((x + y) / 2 for x, y in zip(places[a], places[b]))
        return middles[key]

    edges = ((0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3))
    if len(cells[0]) == 10:  # Gmsh and CalculiX number the last two edges in opposite order
        elements = [cell[:8] + [cell[9], cell[8]] for cell in cells]
        clamp = {n for face in faces for n in face}
    else:
        elements = [cell + [middle(cell[a], cell[b]) for a, b in edges] for cell in cells]
        clamp = {n for face in faces for n in face + [middle(face[a], face[b]) for a, b in edges[:3]]}
    used = {n for element in elements for n in element}

    print("*NODE, NSET=ALL")
    for n in sorted(used):
        print(f"{n}, {places[n][0]:.12g}, {places[n][1]:.12g}, {places[n][2]:.12g}")
    print("*ELEMENT, TYPE=C3D10, ELSET=BODY")
    for i, element in enumerate(elements, 1):
        print(f"{i}, {', '.join(map(str, element))}")
    print("*NSET, NSET=CLAMP", *sorted(clamp), sep="\n")
    return {n: places[n] for n in used}


def deck(mesh, step, end):
    places = body(mesh)
    distance = {n: sum((a - b) ** 2 for a, b in zip(place, LUG)) for n, place in places.items()}
    lug = min(distance, key=distance.get)
    assert distance[lug] < 1e-16, "the lug is not a node of this mesh"

    print(f"*NSET, NSET=LUG\n{lug}\n{STEEL}")
    print("*DAMPING, ALPHA=480.1, BETA=5.55e-7")
    print("*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n*BOUNDARY\nCLAMP, 1, 3")
    rows = (pathlib.Path(__file__).parent / "shock.csv").read_text().split()[1:]
    print("*AMPLITUDE, NAME=SHOCK", *rows, sep="\n")
    print(f"*STEP, INC=1000000\n*DYNAMIC, DIRECT, ALPHA=0.\n{step}, {end}")
    print("*DLOAD, AMPLITUDE=SHOCK\nBODY, GRAV, 1., 0., -1., 0.")
    print("*NODE PRINT, NSET=LUG, FREQUENCY=1\nU\n*END STEP")


def modes_of(mesh, count):
    body(mesh)
    print(f"{STEEL}\n*SOLID SECTION, ELSET=BODY, MATERIAL=STEEL\n*BOUNDARY\nCLAMP, 1, 3")
    print(f"*STEP\n*FREQUENCY\n{count}\n*END STEP")


def motion(path):
    """Returns the displacements of the lug by time."""
    found = {}
    for line in open(path):
        if match := re.search(r"time\s+(\S+)", line):
            time = float(match[1])
        elif len(words := line.split()) == 4:
            found[time] = float(words[2])
    return found


def table(coarse, fine):
    print("t,coarse,fine\n0,0,0")
    half = motion(fine)
    for i, (t, u) in enumerate(motion(coarse).items(), 1):
        if i % 5 == 0:
            print(f"{t:.9g},{u:.6e},{half[t]:.6e}")


def numbers(path, *columns):
    with open(path, newline="") as file:
        return [[float(row[name]) for name in columns] for row in csv.DictReader(file)]


def between(ours, times, t):
    i = min(max(bisect.bisect_right(times, t), 1), len(times) - 1)
    (a, p, m), (b, q, n) = ours[i - 1:i + 1]
    h, s = b - a, (t - a) / (b - a)
    return p + s * (h * m + s * (3 * (q - p) - h * (2 * m + n) + s * (2 * (p - q) + h * (m + n))))


def compare(path, run):
    ours = numbers(pathlib.Path(run) / "probe_lug.csv", "t", "uy", "vy")
    times = [row[0] for row in ours]
    theirs = [row for row in numbers(path, "t", "coarse", "fine") if row[0] <= times[-1]]
    peak = max(abs(fine) for _, _, fine in theirs)
    worst = [0, 0, 0]
    for t, coarse, fine in theirs:
        u = between(ours, times, t)
        for i, reference in enumerate((coarse, fine, (4 * fine - coarse) / 3)):
            worst[i] = max(worst[i], abs(u - reference) / peak)
    print(f"largest difference from CalculiX up to t = {theirs[-1][0]:g}, over the largest u_y {peak:.6e}: "
          f"coarse steps {worst[0]:.2e}, fine {worst[1]:.2e}, both extrapolated {worst[2]:.2e}")


if __name__ == "__main__":
    commands = {("deck", 5): deck, ("modes", 4): modes_of, ("table", 4): table, ("compare", 4): compare}
    if command := commands.get((sys.argv[1] if len(sys.argv) > 1 else "", len(sys.argv))):
        command(*sys.argv[2:])
    else:
        sys.exit(__doc__)
