#!/usr/bin/env python3
"""Writes the CalculiX input of the ring on a plate, and prints the results of CalculiX.

  gmsh -3 ring.geo -order 2 -setnumber Mesh.SecondOrderIncomplete 1 -format inp -o mesh.inp
  calculix.py deck mesh.inp > ring.inp       then: ccx ring
  calculix.py results ring.dat               force on the quarter, mean pressure of the lowest cell

The mesh and its quadratic elements (C3D20) are those of ring.yaml, and so is the stiffness of the contact, 10 M / h. The
plate is an element without degrees of freedom; the contact is that of CalculiX between surfaces.
"""
import math
import sys

RADIUS, CONTACT_STIFFNESS = 20, 16150
CORNERS = {1: (0, 1, 2, 3), 2: (4, 5, 6, 7), 3: (0, 4, 5, 1), 4: (1, 5, 6, 2), 5: (2, 6, 7, 3), 6: (3, 7, 4, 0)}
PLATE = ((-6, -30, -1), (-6, -30, 2), (30, -30, 2), (30, -30, -1), (-6, -20, -1), (-6, -20, 2), (30, -20, 2), (30, -20, -1))


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


def deck(path):
    points, cells = read(path)
    first, plate = max(points) + 1, max(cell[0] for cell in cells) + 1
    corners = range(first, first + len(PLATE))
    print("*NODE, NSET=ALL")
    for node, x in (*points.items(), *zip(corners, PLATE)):
        print(node, *(f"{c:.15g}" for c in x), sep=",")
    print("*ELEMENT, TYPE=C3D20, ELSET=RING")
    for cell in cells:
        print(*cell[:11], sep=",", end=",\n")
        print(*cell[11:], sep=",")
    print("*ELEMENT, TYPE=C3D8, ELSET=PLATE")
    print(plate, *corners, sep=",")
    sets = {"MIDDLE": lambda x: abs(x[0]) < 1e-9, "TOP": lambda x: abs(x[1]) < 1e-9,
            "SIDES": lambda x: abs(x[2]) < 1e-9 or abs(x[2] - 1) < 1e-9}
    for name, holds in sets.items():
        print(f"*NSET, NSET={name}", *(node for node, x in points.items() if holds(x)), sep="\n")
    print("*NSET, NSET=CORNERS", *corners, sep="\n")
    print("*SURFACE, NAME=OUTSIDE, TYPE=ELEMENT")
    for cell in cells:
        for face, nodes in CORNERS.items():
            if all(abs(math.hypot(*points[cell[1 + i]][:2]) - RADIUS) < 1e-6 for i in nodes):
                print(f"{cell[0]},S{face}")
    print(f"""*SURFACE, NAME=TOP_OF_PLATE, TYPE=ELEMENT
{plate},S2
*MATERIAL, NAME=M
*ELASTIC
1000,0.3
*SOLID SECTION, ELSET=RING, MATERIAL=M
*SOLID SECTION, ELSET=PLATE, MATERIAL=M
*SURFACE INTERACTION, NAME=CONTACT
*SURFACE BEHAVIOR, PRESSURE-OVERCLOSURE=LINEAR
{CONTACT_STIFFNESS}.,0.001
*CONTACT PAIR, INTERACTION=CONTACT, TYPE=SURFACE TO SURFACE
OUTSIDE,TOP_OF_PLATE
*BOUNDARY
MIDDLE,1
SIDES,3
CORNERS,1,3
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
    {"deck": deck, "results": results}[sys.argv[1]](sys.argv[2])
