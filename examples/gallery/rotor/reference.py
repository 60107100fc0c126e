#!/usr/bin/env python3
"""Closed forms for the rotor: deflection of the shaft's middle by beam theory, stresses of the disc in plane stress.

  reference.py [SPEED ...]      speeds of the shaft in rad/s

Shaft: E I u'''' = rho A w^2 (u + e), clamped at both ends, so that u = e (c1 cosh k s + c2 cos k s - 1) with s from the
middle and k^4 = rho A w^2 / E I. Disc: Timoshenko and Goodier, Theory of Elasticity, section 32.
"""
import math
import sys

E, NU, RHO = 210e9, 0.3, 7800
LENGTH, SIDE, OFFSET = 1, 0.01, 1e-4
BORE, RIM, SPIN = 0.05, 0.2, 1047.1975512


def middle(speed):
    a = (RHO * speed**2 / (E * SIDE**2 / 12)) ** 0.25 * LENGTH / 2
    ends = math.cosh(a) * math.sin(a) + math.sinh(a) * math.cos(a)
    return OFFSET * ((math.sin(a) + math.sinh(a)) / ends - 1)


def critical():
    low, high = 4.7, 4.8  # bracket of the root k L of cos cosh = 1
    for _ in range(60):
        mid = (low + high) / 2
        low, high = (mid, high) if math.cos(mid) * math.cosh(mid) < 1 else (low, mid)
    return low**2 * math.sqrt(E * SIDE**2 / 12 / RHO)


print(f"critical speed {critical():.4f}")
for speed in [float(word) for word in sys.argv[1:]]:
    print(f"{speed:g}: {middle(speed):.8e}")
square = RHO * SPIN**2
hoop = (3 + NU) / 4 * square * (RIM**2 + (1 - NU) / (3 + NU) * BORE**2)
rim = RHO * SPIN**2 / 4 * ((1 - NU) * RIM**2 + (3 + NU) * BORE**2)
print(f"hoop stress at the bore {hoop:.6e}, at the rim {rim:.6e}, radial growth of the rim {rim * RIM / E:.6e}")
