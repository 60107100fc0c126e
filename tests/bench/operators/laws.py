#!/usr/bin/env python3
"""The time of the work at points for laws, relative to neo-Hooke's: tangent, residual and update of the tangent.

  laws.py <gearshift-bench>... [--turns 15] [--cells general tetrahedra wedges] [--rows j2 ogden ...] [--simd avx2]

All programs of a shape of cells keep running and take turns. Each computes a product twice, and the second one counts.
Times are processor time; the least one of the turns counts, since other programs on the machine only add to it. With
several programs, such as before and after a change, each column has one number for each of them.
"""
import argparse
import json
import subprocess

ROWS = {
    "neo_hookean": [],
    "linear_elastic": ["-material", "linear_elastic"],
    "st_venant_kirchhoff": ["-material", "st_venant_kirchhoff"],
    "mooney_rivlin": ["-material", "mooney_rivlin"],
    "isochoric_neo_hookean": ["-material", "isochoric_neo_hookean"],
    "yeoh": ["-material", "yeoh"],
    "holzapfel": ["-material", "holzapfel"],
    "ogden": ["-material", "ogden"],
    "j2": ["-material", "j2"],
    "j2, elastic": ["-material", "j2", "-load", "0.001"],
    "neo_hookean, 2 branches": ["-branches", "2"],
    "mixed neo_hookean": ["-mixed"],
    "mixed ogden": ["-mixed", "-material", "ogden"],
}
PRODUCTS = ["tangent", "residual", "linearize"]


class Program:
    """A program that measures one product for each line of its standard input."""

    def __init__(self, bench, options):
        command = ["mpirun", "-np", "1", bench, "operator", "-on_request"] + options
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.seconds = {}

    def run(self, product):
        for _ in range(2):
            self.process.stdin.write(product + "\n")
            self.process.stdin.flush()
            line = json.loads(self.process.stdout.readline())
        seconds = 1 / line["MDoF/s_cpu"]
        self.seconds[product] = min(seconds, self.seconds.get(product, seconds))

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


def compare(given, cells):
    options = ["-cells", cells, "-degree", str(given.degree), "-dofs", str(given.dofs)]
    if given.simd:
        options += ["-solid_simd", given.simd]
    rows = ["neo_hookean"] + [row for row in given.rows if row != "neo_hookean"]
    programs = {(row, bench): Program(bench, options + ROWS[row]) for row in rows for bench in given.bench}
    for _ in range(given.turns):
        for product in PRODUCTS:
            for program in programs.values():
                program.run(product)
    print(f"| {cells} | " + " | ".join(PRODUCTS) + " |\n|---" + "|---" * len(PRODUCTS) + "|")
    for row in rows:
        columns = []
        for product in PRODUCTS:
            ratios = [programs[row, bench].seconds[product] / programs["neo_hookean", bench].seconds[product]
                      for bench in given.bench]
            rates = [1 / programs[row, bench].seconds[product] for bench in given.bench]
            numbers = [f"{rate:.1f} MDoF/s" for rate in rates] if row == "neo_hookean" else [f"{x:.2f}" for x in ratios]
            columns.append(", ".join(numbers))
        print(f"| {row} | " + " | ".join(columns) + " |", flush=True)
    for program in programs.values():
        program.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bench", nargs="+")
    parser.add_argument("--turns", type=int, default=15)
    parser.add_argument("--degree", type=int, default=2)
    parser.add_argument("--dofs", type=float, default=3e5)
    parser.add_argument("--simd", default="")
    parser.add_argument("--cells", nargs="+", default=["general", "tetrahedra", "wedges"])
    parser.add_argument("--rows", nargs="+", default=list(ROWS), choices=list(ROWS))
    given = parser.parse_args()
    for cells in given.cells:
        compare(given, cells)


if __name__ == "__main__":
    main()
