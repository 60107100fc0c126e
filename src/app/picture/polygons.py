"""The surface of a frame without VTK: the faces of the cells."""
import array
import math

from .folder import give_up
from .shapes import CORNERS, SHAPES, edges_of
from .vtu import arrays_of, pieces_of


class Polygons:
    """Like Surface, but without VTK: the faces of cells, with all nodes on their edges."""

    def __init__(self, file, field):
        at_rest = file.stem == "envelope"
        faces = {}
        self.components = 1
        for piece in pieces_of(file):
            known = arrays_of(piece)
            for name in [field] if at_rest else ["displacement", field]:
                if name not in known:
                    names = [each for each in known if each not in ("Points", "connectivity", "offsets", "types")]
                    give_up(f"{file} has no field '{name}', but {', '.join(names)}; "
                            f"see {'-envelope' if at_rest else '-fields'} of gearshift-solid")
            points, (values, components, of_cells) = known["Points"][0], known[field]
            self.components = components
            moves = known["displacement"][0] if not at_rest else array.array("d", bytes(8 * len(points)))
            nodes, start = known["connectivity"][0], 0
            for number, (end, kind) in enumerate(zip(known["offsets"][0], known["types"][0])):
                cell, start, corners = nodes[start:end], end, CORNERS.get(kind)
                if not corners:
                    continue
                inner = {}
                for a, *between, b in edges_of(corners, len(cell)):
                    inner[a, b], inner[b, a] = between, between[::-1]
                for side in SHAPES[corners][0]:
                    key = frozenset(tuple(points[3 * cell[i]:3 * cell[i] + 3]) for i in side)
                    if faces.pop(key, None):  # the same face of another cell: the face is inside the body
                        continue
                    ring = []
                    for a, b in zip(side, side[1:] + side[:1]):
                        ring += [cell[i] for i in (a, *inner[a, b])]
                    places = [number] if of_cells else ring
                    value_at = lambda i: values[i] if components == 1 \
                        else math.hypot(*values[components * i:components * (i + 1)])
                    value = sum(map(value_at, places)) / len(places)
                    take = lambda numbers: [tuple(numbers[3 * i:3 * i + 3]) for i in ring]
                    faces[key] = take(points), take(moves), value
        if not faces:
            give_up(f"{file} cannot be read")
        self.positions, self.displacements, self.values = (list(each) for each in zip(*faces.values()))
        every = [point for ring in self.positions for point in ring]
        self.size = math.dist(*([limit(x) for x in zip(*every)] for limit in (min, max)))

    def largest(self):
        return max(math.hypot(*move) for ring in self.displacements for move in ring)
