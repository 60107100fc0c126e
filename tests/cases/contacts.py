"""Random contacts of a case with obstacles and another body in front of its faces."""
import math
import random
from dataclasses import replace

import quantities as q
from mesh import SIDES
from quantities import Ball, Block, Direction, Faces, Point, Profile, RigidMotion, Sides, Vector, Words, scalar

FIELDS = ("contact_pressure", "gap", "slip")
OBSTACLES = ("plane", "plane", "sphere", "cylinder", "box", "formula", "stl", "inside")


def length(v):
    return math.sqrt(sum(x * x for x in v))


def along(a, s, n):
    return tuple(x + s * y for x, y in zip(a, n))


def less(a, b):
    return along(a, -1, b)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


class Contacts:
    """Draws the contacts of a drawn case by random numbers of their own, so that the rest of the case stays as it is."""

    def __init__(self, draw):
        self.draw, self.case, self.keys = draw, draw.case, draw.keys
        self.r = random.Random(f"{self.case.seed} contact")
        self.moves = self.case.kind in ("fixed", "adaptive")
        self.L = draw.L

    def chance(self, p):
        return self.r.random() < p

    def faces(self):
        """Returns the faces of the box that are free to move along their normals."""
        held = ",".join(value.text for key, value in self.keys.items() if key.startswith(("clamp", "fix_")))
        held += "".join(key for key in self.keys if key.startswith("prescribe_"))
        return [name for name in SIDES if name in self.draw.faces and name not in held]

    def points(self, face):
        mesh = self.case.mesh
        nodes = {node for _, name, dimension, nodes in mesh.elements() if dimension == 2 and name == face for node in nodes}
        return [mesh.place(tuple(w / 2 for w in node)) for node in sorted(nodes)]

    def draw_all(self):
        if self.case.kind == "modes":
            return
        faces = self.faces()
        if self.chance(0.35):
            names = self.r.sample(("wall", "stop"), 2 if self.chance(0.3) else 1)
            for name in names:
                if faces:
                    self.contact(name, faces.pop(self.r.randrange(len(faces))))
        self.r = random.Random(f"{self.case.seed} fellow")
        if faces and self.chance(0.2):
            self.fellow(faces.pop(self.r.randrange(len(faces))))
        for key, count in (("probe_fields", 3), ("fields", 2), ("envelope", 1)):
            if key in self.keys and names_of(self.case):
                known = [name for name in FIELDS if key != "envelope" or name != "gap"]
                self.keys[key] = Words(",".join((self.keys[key].text, *self.r.sample(known, min(count, len(known))))))

    def fellow(self, face):
        """Puts another body in front of the face, held at its other end unless it may fly."""
        key, r = "contact_pair", self.r
        kinds = ("hexahedron", "tetrahedron", "wedge")
        degree = int(self.keys["degree"].text)
        kind = r.choice(kinds if degree <= 2 else kinds[:2] if degree == 3 else kinds[:1])
        counts = r.choice(((1, 1, 1), (2, 1, 3), (3, 2, 2)))
        mesh = replace(self.case.mesh, fellow=(face, r.choice((0.0, 0.002, 0.005, -0.002, -0.005)), kind, counts))
        self.case.mesh = mesh
        near = mesh.near_side()
        if self.chance(0.3):
            self.keys[key], self.keys[f"{key}_with"] = Faces((face, near)), Words("self")
        else:
            self.keys[key], self.keys[f"{key}_with"] = Faces((face,)), Faces((near,))
        if not self.case.free:
            held = self.keys["clamp"].text.split(",") if "clamp" in self.keys else []
            self.keys["clamp"] = Words(",".join((*held, "f" + face)))
        if mesh.fellow[1] < 0:
            self.keys[f"{key}_overlap"] = Words(r.choice(("keep", "remove")))
        self.behaviour(key)

    def contact(self, name, face):
        key, r, L = f"contact_{name}", self.r, self.L
        kind = r.choice(OBSTACLES)
        given = [face] if kind != "inside" else [each for each in self.faces()]
        points = [x for each in given for x in self.points(each)]
        axis, end = SIDES[face]
        self.out = tuple((2 * end - 1.0) if d == axis else 0.0 for d in range(3))
        gap = L * r.choice((0.002, 0.01, 0.01, -0.002, -0.01))
        self.keys[key] = Faces(tuple(given))
        self.obstacle(key, kind, points, gap)
        if gap < 0:
            self.keys[f"{key}_overlap"] = Words(r.choice(("keep", "remove")))
        self.motion(key, kind)
        self.behaviour(key)

    def behaviour(self, key):
        r = self.r
        if self.chance(0.4):
            self.keys[f"{key}_friction"] = Words(r.choice(("0.1", "0.5")))
            if not self.moves:
                pass  # statics has no velocities
            elif self.chance(0.6) or not self.has_speed(key):
                self.keys[f"{key}_slip_speed"] = scalar(r.choice((0.01, 0.1)), q.VELOCITY)
        if self.chance(0.4):
            self.keys[f"{key}_stiffness"] = Words(r.choice(("0.1", "1", "3") if self.moves else ("1", "30")))
        if self.moves and self.chance(0.3):
            self.keys[f"{key}_viscosity"] = Words(r.choice(("0", "0.3", "1")))

    def has_speed(self, key):
        """Returns true if a slip speed follows from the motion."""
        return f"{key}_motion" in self.keys or "initial_velocity" in self.keys

    def moved_to_gap(self, distance, points, gap):
        """Returns how far outwards an obstacle has to be for this gap; distance(shift, x)."""
        low, high = -20 * self.L, 20 * self.L
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (low, middle) if min(distance(middle, x) for x in points) > gap else (middle, high)
        return high

    def obstacle(self, key, kind, points, gap):
        r, L, n, keys = self.r, self.L, self.out, self.keys
        center = tuple(sum(x[d] for x in points) / len(points) for d in range(3))
        radius = L * r.choice((0.6, 2))
        if kind == "inside":
            self.enclose(key, points, gap)
        elif kind == "plane":
            normal = along(tuple(-x for x in n), 0.1, self.draw_direction())
            normal = tuple(x / length(normal) for x in normal)
            shift = self.moved_to_gap(lambda s, x: dot(normal, less(x, along(center, s, n))), points, gap)
            keys[f"{key}_obstacle"] = Words("plane")
            keys[f"{key}_point"] = Point(along(center, shift, n))
            keys[f"{key}_normal"] = Direction(tuple(3 * x for x in normal))
        elif kind in ("sphere", "formula"):
            growth = 0.01 * L if kind == "formula" and self.moves and self.chance(0.5) else 0.0
            shift = self.moved_to_gap(lambda s, x: length(less(x, along(center, s, n))) - radius, points, gap)
            where = along(center, shift, n)
            keys[f"{key}_obstacle"] = Words(kind)
            if kind == "formula":
                profile = Profile("ramp", self.draw.T / 2) if growth else Profile()
                keys[f"{key}_distance"] = Ball(where, radius, growth, profile)
            else:
                keys[f"{key}_center"], keys[f"{key}_radius"] = Point(where), scalar(radius, q.LENGTH)
        elif kind == "cylinder":
            axis = q.cross(n, self.draw_direction())
            axis = tuple(x / length(axis) for x in axis)
            distance = lambda s, x: length(q.cross(axis, less(x, along(center, s, n)))) - radius
            keys[f"{key}_obstacle"] = Words("cylinder")
            keys[f"{key}_center"] = Point(along(center, self.moved_to_gap(distance, points, gap), n))
            keys[f"{key}_axis"], keys[f"{key}_radius"] = Direction(axis), scalar(radius, q.LENGTH)
        else:
            self.cuboid(key, kind, points, center, gap)

    def cuboid(self, key, kind, points, center, gap):
        """A side of the cuboid is in front of the face; for a box, in some cases an edge beside its middle is."""
        L, n, keys = self.L, self.out, self.keys
        side = 6 * L
        if kind == "box" and self.chance(0.3):
            beside = (n[1], n[2], n[0])
            center = along(center, side / 2 + 0.01 * L, beside)
        shift = self.moved_to_gap(lambda s, x: dot(less(center, x), n) + s - side / 2, points, gap)
        where = along(center, shift, n)
        keys[f"{key}_obstacle"] = Words("box") if kind == "box" else Block(
            where, tuple(tuple(side * (c == d) for d in range(3)) for c in range(3)))
        if kind == "box":
            keys[f"{key}_center"], keys[f"{key}_size"] = Point(where), Sides((side,) * 3)

    def enclose(self, key, points, gap):
        L, keys = self.L, self.keys
        low, high = (tuple(f(x[d] for x in points) for d in range(3)) for f in (min, max))
        center = tuple((a + b) / 2 for a, b in zip(low, high))
        keys[f"{key}_inside"] = Words("true")
        keys[f"{key}_center"] = Point(center)
        if self.chance(0.5):
            keys[f"{key}_obstacle"] = Words("sphere")
            keys[f"{key}_radius"] = scalar(max(length(less(x, center)) for x in points) + gap, q.LENGTH)
        else:
            keys[f"{key}_obstacle"] = Words("box")
            keys[f"{key}_size"] = Sides(tuple(b - a + 2 * (gap if d == 0 else max(gap, 0.05 * L))
                                              for d, (a, b) in enumerate(zip(low, high))))

    def motion(self, key, kind):
        """Lets most obstacles come nearer; turns are about points that move with the body only for some obstacles."""
        r, L, keys = self.r, self.L, self.keys
        profile = r.choice((Profile("ramp", self.draw.T / 2), Profile("sine", self.draw.T / 3))) if self.moves else Profile()
        if self.chance(0.7):
            way = along(tuple(-0.015 * L * x for x in self.out), 0.005 * L, self.draw_direction())
            keys[f"{key}_motion"] = RigidMotion(way, profile)
        if self.chance(0.2) and kind not in ("formula", "stl", "box", "inside"):
            keys[f"{key}_rotation"] = Vector(tuple(0.02 * x for x in self.draw_direction()), q.NONE, profile)

    def draw_direction(self):
        while True:
            v = tuple(self.r.gauss(0, 1) for _ in range(3))
            if length(v) > 0.1:
                return tuple(x / length(v) for x in v)


def names_of(case):
    return sorted({key.split("_")[1] for key in case.keys if key.startswith("contact_")})
