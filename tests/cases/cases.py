#!/usr/bin/env python3
"""Random whole cases: each is run twice or more, and runs that must be equal are compared.

usage: cases.py --program "mpirun -n {ranks} gearshift-solid" --folder <scratch> [--first 0] [--count 30] [--relation NAME]
       [--coupled "mpirun -n {ranks} coupled_solid"] [--relations N] [--drawn KEY]

Each case is checked by all relations, or by the first N that apply, in an order given by its seed. The time per
relation is printed at the end.
"""
import argparse
import pathlib
import random
import sys
import time
from collections import Counter
from dataclasses import replace

import accuracy
import relations
from contacts import FIELDS as CONTACT_FIELDS, names_of
from draw import Draw
from quantities import Words

ALL = (*relations.ALL, *accuracy.ALL)


def program_of(text):
    return lambda ranks: text.format(ranks=ranks).split()


def check(case, relation, programs, folder, seed, runs=None):
    """Returns differences, or the error of a run, or None if the relation does not apply; and the runs."""
    runs = runs or relations.Runs(programs[0], case, folder, programs[1])
    try:
        return relation(runs, random.Random(seed)), runs
    except relations.Failed as failure:
        return [str(failure)], runs


def smaller(case):
    """Yields cases that are simpler in one respect."""
    keep = {"degree", "gear_t_end", "gear_dt", "gear_adapt", "gear_rtol", "static", "modes", "material", "rho", "probe_fields"}
    for key in case.keys:
        if key not in keep:
            yield case.with_keys(**{key: None})
    for name in names_of(case):
        fields = {key: Words(",".join(field for field in case.keys[key].text.split(",") if field not in CONTACT_FIELDS) or "displacement")
                  for key in ("probe_fields", "fields", "envelope") if key in case.keys and len(names_of(case)) == 1}
        yield case.with_keys(**fields, **{key: None for key in case.keys if key.startswith(f"contact_{name}")})
    mesh = case.mesh
    for changed in ({"bend": 0.0}, {"geometry": 1}, {"kind": "hexahedron"}, {"regions": 1}, {"counts": (2, 1, 1)},
                    {"size": (1.0, 1.0, 1.0)}):
        if any(getattr(mesh, name) != value for name, value in changed.items()):
            yield replace(case, mesh=replace(mesh, **changed))


def shrunk(case, relation, programs, folder, seed, found):
    """Returns the smallest case that still differs, reached by one change after another."""
    kind = "exit code" in found[0]
    again = True
    while again:
        again = False
        for candidate in smaller(case):
            try:
                now, _ = check(candidate, relation, programs, folder, seed)
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
    parser.add_argument("--relations", type=int, default=len(ALL))
    parser.add_argument("--drawn", default="", help="only cases with a key that begins like this")
    parser.add_argument("--coupled", default="")
    parser.add_argument("--shrink", action="store_true")
    given = parser.parse_args()
    programs = program_of(given.program), program_of(given.coupled) if given.coupled else None
    failed, applied, seconds = 0, Counter(), Counter()
    for seed in range(given.first, given.first + given.count):
        case = Draw(random.Random(seed), seed).draw()
        if given.drawn and not any(key.startswith(given.drawn) for key in case.keys):
            continue
        plain = relations.Runs(programs[0], case, given.folder, programs[1])
        try:
            plain.plain()
        except relations.Failed as failure:
            print(f"case {seed} ({case.kind}): not valid: {failure}", flush=True)
            failed += 1
            continue
        left = given.relations
        for relation in random.Random(seed).sample(ALL, len(ALL)) if left < len(ALL) else ALL:
            if left == 0 or (given.relation and relation.__name__ != given.relation):
                continue
            before = set(plain.commands) - {"plain"}
            began = time.monotonic()
            found, runs = check(case, relation, programs, given.folder, seed, plain)
            seconds[relation.__name__] += time.monotonic() - began
            applied[relation.__name__] += found is not None
            left -= found is not None
            if not found:
                continue
            failed += 1
            print(f"case {seed} ({case.kind}): {relation.__name__}: " + "; ".join(found[:4]), flush=True)
            if given.shrink:
                small, found = shrunk(case, relation, programs, given.folder, seed, found)
                _, runs = check(small, relation, programs, given.folder, seed)
                print("  smallest: " + "; ".join(found[:4]), flush=True)
            for name, line in runs.commands.items():
                if runs is not plain or name not in before:
                    print(f"  {name}: {line}", flush=True)
    print(f"{given.count} cases, {failed} failures; applied: " + ", ".join(f"{n} {c} ({seconds[n]:.0f} s)" for n, c in sorted(applied.items())))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
