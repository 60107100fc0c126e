#!/usr/bin/env python3
"""Writes a synthetic shock, like that of a bolt cut nearby: two decaying tones.

  shock.py > shock.csv          2 ms of acceleration [m/s^2], a row every 0.02 ms
"""
import math

print("t,acceleration")
for i in range(101):
    t = i * 2e-5
    rise, fall = 1 - math.exp(-t / 5e-5), math.exp(-t / 4e-4) * (1 - (t / 2e-3) ** 4)
    tones = math.sin(2 * math.pi * 2000 * t) + 0.6 * math.sin(2 * math.pi * 4500 * t)
    print(f"{t:.5f},{2e4 * rise * fall * tones:.2f}")
