#!/usr/bin/env python3
"""Random whole cases: each is run twice or more and compared with what it must be equal to.

usage: cases.py --program "mpirun -n {ranks} gearshift-solid" --folder <scratch> [--first 0] [--count 30] [--relation NAME]
"""
import argparse
import pathlib
import random
import sys
from collections import Counter
from dataclasses import replace

import accuracy
import relations
from draw import Draw

ALL = (*relations.ALL, *accuracy.ALL)


def program_of(text):
    return lambda ranks: text.format(ranks=ranks).split()


def check(case, relation, program, folder, seed, runs=None):
    """The differences, or the error that a run ended with, or None if the relation does not apply; and the runs."""
    runs = runs or relations.Runs(program, case, folder)
    try:
        return relation(runs, random.Random(seed)), runs
    except relations.Failed as failure:
        return [str(failure)], runs


def smaller(case):
    """Cases that are simpler in one respect."""
    keep = {"degree", "gear_t_end", "gear_dt", "gear_adapt", "gear_rtol", "static", "modes", "material", "rho", "probe_fields"}
    for key in case.keys:
        if key not in keep:
            yield case.with_keys(**{key: None})
    mesh = case.mesh
    for changed in ({"bend": 0.0}, {"geometry": 1}, {"kind": "hexahedron"}, {"regions": 1}, {"counts": (2, 1, 1)},
                    {"size": (1.0, 1.0, 1.0)}):
        if any(getattr(mesh, name) != value for name, value in changed.items()):
            yield replace(case, mesh=replace(mesh, **changed))


def shrunk(case, relation, program, folder, seed, found):
    """The smallest case that differs still, of those that one change after another leads to."""
    kind = "exit code" in found[0]
    again = True
    while again:
        again = False
        for candidate in smaller(case):
            try:
                now, _ = check(candidate, relation, program, folder, seed)
            except (KeyError, ValueError, ZeroDivisionError, IndexError):
                continue
            if now and ("exit code" in now[0]) == kind and (not kind or now[0] == found[0]):
                case, found, again = candidate, now, True
                break
    return case, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", required=True)
    parser.add_argument("--folder", required=True, type=pathlib.Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--relation", default="", choices=["", *(r.__name__ for r in ALL)])
    parser.add_argument("--shrink", action="store_true")
    given = parser.parse_args()
    program = program_of(given.program)
    failed, applied = 0, Counter()
    for seed in range(given.first, given.first + given.count):
        case = Draw(random.Random(seed), seed).draw()
        plain = relations.Runs(program, case, given.folder)
        try:
            plain.plain()
        except relations.Failed as failure:
            print(f"case {seed} ({case.kind}): not valid: {failure}", flush=True)
            failed += 1
            continue
        for relation in ALL:
            if given.relation and relation.__name__ != given.relation:
                continue
            found, runs = check(case, relation, program, given.folder, seed, plain)
            applied[relation.__name__] += found is not None
            if not found:
                continue
            failed += 1
            print(f"case {seed} ({case.kind}): {relation.__name__}: " + "; ".join(found[:4]), flush=True)
            if given.shrink:
                small, found = shrunk(case, relation, program, given.folder, seed, found)
                _, runs = check(small, relation, program, given.folder, seed)
                print("  smallest: " + "; ".join(found[:4]), flush=True)
            for name, line in runs.commands.items():
                print(f"  {name}: {line}")
    print(f"{given.count} cases, {failed} failures; applied: " + ", ".join(f"{n} {c}" for n, c in sorted(applied.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
