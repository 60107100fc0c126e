#!/usr/bin/env python3
"""Writes the CalculiX input of the ring on a plate and of the dropped block, and prints the results of CalculiX.

  gmsh -3 ring.geo -order 2 -setnumber Mesh.SecondOrderIncomplete 1 -format inp -o mesh.inp
  calculix.py ring mesh.inp > ring.inp       then: ccx ring
  calculix.py results ring.dat               force on the quarter, mean pressure of the lowest cell
  calculix.py drop > drop.inp                then: ccx drop
  calculix.py compare drop.dat RUN           impulses and forces of the floor; RUN is the folder of a run of drop.yaml

The quadratic elements (C3D20) are those of ring.yaml and drop.yaml, and so is the stiffness of the contact, c M / h. The
plate is an element without degrees of freedom; the contact is that of CalculiX between surfaces. The time steps of the
block are 0.2 ms (alpha method, alpha = -0.05).
"""
import bisect
import csv
import math
import sys

RADIUS = 20
CORNERS = {1: (0, 1, 2, 3), 2: (4, 5, 6, 7), 3: (0, 4, 5, 1), 4: (1, 5, 6, 2), 5: (2, 6, 7, 3), 6: (3, 7, 4, 0)}
PLATE = ((-6, -30, -1), (-6, -30, 2), (30, -30, 2), (30, -30, -1), (-6, -20, -1), (-6, -20, 2), (30, -20, 2), (30, -20, -1))
FLOOR = ((-1, -1, -2), (2, -1, -2), (2, 2, -2), (-1, 2, -2), (-1, -1, -0.01), (2, -1, -0.01), (2, 2, -0.01), (-1, 2, -0.01))


def read(path):
    """Returns the points by number, and the elements: their numbers and those of their nodes."""
    points, numbers, section = {}, [], ""
    for line in open(path):
        if line.startswith("*"):
            section = "nodes" if line.upper().startswith("*NODE") else "cells" if "C3D20" in line.upper() else ""
            continue
        words = [word for word in line.replace(",", " ").split()]
        if section == "nodes":
            points[int(words[0])] = tuple(map(float, words[1:4]))
        elif section == "cells":
            numbers += map(int, words)
    cells = [numbers[i:i + 21] for i in range(0, len(numbers), 21)]
    used = {node for cell in cells for node in cell[1:]}
    return {node: points[node] for node in sorted(used)}, cells


def block(n):
    """Returns the points and elements of a cube of side 1 with n^3 cells, as read() does."""
    number = lambda i, j, k: 1 + i + (2 * n + 1) * (j + (2 * n + 1) * k)
    places = [(i, j, k) for k in range(2 * n + 1) for j in range(2 * n + 1) for i in range(2 * n + 1)]
    points = {number(*x): tuple(c / (2 * n) for c in x) for x in places if sum(c % 2 for c in x) <= 1}
    corners = ((0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2))
    edges = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
    middles = [tuple((a + b) // 2 for a, b in zip(corners[i], corners[j])) for i, j in edges]
    cells = [[1 + i + n * (j + n * k), *(number(2 * i + a, 2 * j + b, 2 * k + c) for a, b, c in (*corners, *middles))]
             for k in range(n) for j in range(n) for i in range(n)]
    return points, cells


def model(points, cells, plate_points, touches, sets, E, stiffness, further):
    """Prints the model: a body, and a plate whose upper face its faces with touches(x) may meet."""
    first, plate = max(points) + 1, max(cell[0] for cell in cells) + 1
    corners = range(first, first + len(plate_points))
    print("*NODE, NSET=ALL")
    for node, x in (*points.items(), *zip(corners, plate_points)):
        print(node, *(f"{c:.15g}" for c in x), sep=",")
    print("*ELEMENT, TYPE=C3D20, ELSET=BODY")
    for cell in cells:
        print(*cell[:11], sep=",", end=",\n")
        print(*cell[11:], sep=",")
    print("*ELEMENT, TYPE=C3D8, ELSET=PLATE")
    print(plate, *corners, sep=",")
    for name, holds in sets.items():
        print(f"*NSET, NSET={name}", *(node for node, x in points.items() if holds(x)), sep="\n")
    print("*NSET, NSET=CORNERS", *corners, sep="\n")
    print("*SURFACE, NAME=OUTSIDE, TYPE=ELEMENT")
    for cell in cells:
        for face, nodes in CORNERS.items():
            if all(touches(points[cell[1 + i]]) for i in nodes):
                print(f"{cell[0]},S{face}")
    print(f"""*SURFACE, NAME=TOP_OF_PLATE, TYPE=ELEMENT
{plate},S2
*MATERIAL, NAME=M
*ELASTIC
{E},0.3
*DENSITY
1000.
*SOLID SECTION, ELSET=BODY, MATERIAL=M
*SOLID SECTION, ELSET=PLATE, MATERIAL=M
*SURFACE INTERACTION, NAME=CONTACT
*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR
{stiffness},0.001
*CONTACT PAIR, INTERACTION=CONTACT, TYPE=SURFACE TO SURFACE
OUTSIDE,TOP_OF_PLATE
*BOUNDARY
CORNERS,1,3
{further}""")


def ring(path):
    sets = {"MIDDLE": lambda x: abs(x[0]) < 1e-9, "TOP": lambda x: abs(x[1]) < 1e-9,
            "SIDES": lambda x: abs(x[2]) < 1e-9 or abs(x[2] - 1) < 1e-9}
    model(*read(path), PLATE, lambda x: abs(math.hypot(*x[:2]) - RADIUS) < 1e-6, sets, 1000, 16150.0, """MIDDLE,1
SIDES,3
*STEP, NLGEOM, INC=200
*STATIC
0.1,1.,,0.1
*BOUNDARY
TOP,2,2,-3
*NODE PRINT, NSET=TOP, TOTALS=ONLY, FREQUENCY=100
RF
*CONTACT PRINT, FREQUENCY=100
CSTR
*END STEP""")


def drop():
    n, E = 4, 1e6
    stiffness = 0.3 * E * 0.7 / (1.3 * 0.4) * 2 * n
    model(*block(n), FLOOR, lambda x: abs(x[2]) < 1e-9, {"ALL_OF_BODY": lambda x: True}, E, stiffness, """*INITIAL CONDITIONS, TYPE=VELOCITY
ALL_OF_BODY,3,-1.
*STEP, NLGEOM, INC=2000
*DYNAMIC, DIRECT, ALPHA=-0.05
2e-4,0.09
*NODE PRINT, NSET=CORNERS, TOTALS=ONLY
RF
*END STEP""")


def compare(path, run):
    lines = [line.split() for line in open(path)]
    theirs = [(float(words[-1]), float(lines[i + 2][2])) for i, words in enumerate(lines) if words[:2] == ["total", "force"]]
    ours = [(float(row["t"]), float(row["floor_fz"])) for row in csv.DictReader(open(f"{run}/forces.csv"))]
    impulse = lambda rows: sum((a[1] + b[1]) / 2 * (b[0] - a[0]) for a, b in zip(rows, rows[1:]))
    greatest = lambda rows: max(row[1] for row in rows)
    print("impulse", impulse(ours), impulse(theirs), "greatest force", greatest(ours), greatest(theirs))
    times, off = [row[0] for row in theirs], []
    for t, force in ours:
        k = bisect.bisect(times, t)
        if 0 < k < len(times):
            (a, before), (b, after) = theirs[k - 1:k + 1]
            off.append(abs(force - before - (after - before) * (t - a) / (b - a)) / greatest(theirs))
    print("differences of forces over the greatest: mean", sum(off) / len(off), "largest", max(off))


def results(path):
    lines = [line.split() for line in open(path)]
    at = next(i for i, words in enumerate(lines) if words[:2] == ["total", "force"])
    print("force", -float(lines[at + 2][1]))
    at = next(i for i, words in enumerate(lines) if words[:2] == ["contact", "stress"])
    rows = [words for words in lines[at + 1:] if len(words) == 5]
    lowest = min(int(words[0]) for words in rows)  # the cells are numbered along the ring
    pressures = [float(words[2]) for words in rows if int(words[0]) == lowest]
    print("pressure of the lowest cell", sum(pressures) / len(pressures))


if __name__ == "__main__":
    {"ring": ring, "results": results, "drop": drop, "compare": compare}[sys.argv[1]](*sys.argv[2:])
