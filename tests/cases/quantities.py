"""Values of options and their transformation when a body is rotated, shifted, thrown or measured in other units.

A Frame maps points of the original case to points of the other one, x -> R x + shift; its units are the factors by
which numbers with the dimension of mass, length and time grow. Dimensions are exponents (mass, length, time).
"""
import math
from dataclasses import dataclass, field

IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))

NONE = (0, 0, 0)
LENGTH, TIME, MASS, VELOCITY, ACCELERATION = (0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, -1), (0, 1, -2)
FORCE, MOMENT, STRESS, DENSITY, RATE = (1, 1, -2), (1, 2, -2), (1, -1, -2), (1, -3, 0), (0, 0, -1)
STIFFNESS_OF_AREA, DAMPING_OF_AREA, ENERGY, MOMENTUM = (1, -2, -2), (1, -2, -1), (1, 2, -2), (1, 1, -1)


def times(A, x):
    return tuple(sum(A[i][j] * x[j] for j in range(3)) for i in range(3))


def product(A, B):
    return tuple(tuple(sum(A[i][k] * B[k][j] for k in range(3)) for j in range(3)) for i in range(3))


def transposed(A):
    return tuple(zip(*A))


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@dataclass(frozen=True)
class Frame:
    R: tuple = IDENTITY
    shift: tuple = (0.0, 0.0, 0.0)
    units: tuple = (1.0, 1.0, 1.0)  # of mass, length, time

    def factor(self, dimension):
        result = 1.0
        for unit, power in zip(self.units, dimension):
            result *= unit ** power
        return result

    def scalar(self, value, dimension):
        return value * self.factor(dimension)

    def vector(self, value, dimension):
        return tuple(self.scalar(x, dimension) for x in times(self.R, value))

    def point(self, value):
        return tuple(self.scalar(x + s, LENGTH) for x, s in zip(times(self.R, value), self.shift))

    def tensor(self, six, dimension):
        """Transforms a symmetric tensor, given as xx yy zz xy yz xz."""
        xx, yy, zz, xy, yz, xz = six
        S = product(product(self.R, ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))), transposed(self.R))
        return tuple(self.scalar(S[i][j], dimension) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (1, 2), (0, 2)))


def number(x):
    """Formats a number; one that starts with a minus sign could be mistaken for an option."""
    return repr(float(x) + 0.0) if x >= 0 or x != x else f"0-{-float(x)!r}"


@dataclass(frozen=True)
class Profile:
    """Variation of a load with time: 1, ramp(t/T), sin(t/T), the table record or, with zero derivatives, sin(t/T)^4."""
    kind: str = "constant"
    time: float = 1.0

    def at(self, t):
        a = min(max(t / self.time, 0.0), 1.0)
        return {"constant": 1.0, "ramp": a ** 3 * (10 - 15 * a + 6 * a * a), "sine": math.sin(t / self.time)}[self.kind]

    def of(self, frame, text):
        T = number(frame.scalar(self.time, TIME))
        if self.kind == "ramp":
            return f"({text})*ramp(t/{T})"
        if self.kind == "sine":
            return f"({text})*sin(t/{T})"
        if self.kind == "smooth":
            return f"({text})*sin(t/{T})^4"
        if self.kind == "record":
            return f"({text})*record(t)"
        return text


@dataclass(frozen=True)
class Words:
    text: str

    def of(self, frame):
        return self.text


@dataclass(frozen=True)
class Scalars:
    """Numbers, each with its dimension, separated by commas."""
    values: tuple
    dimensions: tuple
    profile: Profile = Profile()

    def of(self, frame):
        scaled = [frame.scalar(x, d) for x, d in zip(self.values, self.dimensions)]
        if self.profile == Profile():  # options that take no formulas
            return ",".join(repr(float(x)) for x in scaled)
        return ",".join(self.profile.of(frame, number(x)) for x in scaled)


def scalar(value, dimension, profile=Profile()):
    return Scalars((value,), (dimension,), profile)


@dataclass(frozen=True)
class Vector:
    value: tuple
    dimension: tuple
    profile: Profile = Profile()
    given: tuple = (True, True, True)  # the other components are free; such a vector cannot be rotated

    def of(self, frame):
        return ",".join(self.profile.of(frame, number(x)) if given else "free"
                        for x, given in zip(frame.vector(self.value, self.dimension), self.given))


@dataclass(frozen=True)
class Point:
    value: tuple

    def of(self, frame):
        return ",".join(repr(x) for x in frame.point(self.value))


@dataclass(frozen=True)
class Direction:
    value: tuple

    def of(self, frame):
        return ",".join(repr(x) for x in frame.vector(self.value, NONE))


@dataclass(frozen=True)
class Table:
    """A file of rows t, value. Columns between the two have other numbers."""
    rows: tuple
    column: int = 2

    def write(self, path, frame):
        with open(path, "w", encoding="ascii") as file:
            for i, (t, value) in enumerate(self.rows):
                others = [float(i)] * (self.column - 2)
                file.write(",".join(repr(x) for x in (frame.scalar(t, TIME), *others, value)) + "\n")


@dataclass(frozen=True)
class PointValues:
    """A file of rows x, y, z and a vector of the given dimension."""
    rows: tuple
    dimension: tuple

    def write(self, path, frame):
        with open(path, "w", encoding="ascii") as file:
            for point, vector in self.rows:
                row = (*frame.point(point), *frame.vector(vector, self.dimension))
                file.write(",".join(repr(float(x)) for x in row) + "\n")


@dataclass(frozen=True)
class LinearField:
    """The vector field constant + gradient (x - centre) of the given dimension."""
    constant: tuple
    gradient: tuple
    centre: tuple
    dimension: tuple
    profile: Profile = field(default_factory=Profile)

    def of(self, frame):
        c = frame.point(self.centre)
        A = product(product(frame.R, self.gradient), transposed(frame.R))
        per_length = tuple(d - l for d, l in zip(self.dimension, LENGTH))
        b = frame.vector(self.constant, self.dimension)
        rows = []
        for i in range(3):
            terms = [number(b[i])]
            terms += [f"({number(frame.scalar(A[i][j], per_length))})*({name}-({number(c[j])}))"
                      for j, name in enumerate("xyz")]
            rows.append(self.profile.of(frame, "+".join(f"({t})" for t in terms)))
        return ",".join(rows)

    def thrown(self, velocity):
        return LinearField(tuple(a + b for a, b in zip(self.constant, velocity)), self.gradient, self.centre,
                           self.dimension, self.profile)


@dataclass(frozen=True)
class Faces:
    """Names of faces, of which xmax may be split."""
    names: tuple

    def of(self, frame):
        del frame
        return ",".join(self.names)

    def split(self):
        return Faces(tuple(half for name in self.names for half in (("xmaxa", "xmaxb") if name == "xmax" else (name,))))


@dataclass(frozen=True)
class Sides:
    """Lengths along the axes, which may only be turned by right angles."""
    lengths: tuple

    def of(self, frame):
        return ",".join(repr(abs(x)) for x in frame.vector(self.lengths, LENGTH))


@dataclass(frozen=True)
class RigidMotion:
    """Displacement of an obstacle, with a constant velocity in addition."""
    value: tuple = (0.0, 0.0, 0.0)
    profile: Profile = Profile()
    velocity: tuple = (0.0, 0.0, 0.0)

    def of(self, frame):
        return ",".join(self.profile.of(frame, number(x)) + (f"+({number(v)})*t" if any(self.velocity) else "")
                        for x, v in zip(frame.vector(self.value, LENGTH), frame.vector(self.velocity, VELOCITY)))

    def thrown(self, velocity):
        return RigidMotion(self.value, self.profile, tuple(a + b for a, b in zip(self.velocity, velocity)))


@dataclass(frozen=True)
class Ball:
    """The distance from a sphere that grows, as a formula."""
    center: tuple
    radius: float
    growth: float
    profile: Profile = Profile()

    def of(self, frame):
        squares = "+".join(f"({name}-({number(c)}))^2" for name, c in zip("xyz", frame.point(self.center)))
        growth = self.profile.of(frame, number(frame.scalar(self.growth, LENGTH)))
        return f"sqrt({squares})-({number(frame.scalar(self.radius, LENGTH))})-({growth})"


@dataclass(frozen=True)
class Block:
    """An STL file of a cuboid with the given sides along three orthogonal directions."""
    center: tuple
    sides: tuple  # three vectors, right-handed
    ending = ".stl"

    def write(self, path, frame):
        corner = lambda *signs: frame.point(tuple(c + sum(s * side[d] / 2 for s, side in zip(signs, self.sides))
                                                  for d, c in enumerate(self.center)))
        with open(path, "w", encoding="ascii") as file:
            file.write("solid block\n")
            for axis in range(3):
                for end in (-1, 1):
                    around = [(a, b) if end > 0 else (b, a) for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
                    square = []
                    for a, b in around:
                        signs = [end, end, end]
                        signs[(axis + 1) % 3], signs[(axis + 2) % 3] = a, b
                        square.append(corner(*signs))
                    for triangle in (square[:3], (square[0], *square[2:])):
                        file.write("facet normal 0 0 0\nouter loop\n")
                        file.writelines(f"vertex {x!r} {y!r} {z!r}\n" for x, y, z in triangle)
                        file.write("endloop\nendfacet\n")
            file.write("endsolid block\n")
