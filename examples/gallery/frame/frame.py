#!/usr/bin/env python3
"""Writes the mesh of a two-storey frame, 6.4 m wide, 6.8 m high, members 0.4 m square: frame.py > frame.msh"""
SIZE, BAYS, STOREY = 0.4, 16, 8  # cells are cubes: 16 across, 8 for the height of a storey, 1 for a beam
FLOORS = (STOREY, 2 * STOREY)

cells = [(i, j) for i in (0, BAYS - 1) for j in range(FLOORS[-1] + 1)]
cells += [(i, j) for j in FLOORS for i in range(1, BAYS - 1)]
numbers = {}


def node(i, j, k):
    return numbers.setdefault((i, j, k), len(numbers) + 1)


hexahedra = [[node(i + a, j + b, k) for k in (0, 1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))] for i, j in cells]
feet = [[node(i, 0, 0), node(i + 1, 0, 0), node(i + 1, 0, 1), node(i, 0, 1)] for i, j in cells if j == 0]

print("$MeshFormat\n2.2 0 8\n$EndMeshFormat")
print('$PhysicalNames\n2\n2 1 "feet"\n3 2 "frame"\n$EndPhysicalNames')
print(f"$Nodes\n{len(numbers)}")
for (i, j, k), number in numbers.items():
    print(number, f"{SIZE * i:.10g} {SIZE * j:.10g} {SIZE * k:.10g}")
print(f"$EndNodes\n$Elements\n{len(feet) + len(hexahedra)}")
for number, quad in enumerate(feet, 1):
    print(number, 3, 2, 1, 1, *quad)
for number, cell in enumerate(hexahedra, len(feet) + 1):
    print(number, 5, 2, 2, 2, *cell)
print("$EndElements")
