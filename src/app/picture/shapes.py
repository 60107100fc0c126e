"""Shapes of cells, and the sharp edges of a surface."""
import math

# Corners of the faces of VTK cells, and the edges of the cells in VTK's order and direction of their inner nodes.
SHAPES = {
    4: ([(0, 1, 3), (1, 2, 3), (2, 0, 3), (0, 2, 1)], [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]),
    6: ([(0, 1, 2), (3, 5, 4), (0, 3, 4, 1), (1, 4, 5, 2), (2, 5, 3, 0)],
        [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]),
    8: ([(0, 4, 7, 3), (1, 2, 6, 5), (0, 1, 5, 4), (3, 7, 6, 2), (0, 3, 2, 1), (4, 5, 6, 7)],
        [(0, 1), (1, 2), (3, 2), (0, 3), (4, 5), (5, 6), (7, 6), (4, 7), (0, 4), (1, 5), (2, 6), (3, 7)])}
CORNERS = {10: 4, 24: 4, 71: 4, 13: 6, 26: 6, 32: 6, 73: 6, 12: 8, 25: 8, 29: 8, 72: 8}  # corners by VTK cell type
NODES = {  # by corners: the number of nodes of a Lagrange cell of degree p
    4: lambda p: (p + 1) * (p + 2) * (p + 3) // 6,
    6: lambda p: (p + 1) ** 2 * (p + 2) // 2,
    8: lambda p: (p + 1) ** 3}


def edges_of(corners, count):
    """Returns the nodes on each edge of a cell with this number of corners and nodes, from one end to the other."""
    degree = 2 if (corners, count) in ((6, 15), (8, 20)) else 1  # without nodes inside the faces
    degree = next((p for p in range(2, 12) if NODES[corners](p) == count), degree)
    inner = degree - 1
    return [(a, *range(corners + i * inner, corners + (i + 1) * inner), b)
            for i, (a, b) in enumerate(SHAPES[corners][1])]


def features(polygons, size):
    """Returns the edges along which a surface of this size bends by more than 30 degrees, or ends."""
    edges, near = {}, 1e-5 * size  # points between nodes have single precision
    for polygon in polygons:
        points = [tuple(float(x) for x in point) for point in polygon]
        normal = [0, 0, 0]
        for a, b in zip(points, points[1:] + points[:1]):  # Newell's rule
            for i in range(3):
                normal[i] += (a[i - 2] - b[i - 2]) * (a[i - 1] + b[i - 1])
        length = math.hypot(*normal) or 1
        for edge in zip(points, points[1:] + points[:1]):
            ends = frozenset(tuple(round(x / near) for x in point) for point in edge)
            edges.setdefault(ends, (edge, []))[1].append([x / length for x in normal])
    along = lambda a, b: sum(x * y for x, y in zip(a, b))

    def bent(normals):
        if len(normals) > 2:  # between the parts of two ranks: each has its own side of the same face
            normals = [n for n in normals if all(along(n, other) > -0.999 for other in normals)]
        return normals and (len(normals) != 2 or along(*normals) < math.cos(math.radians(30)))

    return [edge for edge, normals in edges.values() if bent(normals)]
