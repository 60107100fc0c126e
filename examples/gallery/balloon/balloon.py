#!/usr/bin/env python3
"""Writes an eighth of a spherical shell: 3 n x n cells of second order, one cell through the thickness:
balloon.py n outer > balloon.msh

The inner radius is 1. The faces are inner, outer, and x0, y0, z0 in the planes of symmetry.
"""
import math
import sys

n, outer = int(sys.argv[1]), float(sys.argv[2])
nodes, cells, faces = {}, [], []


def node(axis, i, j, k):
    """Returns a node of the patch around an axis: half steps i, j along the sphere, k through the thickness."""
    along = [1.0, math.tan(math.pi / 8 * i / n), math.tan(math.pi / 8 * j / n)]
    length = math.hypot(*along)
    radius = 1 + (outer - 1) * k / 2
    place = tuple(round(radius * along[(c - axis) % 3] / length, 12) + 0.0 for c in range(3))
    return nodes.setdefault(place, len(nodes) + 1)


VERTICES = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
EDGES = [(0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)]
SIDES = [(0, 1, 2, 3), (0, 1, 5, 4), (0, 3, 7, 4), (1, 2, 6, 5), (2, 3, 7, 6), (4, 5, 6, 7)]


def middle(places):
    return tuple(sum(p[c] for p in places) // len(places) for c in range(3))


HEXAHEDRON = (VERTICES + [middle([VERTICES[v] for v in e]) for e in EDGES] +
              [middle([VERTICES[v] for v in s]) for s in SIDES] + [(1, 1, 1)])


def quadrangle(side):
    corners = [VERTICES[v] for v in SIDES[side]]
    return corners + [middle([corners[a], corners[(a + 1) % 4]]) for a in range(4)] + [middle(corners)]


for axis in range(3):
    for i in range(n):
        for j in range(n):
            here = lambda places: [node(axis, 2 * i + a, 2 * j + b, k) for a, b, k in places]
            cells.append(here(HEXAHEDRON))
            faces += [(2, here(quadrangle(0))), (3, here(quadrangle(5)))]
            if j == 0:
                faces.append((4 + (axis + 2) % 3, here(quadrangle(1))))
            if i == 0:
                faces.append((4 + (axis + 1) % 3, here(quadrangle(2))))

print("$MeshFormat\n2.2 0 8\n$EndMeshFormat")
print('$PhysicalNames\n6\n2 2 "inner"\n2 3 "outer"\n2 4 "x0"\n2 5 "y0"\n2 6 "z0"\n3 1 "rubber"\n$EndPhysicalNames')
print(f"$Nodes\n{len(nodes)}")
for place, number in nodes.items():
    print(number, *(f"{x:.13g}" for x in place))
print(f"$EndNodes\n$Elements\n{len(cells) + len(faces)}")
for number, (tag, members) in enumerate(faces, 1):
    print(number, 10, 2, tag, tag, *members)
for number, members in enumerate(cells, len(faces) + 1):
    print(number, 12, 2, 1, 1, *members)
print("$EndElements")
