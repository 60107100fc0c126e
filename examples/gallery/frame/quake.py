#!/usr/bin/env python3
"""Writes a synthetic earthquake: noise filtered by a ground that oscillates at 2.5 Hz (Kanai, Tajimi), strong for 7 s.

  quake.py > quake.csv          12 s of acceleration [m/s^2], 50 values per second, peak value 3.5
"""
import math

STEP, COUNT = 0.02, 601
FREQUENCY, DAMPING = 2 * math.pi * 2.5, 0.6  # angular frequency and damping ratio of the ground
FINE = 10  # integration steps per step of the record


def noise(seed=20):
    while True:  # a linear congruential generator (Lewis, Goodman, Miller 1969), identical on all machines
        seed = 16807 * seed % 2147483647
        yield 2 * seed / 2147483647 - 1


def strength(t):
    return min(t / 2, 1) ** 2 * math.exp(-0.5 * max(t - 7, 0))


white = noise()
u = v = 0.0
record = []
for i in range(COUNT):
    rock = strength(i * STEP) * next(white)
    record.append(2 * DAMPING * FREQUENCY * v + FREQUENCY**2 * u)
    for _ in range(FINE):
        v -= STEP / FINE * (rock + 2 * DAMPING * FREQUENCY * v + FREQUENCY**2 * u)
        u += STEP / FINE * v
largest = max(abs(a) for a in record)
print("t,acceleration")
for i, a in enumerate(record):
    print(f"{i * STEP:.2f},{3.5 * a / largest:.4f}")
