"""Plots the output of compare.sh: error of the tip against Newton solves and CPU time (python3-matplotlib).

    python3 plot.py TABLE work.png

It also prints the work at errors of 1e-3 and 1e-4, interpolated between the rows (log-log).
"""

import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

ROW = re.compile(
    r"(dt|tolerance) \S+ +(\w+): .* solves (\d+)  Newton (\d+)  residuals (\d+)  tangents (\d+)  CPU ([\d.]+) s  error (\S+)"
)


def main(table, picture):
    methods = {}
    for way, kind, *numbers in ROW.findall(open(table).read()):
        name = f"gear, {'order 4' if way == 'dt' else 'adaptive'}" if kind == "gear" else kind
        methods.setdefault(name, []).append([float(x) for x in numbers])
    figure, axes = plt.subplots(2, 1, figsize=(6, 8), constrained_layout=True)
    for name, rows in methods.items():
        solves, _, _, _, seconds, error = np.transpose(rows)
        axes[0].loglog(solves, error, "o-", label=name)
        axes[1].loglog(seconds, error, "o-", label=name)
        order = np.argsort(error)
        for target in (1e-3, 1e-4):
            if min(error) <= target <= max(error):
                work = [np.exp(np.interp(np.log(target), np.log(error[order]), np.log(np.array(column)[order])))
                        for column in np.transpose(rows)[:-1]]
                print(f"{name} at {target:g}: " + "  ".join(f"{x:.4g}" for x in work))
    axes[0].set(xlabel="Newton solves", ylabel="error of the tip / its largest deflection")
    axes[1].set(xlabel="CPU time [s]", ylabel="error of the tip / its largest deflection")
    axes[0].legend()
    figure.savefig(picture, dpi=110)


if __name__ == "__main__":
    main(*sys.argv[1:])
