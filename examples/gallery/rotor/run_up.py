#!/usr/bin/env python3
"""Computes the shaft's run-up with one complex ordinary differential equation per mode, to check a finite-element run.

  run_up.py [PROBE.csv [PICTURE.png]]

With z = u_y + i u_z in the frame that rotates with w = RATE t, z = sum_n z_n(t) phi_n(x) over the symmetric modes of a
beam clamped at both ends:

  z_n'' + 2 i w z_n' + (i w' - w^2) (z_n + e g_n) + w_n^2 z_n = 0,    g_n = int phi_n / int phi_n^2

integrated by the classical Runge-Kutta method. Prints the largest deflection of the middle, and the speed there.
"""
import csv
import math
import sys

E, RHO, LENGTH, SIDE, OFFSET = 210e9, 7800, 1, 0.01, 1e-4
RATE, END = 400.0, 1.25  # rad/s^2, s
MODES, STEP = 2, 5e-5


def modes(count):
    """(w_n, phi_n(middle) g_n) of the symmetric modes, cos k s / cos k - cosh k s / cosh k, k = half the wave number."""
    found = []
    for n in range(count):
        low, high = math.pi * (0.75 + n) - 0.3, math.pi * (0.75 + n) + 0.3  # bracket of a root of tan k + tanh k = 0
        for _ in range(60):
            k = (low + high) / 2
            low, high = (k, high) if math.tan(k) + math.tanh(k) < 0 else (low, k)
        points = [(i + 0.5) / 2000 for i in range(2000)]
        phi = [math.cos(k * s) / math.cos(k) - math.cosh(k * s) / math.cosh(k) for s in points]
        part = sum(phi) / sum(p * p for p in phi)
        middle = 1 / math.cos(k) - 1 / math.cosh(k)
        found.append(((2 * k / LENGTH) ** 2 * math.sqrt(E * SIDE**2 / 12 / RHO), middle * part))
    return found


def run_up():
    """Returns (t, complex deflection of the middle) at each step."""
    shapes = modes(MODES)
    # The unknowns are scaled by phi_n(middle).
    z, v, t = [0j] * MODES, [0j] * MODES, 0.0
    rows = [(0.0, 0j)]

    def rates(t, z, v):
        w = RATE * t
        return v, [
            -2j * w * v[n] - (1j * RATE - w * w) * (z[n] + OFFSET * part) - omega**2 * z[n]
            for n, (omega, part) in enumerate(shapes)
        ]

    def moved(x, h, k):
        return [a + h * b for a, b in zip(x, k)]

    for i in range(round(END / STEP)):
        k1 = rates(t, z, v)
        k2 = rates(t + STEP / 2, moved(z, STEP / 2, k1[0]), moved(v, STEP / 2, k1[1]))
        k3 = rates(t + STEP / 2, moved(z, STEP / 2, k2[0]), moved(v, STEP / 2, k2[1]))
        k4 = rates(t + STEP, moved(z, STEP, k3[0]), moved(v, STEP, k3[1]))
        z = [a + STEP / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(z, k1[0], k2[0], k3[0], k4[0])]
        v = [a + STEP / 6 * (p + 2 * q + 2 * r + s) for a, p, q, r, s in zip(v, k1[1], k2[1], k3[1], k4[1])]
        t = (i + 1) * STEP
        rows.append((t, sum(z)))
    return rows


def largest(rows):
    """Returns the largest deflection and the speed there, by a parabola through the three rows around it."""
    sizes = [abs(z) for _, z in rows]
    i = max(range(1, len(rows) - 1), key=sizes.__getitem__)
    (t0, y0), (t1, y1), (t2, y2) = ((rows[j][0], sizes[j]) for j in (i - 1, i, i + 1))
    b = ((y2 - y1) / (t2 - t1) * (t1 - t0) + (y1 - y0) / (t1 - t0) * (t2 - t1)) / (t2 - t0)
    a = ((y2 - y1) / (t2 - t1) - (y1 - y0) / (t1 - t0)) / (t2 - t0)
    shift = -b / (2 * a) if a < 0 else 0
    return y1 + b * shift + a * shift**2, RATE * (t1 + shift)


def main():
    truth = run_up()
    print("reference: %.6e m at %.3f rad/s; critical speed %.3f rad/s" % (*largest(truth), modes(1)[0][0]))
    if len(sys.argv) < 2:
        return
    with open(sys.argv[1], encoding="utf-8") as file:
        ours = [(float(r["t"]), complex(float(r["uy"]), float(r["uz"]))) for r in csv.DictReader(file)]
    print("run: %.6e m at %.3f rad/s" % largest(ours))
    if len(sys.argv) < 3:
        return
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 4.2))
    for rows, style, name in ((truth, "-", "two modes, Runge-Kutta"), (ours, ".", "gearshift-solid, its steps")):
        axes.plot([RATE * t for t, _ in rows], [1e3 * abs(z) for _, z in rows], style, ms=3, label=name)
    speeds = [w for w in range(5, 500, 1) if abs(w - modes(1)[0][0]) > 7]
    omega, part = modes(1)[0]
    steady = [1e3 * abs(OFFSET * part * w * w / (omega**2 - w * w)) for w in speeds]
    for side in (True, False):
        chosen = [(w, y) for w, y in zip(speeds, steady) if (w < omega) == side]
        axes.plot(*zip(*chosen), "--", color="grey", lw=1, label="at rest at each speed" if side else None)
    axes.set(xlabel="speed [rad/s]", ylabel="deflection of the middle [mm]", xlim=(0, RATE * END), ylim=(0, None))
    axes.legend()
    figure.tight_layout()
    figure.savefig(sys.argv[2], dpi=110)


if __name__ == "__main__":
    main()
