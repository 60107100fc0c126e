#!/usr/bin/env python3
"""Torque per length and angle between the sleeves of a long bushing of incompressible Yeoh rubber, radii 1 and 2:
reference.py c1 c2 c3 angle ...

Circles rotate without changing shape (azimuthal shear): with the shear k(r) = r phi'(r), for which Ibar1 - 3 = k^2,
  2 (c1 + 2 c2 k^2 + 3 c3 k^4) k = T / (2 pi r^2),   angle = integral of k / r from 1 to 2.
(R. Rivlin, Phil. Trans. R. Soc. Lond. A 242, 1949; R. Ogden, Non-Linear Elastic Deformations, 1984, 5.3)
"""
import math
import sys

C = [float(word) for word in sys.argv[1:4]]


def bisect(f, low, high):
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) < 0 else (low, middle)
    return low


def shear(stress):
    return bisect(lambda k: 2 * k * (C[0] + 2 * C[1] * k * k + 3 * C[2] * k**4) - stress, 0, 100)


def angle(torque, parts=100):
    def integrand(r):
        return shear(torque / (2 * math.pi * r * r)) / r

    return sum((1 if i in (0, parts) else 4 if i % 2 else 2) * integrand(1 + i / parts) for i in range(parts + 1)) / (3 * parts)


for wanted in map(float, sys.argv[4:]):
    print(f"{wanted:g} {bisect(lambda T: angle(T) - wanted, 0, 1000):.6f}")
