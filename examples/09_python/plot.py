"""Runs chain.py and draws chain.png: the steps by method, and the chain at the end (python3-matplotlib)."""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import chain

steps = chain.gear.steps
figure, (top, bottom) = plt.subplots(2, 1, figsize=(7, 5.5), constrained_layout=True)
for method in ("esdirk", "bdf"):
    chosen = steps[steps["method"] == method]
    top.plot(chosen["t"], chosen["dt"], ".", label=f"{method}: {len(chosen)} steps")
top.set(xlabel="t [s]", ylabel="step [s]", ylim=(0, 1.1 * max(steps["dt"])))
top.legend(loc="lower right")
bottom.plot(chain.u.array_r)
bottom.set(xlabel="mass", ylabel=f"u at t = {chain.ts.time:g} s")
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "chain.png", dpi=110)
