#!/usr/bin/env python3
"""Writes a quarter of a cylinder with axis z: hexahedra of degree 2, outer faces on the circle: bar.py > bar.msh"""
import math

RADIUS, LENGTH = 3.2e-3, 32.4e-3  # [m]
CORE, RING, ALONG = 2, 2, 14  # cells along an edge of the core, from the core to the rim, along the axis
GROWTH = 1.09  # ratio of the heights of neighbouring layers of cells, away from the foot


def place(block, s, t):
    """Returns the position of (s, t), a point of the unit square, in one of the blocks."""
    half = 0.5 * RADIUS
    if block == "core":  # its outer corner is moved towards the rim a little, to avoid flat angles
        bulge = 1 + 0.1 * (s * t)
        return half * s * bulge, half * t * bulge
    angle = math.pi / 4 * t
    inner = place("core", 1, t)
    x = (1 - s) * inner[0] + s * RADIUS * math.cos(angle)
    y = (1 - s) * inner[1] + s * RADIUS * math.sin(angle)
    return (x, y) if block == "right" else (y, x)


def height(k):
    """Returns the height of half layer k."""
    layers = [GROWTH**i for i in range(ALONG)]
    whole = sum(layers[: k // 2]) + (layers[k // 2] / 2 if k % 2 else 0)
    return LENGTH * whole / sum(layers)


numbers, points = {}, []


def node(block, cells, i, j, k):
    x, y = place(block, i / (2 * cells[0]), j / (2 * cells[1]))
    key = (round(x * 1e9), round(y * 1e9), k)
    if key not in numbers:
        points.append((x, y, height(k)))
        numbers[key] = len(points)
    return numbers[key]


VERTICES = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
EDGES = [(0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)]
FACES = [(0, 3, 2, 1), (0, 1, 5, 4), (0, 4, 7, 3), (1, 2, 6, 5), (2, 3, 7, 6), (4, 5, 6, 7)]


def middle(corners):
    return tuple(sum(2 * VERTICES[c][d] for c in corners) // len(corners) for d in range(3))


def on_axis_plane(face, axis):
    return all(abs(points[n - 1][axis]) < 1e-12 for n in face)


hexahedra, quadrangles = [], []
for block, cells in (("core", (CORE, CORE)), ("right", (RING, CORE)), ("top", (RING, CORE))):
    turned = block == "top"  # the mirror image of "right": its first two directions are exchanged
    for k in range(ALONG):
        for i in range(cells[0]):
            for j in range(cells[1]):

                def at(offset):
                    a, b, c = offset
                    if turned:
                        a, b = b, a
                    return node(block, cells, 2 * i + a, 2 * j + b, 2 * k + c)

                cell = [at(tuple(2 * x for x in v)) for v in VERTICES]
                cell += [at(middle(e)) for e in EDGES] + [at(middle(f)) for f in FACES] + [at((1, 1, 1))]
                hexahedra.append(cell)
                for number, face in enumerate(FACES):
                    sides = [frozenset((face[m], face[(m + 1) % 4])) for m in range(4)]
                    quad = [cell[v] for v in face]
                    quad += [cell[8 + [frozenset(e) for e in EDGES].index(side)] for side in sides] + [cell[20 + number]]
                    rim = block != "core" and all(
                        abs(math.hypot(*points[n - 1][:2]) - RADIUS) < 1e-12 for n in quad)
                    for name, belongs in ((1, on_axis_plane(quad, 0)), (2, on_axis_plane(quad, 1)),
                                          (3, on_axis_plane(quad, 2)), (4, rim)):
                        if belongs:
                            quadrangles.append((name, quad))

print("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n5")
print('2 1 "plane_x"\n2 2 "plane_y"\n2 3 "foot"\n2 4 "side"\n3 5 "copper"\n$EndPhysicalNames')
print(f"$Nodes\n{len(points)}")
for number, (x, y, z) in enumerate(points, 1):
    print(number, f"{x:.12g} {y:.12g} {z:.12g}")
print(f"$EndNodes\n$Elements\n{len(quadrangles) + len(hexahedra)}")
number = 0
for name, quad in quadrangles:
    number += 1
    print(number, 10, 2, name, name, *quad)
for cell in hexahedra:
    number += 1
    print(number, 12, 2, 5, 5, *cell)
print("$EndElements")
