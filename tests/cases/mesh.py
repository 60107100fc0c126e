"""Small meshes of hexahedra, tetrahedra and wedges, straight or curved, as Gmsh files of version 2.2."""
import itertools
import math
from dataclasses import dataclass

CUBE = ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))
HEXAHEDRON = (CUBE, ((0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)),
              ((0, 1, 2, 3), (0, 1, 4, 5), (0, 3, 4, 7), (1, 2, 5, 6), (2, 3, 6, 7), (4, 5, 6, 7)), True)
EDGES_OF_TETRAHEDRON = ((0, 1), (1, 2), (2, 0), (3, 0), (2, 3), (1, 3))
EDGES_OF_WEDGE = ((0, 1), (0, 2), (0, 3), (1, 2), (1, 4), (2, 5), (3, 4), (3, 5), (4, 5))
FACES_OF_WEDGE = ((0, 1, 4, 3), (0, 2, 5, 3), (1, 2, 5, 4))
QUADRILATERAL = ((0, 1), (1, 2), (2, 3), (3, 0))
TRIANGLE = ((0, 1), (1, 2), (2, 0))
# Gmsh's types: of degree 1 and 2
TYPES = {"hexahedron": (5, 12), "tetrahedron": (4, 11), "wedge": (6, 13), "quadrilateral": (3, 10), "triangle": (2, 9)}
FAR = 1000
SIDES = {"xmin": (0, 0), "xmax": (0, 1), "ymin": (1, 0), "ymax": (1, 1), "zmin": (2, 0), "zmax": (2, 1)}


def tetrahedra():
    """Returns the six tetrahedra of a cube around its diagonal, right-handed."""
    for axes in itertools.permutations(range(3)):
        corner, path = [0, 0, 0], [(0, 0, 0)]
        for axis in axes:
            corner[axis] = 1
            path.append(tuple(corner))
        even = axes in ((0, 1, 2), (1, 2, 0), (2, 0, 1))
        yield tuple(path) if even else (path[0], path[2], path[1], path[3])


def wedges():
    for triangle in (((0, 0), (1, 0), (1, 1)), ((0, 0), (1, 1), (0, 1))):
        yield tuple((x, y, z) for z in (0, 1) for x, y in triangle)


CELLS = {"hexahedron": (CUBE,), "tetrahedron": tuple(tetrahedra()), "wedge": tuple(wedges())}


@dataclass(frozen=True)
class Mesh:
    """A box of `counts` cells whose points are moved by a smooth map."""
    kind: str
    counts: tuple
    size: tuple
    geometry: int = 1  # degree of the cells' geometry
    bend: float = 0.0  # amplitude of the map; 0: straight
    regions: int = 1
    seed: int = 0  # of the order of cells and nodes; 0: natural order
    cavity: tuple = ()  # a missing cell; the sides around it are the face hole
    split: str = ""  # "region", "face": divides region r0, or face xmax, into two, named with the suffixes a and b
    fellow: tuple = ()  # (face, gap / size, kind, counts): another body in front of a face, with the faces fxmin, ...

    def place(self, where):
        """Returns the position of a point given in units of cells; those of the fellow are shifted by FAR."""
        if where[0] >= FAR / 2:
            where = self.in_front(where)
        x, y, z = (w / n * s for w, n, s in zip(where, self.counts, self.size))
        L = max(self.size)
        return (x + self.bend * z * math.sin(2 * y / L), y + self.bend * L * (x / L) ** 2, z + self.bend * x * y / L)

    def in_front(self, where):
        """Returns the place of a point of the fellow, which is somewhat smaller than the face, in units of cells."""
        face, gap, _, counts = self.fellow
        axis, end = SIDES[face]
        parts = [(w - FAR * (d == 0)) / n for d, (w, n) in enumerate(zip(where, counts))]
        whole = [n * (0.1 + 0.8 * part) for n, part in zip(self.counts, parts)]
        beyond = self.counts[axis] * gap + (parts[axis] if end else 1 - parts[axis])
        whole[axis] = self.counts[axis] + beyond if end else -beyond
        return tuple(whole)

    def near_side(self):
        """Returns the face of the fellow opposite to the body's."""
        return "f" + self.fellow[0].replace("max", "_").replace("min", "max").replace("_", "min")

    def nodes_of(self, cell, corners):
        """Returns the nodes in Gmsh's order, as points in half cells."""
        twice = [tuple(2 * (c + k) for c, k in zip(cell, corner)) for corner in corners]
        nodes = list(twice)
        if self.geometry == 1:
            return nodes
        edges, faces, centre = {8: HEXAHEDRON[1:], 4: (EDGES_OF_TETRAHEDRON, (), False),
                                6: (EDGES_OF_WEDGE, FACES_OF_WEDGE, False)}[len(corners)]
        for group in (*edges, *faces, *((tuple(range(8)),) if centre else ())):
            nodes.append(tuple(sum(twice[v][d] for v in group) // len(group) for d in range(3)))
        return nodes

    def side_nodes(self, corners):
        edges = QUADRILATERAL if len(corners) == 4 else TRIANGLE
        nodes = list(corners)
        if self.geometry == 2:
            groups = [*edges, *((tuple(range(4)),) if len(corners) == 4 else ())]
            nodes += [tuple(sum(corners[v][d] for v in g) // len(g) for d in range(3)) for g in groups]
        return nodes

    def region_of(self, cell):
        index = cell[0] * self.regions // self.counts[0]
        name = f"r{index}"
        return name + "ab"[cell[1] % 2] if self.split == "region" and index == 0 else name

    def side_of(self, cell, name):
        """Returns the name of the face on this side of a cell: of the box, of the cavity, or None."""
        axis, end = SIDES[name]
        neighbour = tuple(c + (2 * end - 1 if d == axis else 0) for d, c in enumerate(cell))
        if not 0 <= neighbour[axis] < self.counts[axis]:
            return name + "ab"[cell[1] % 2] if self.split == "face" and name == "xmax" else name
        return "hole" if neighbour == self.cavity else ""

    def elements(self):
        """Yields (type, physical name, dimension, nodes) of all cells and sides."""
        cells, sides = [], []
        for cell in itertools.product(*(range(n) for n in self.counts)):
            if cell == self.cavity:
                continue
            for corners in CELLS[self.kind]:
                cells.append((TYPES[self.kind][self.geometry - 1], self.region_of(cell), 3, self.nodes_of(cell, corners)))
                for name, (axis, end) in SIDES.items():
                    label = self.side_of(cell, name)
                    if not label:
                        continue
                    on = [v for v in corners if v[axis] == end]
                    if len(on) < 3:
                        continue
                    on = [tuple(2 * (c + k) for c, k in zip(cell, v)) for v in self.around(on, axis)]
                    kind = "quadrilateral" if len(on) == 4 else "triangle"
                    sides.append((TYPES[kind][self.geometry - 1], label, 2, self.side_nodes(on)))
        if self.fellow:
            self.add_fellow(sides, cells)
        return sides + cells

    def add_fellow(self, sides, cells):
        _, _, kind, counts = self.fellow
        own = Mesh(kind, counts, self.size, self.geometry)
        for kind, name, dimension, nodes in own.elements():
            nodes = [(x + 2 * FAR, y, z) for x, y, z in nodes]
            (cells if dimension == 3 else sides).append((kind, "fellow" if dimension == 3 else "f" + name, dimension, nodes))

    @staticmethod
    def around(corners, axis):
        """Returns corners in cyclic order."""
        if len(corners) == 3:
            return corners
        others = [d for d in range(3) if d != axis]
        order = {(0, 0): 0, (1, 0): 1, (1, 1): 2, (0, 1): 3}
        return sorted(corners, key=lambda v: order[tuple(v[d] for d in others)])

    def write(self, path, frame, random):
        elements = self.elements()
        if self.seed:
            random.shuffle(elements)
        places = {}
        for *_, nodes in elements:
            for node in nodes:
                places.setdefault(node, None)
        order = list(places)
        if self.seed:
            random.shuffle(order)
        numbers = {node: i + 1 for i, node in enumerate(order)}
        names = sorted({(dimension, name) for _, name, dimension, _ in elements})
        tags = {name: i + 1 for i, (_, name) in enumerate(names)}
        with open(path, "w", encoding="ascii") as file:
            file.write("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n%d\n" % len(names))
            for dimension, name in names:
                file.write(f'{dimension} {tags[name]} "{name}"\n')
            file.write("$EndPhysicalNames\n$Nodes\n%d\n" % len(order))
            for node in order:
                x, y, z = frame.point(self.place(tuple(w / 2 for w in node)))
                file.write(f"{numbers[node]} {x!r} {y!r} {z!r}\n")
            file.write("$EndNodes\n$Elements\n%d\n" % len(elements))
            for i, (kind, name, _, nodes) in enumerate(elements):
                file.write(f"{i + 1} {kind} 2 {tags[name]} {tags[name]} " + " ".join(str(numbers[n]) for n in nodes) + "\n")
            file.write("$EndElements\n")
