#!/usr/bin/env python3
"""Computes the pressure in a spherical shell of incompressible rubber, inner radius 1, at given inner stretches:
reference.py outer stretch ...

p = integral over the stretch l from the outer to the inner one of W'(l) / (l^3 - 1), W(l) = W(l, l, 1/l^2).
(A. Green, W. Adkins, Large Elastic Deformations, 1960, 3.10; R. Ogden, Non-Linear Elastic Deformations, 1984, 5.3.2)
"""
import sys

TERMS = [(6.3, 1.3), (0.012, 5.0), (-0.1, -2.0)]  # Treloar's rubber, bar (R. Ogden, Proc. R. Soc. Lond. A 326, 1972)


def integrand(l):
    return sum(2 * mu * (l ** (alpha - 1) - l ** (-2 * alpha - 1)) for mu, alpha in TERMS) / (l**3 - 1)


def pressure(outer, stretch, parts=200):
    end = ((outer**3 - 1 + stretch**3) / outer**3) ** (1 / 3)
    h = (stretch - end) / parts
    return h / 3 * sum((1 if i in (0, parts) else 4 if i % 2 else 2) * integrand(end + h * i) for i in range(parts + 1))


def main():
    outer = float(sys.argv[1])
    for stretch in map(float, sys.argv[2:]):
        print(f"{stretch:g} {pressure(outer, stretch):.6f}")
    # The maximum of the pressure, by golden-section search, and the minimum after it.
    for low, high, sign, name in ((1.1, 2, 1, "greatest"), (2, 8, -1, "least after it")):
        for _ in range(60):
            a, b = high - 0.618034 * (high - low), low + 0.618034 * (high - low)
            low, high = (low, b) if sign * pressure(outer, a) > sign * pressure(outer, b) else (a, high)
        print(f"{name}: {pressure(outer, low):.6f} at a stretch of {low:.5f}")


if __name__ == "__main__":
    main()
