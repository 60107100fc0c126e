#!/usr/bin/env python3
"""Writes a voxel mesh of a unit cube with stiff balls, n x n x n cells as from a scan: block.py n > block.msh

A cell belongs to a ball if its centre does. The regions are called matrix and inclusions.
"""
import sys

BALLS = 20
n = int(sys.argv[1])


def numbers(seed=7):
    while True:  # a linear congruential generator (Lewis, Goodman, Miller 1969), identical on all machines
        seed = 16807 * seed % 2147483647
        yield seed / 2147483647


def balls():
    """Returns centres and radii of the balls: all inside the cube, gaps of 0.1 times the sum of their radii or more."""
    draw, found = numbers(), []
    while len(found) < BALLS:
        radius = 0.08 + 0.1 * next(draw)
        centre = [radius + (1 - 2 * radius) * next(draw) for _ in range(3)]
        if all(sum((a - b) ** 2 for a, b in zip(centre, c)) > (1.1 * (radius + r)) ** 2 for c, r in found):
            found.append((centre, radius))
    return found


def region(i, j, k):
    centre = [(index + 0.5) / n for index in (i, j, k)]
    return 2 if any(sum((a - b) ** 2 for a, b in zip(centre, c)) < r * r for c, r in BLOCK) else 1


def node(i, j, k):
    return 1 + i + (n + 1) * (j + (n + 1) * k)


BLOCK = balls()
print("$MeshFormat\n2.2 0 8\n$EndMeshFormat")
print('$PhysicalNames\n4\n2 3 "bottom"\n2 4 "top"\n3 1 "matrix"\n3 2 "inclusions"\n$EndPhysicalNames')
print(f"$Nodes\n{(n + 1) ** 3}")
for k in range(n + 1):
    for j in range(n + 1):
        for i in range(n + 1):
            print(node(i, j, k), f"{i / n:.10g} {j / n:.10g} {k / n:.10g}")
print(f"$EndNodes\n$Elements\n{n ** 3 + 2 * n * n}")
number = 0
for tag, k in ((3, 0), (4, n)):
    for j in range(n):
        for i in range(n):
            number += 1
            print(number, 3, 2, tag, tag, node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k))
for k in range(n):
    for j in range(n):
        for i in range(n):
            number += 1
            tag = region(i, j, k)
            print(number, 5, 2, tag, tag, *(node(i + a, j + b, k + c)
                                            for c in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))))
print("$EndElements")
