#!/usr/bin/env python3
"""Changes single lines of the library at random and lists the changes that no test detects.

All mutants are in one build; GEARSHIFT_MUTANT selects one (mutant.hpp). The tests are run once without mutants, to
find the lines that each one executes; then each mutant is tested by the tests that reach it, the shortest first, until
one fails. Results are kept in <folder>/results.jsonl, and an interrupted run continues from there.

usage: mutants.py --source <repository> --folder <scratch> [--count 200] [--seed 1] [--least 95] [--tests <regex>]
       mutants.py --source <repository> --check
"""
import argparse
import contextlib
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor

import mutate
from by_hand import BY_HAND

SHARES = {"dynamics": 0.3, "ts": 0.15, "solid": 0.3, "app": 0.15, "io": 0.1}
# Tests of the mutant's folder come first. Tests of files, documents and other programs do not detect mutants, and four
# ranks hardly more than two.
TESTS_OF_ROOM = {"dynamics": r"dynamics|bdf|sequences", "ts": r"ts\.|sequences\.ts", "solid": r"solid|cases", "app": r"app|cases|coupling",
                 "io": r"io_|app"}
NOT_RUN = r"^(install|readme|manual|format|headers|configure|indices64|petsc_(headers|debug|source)$|bench|fuzz|mutants|layers|tutorials|faults\.names)|[.]4$"
MOST = 4096  # as in mutant.hpp


def all_mutants(source):
    for folders in mutate.ROOMS.values():
        for folder in folders:
            for path in sorted((source / folder).rglob("*.[ch]pp")):
                yield from mutate.of_text(str(path.relative_to(source)), path.read_text())


def by_hand(source):
    for file, line, changed in BY_HAND:
        lines = (source / file).read_text().split("\n")
        found = [i for i, text in enumerate(lines) if text.strip() == line]
        if not found:
            sys.exit(f"by_hand.py: {file} has no line '{line}'")
        at = found[-1]
        text = changed or "{{ if (!MUTANT({number})) " + mutate.escape(line) + " }}"
        if line.startswith("if ") and not changed:
            text = "if (!MUTANT({number})) {{ " + mutate.escape(line) + " }}"
        yield mutate.Mutant(mutate.room_of(file), file, at, "by hand", lines[at], text)


def drawn(source, count, seed):
    """Draws 1.5 times the requested number, since some do not compile; folders get their share, all kinds equally."""
    rng = random.Random(seed)
    chosen = list(by_hand(source))
    taken = {(m.file, m.line) for m in chosen}
    pools = defaultdict(lambda: defaultdict(list))
    for mutant in all_mutants(source):
        pools[mutant.room][mutant.kind].append(mutant)
    for _ in range(count + count // 2):
        pool = pools[rng.choices(list(SHARES), list(SHARES.values()))[0]]
        mutant = rng.choice(pool[rng.choice(sorted(pool))])
        if (mutant.file, mutant.line) not in taken:
            taken.add((mutant.file, mutant.line))
            chosen.append(mutant)
    return chosen


def write(original, copy, mutants):
    """Writes a copy of the repository with these mutants; unchanged files are not touched."""
    of_file = defaultdict(dict)
    for number, mutant in mutants.items():
        of_file[mutant.file][mutant.line] = mutant.text.format(number=number)
    files = subprocess.run(["git", "-C", original, "ls-files", "-co", "--exclude-standard"], check=True, capture_output=True, text=True)
    for name in files.stdout.splitlines():
        content, target = (original / name).read_bytes(), copy / name
        if name in of_file:
            lines = content.decode().split("\n")
            for at, changed in of_file[name].items():
                lines[at] = changed
            content = (f'#include "{copy}/tests/mutants/mutant.hpp"\n' + "\n".join(lines)).encode()
        if not target.exists() or target.read_bytes() != content:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            shutil.copymode(original / name, target)


def build(original, copy, folder, mutants, jobs):
    """Builds the mutants, leaving out those that do not compile."""
    known_bad = folder.parent / "do_not_compile.txt"
    bad = set(known_bad.read_text().splitlines()) if known_bad.exists() else set()
    mutants = {number: mutant for number, mutant in mutants.items() if mutant.describe() not in bad}
    write(original, copy, mutants)
    if not (folder / "build.ninja").exists():
        subprocess.run(["cmake", "-S", copy, "-B", folder, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS=-w",
                        "-DGEARSHIFT_EXAMPLES=OFF"], check=True, stdout=subprocess.DEVNULL)
    while True:
        write(original, copy, mutants)
        done = subprocess.run(["cmake", "--build", folder, f"-j{jobs}", "--", "-k", "0"], capture_output=True, text=True)
        if done.returncode == 0:
            return mutants
        lines = {(str(pathlib.Path(file).resolve()), int(line) - 2)  # from 0, and after the #include
                 for file, line in re.findall(r"^(\S+?):(\d+):(?:\d+:)? +(?:error|fatal error|required|note: in expansion)", done.stdout, re.M)}
        wrong = [n for n, m in mutants.items() if (str((copy / m.file).resolve()), m.line) in lines]
        if not wrong:
            sys.exit("the mutants do not compile:\n" + done.stdout[-6000:])
        print(f"{len(wrong)} do not compile", flush=True)
        for number in wrong:
            bad.add(mutants.pop(number).describe())
        known_bad.write_text("\n".join(sorted(bad)) + "\n")


class Tests:
    def __init__(self, source, folder, names, jobs):
        self.folder = folder
        presets = json.loads((source / "CMakePresets.json").read_text())["testPresets"]
        left_out = next(preset["filter"]["exclude"]["label"] for preset in presets if preset["name"] == "ci")
        listed = json.loads(subprocess.run(["ctest", "--test-dir", folder, "--show-only=json-v1", "-LE", left_out, "-E", NOT_RUN, "-R", names],
                                           check=True, capture_output=True, text=True).stdout)
        self.free, self.change, self.running = 2 * jobs, threading.Condition(), set()
        self.slots = {test["name"]: min(self.free, self.processors(test)) for test in listed["tests"] if "command" in test}

    @staticmethod
    def processors(test):
        return next((entry["value"] for entry in test["properties"] if entry["name"] == "PROCESSORS"), 1)

    @contextlib.contextmanager
    def turn(self, name):
        """Runs one test at a time in its folder; all tests together use `jobs` cores, with two slots each."""
        with self.change:
            self.change.wait_for(lambda: self.free >= self.slots[name] and name not in self.running)
            self.free -= self.slots[name]
            self.running.add(name)
        try:
            yield
        finally:
            with self.change:
                self.free += self.slots[name]
                self.running.remove(name)
                self.change.notify_all()

    def passes(self, name, seconds, **environment):
        """Returns whether the test passes in that time, and the seconds it took."""
        with self.turn(name):
            start = time.time()
            line = ["env", *(f"{key}={value}" for key, value in environment.items()), "ctest", "--test-dir", str(self.folder),
                    "-R", f"^{re.escape(name)}$", "--output-log", "/dev/null"]
            run = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            try:
                passed = run.wait(seconds) == 0
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                run.wait()
                passed = False
            return passed, time.time() - start


def baseline(tests, folder, jobs):
    """Returns for each passing test its seconds and the mutants whose lines it executes."""
    file = folder / "baseline.jsonl"
    known = {entry["test"]: entry for entry in map(json.loads, file.read_text().splitlines())} if file.exists() else {}
    out = file.open("a")

    def look(name):
        marks = folder / f"reached.{name}"
        marks.write_bytes(bytes(MOST))
        passed, seconds = tests.passes(name, 1200, GEARSHIFT_MUTANTS_REACHED=marks)
        reached = [i for i, byte in enumerate(marks.read_bytes()) if byte]
        marks.unlink()
        known[name] = {"test": name, "passed": passed, "seconds": round(seconds, 2), "reached": reached}
        out.write(json.dumps(known[name]) + "\n")
        out.flush()
        if not passed:
            print(f"{name} fails without a mutant: left out", flush=True)

    with ThreadPoolExecutor(2 * jobs) as pool:
        list(pool.map(look, [name for name in tests.slots if name not in known]))
    return known


def judge(number, mutant, tests, known, kills, patience):
    """Returns the test that detects the mutant, or the number of tests that did not. Quick tests come first, and those
    that have detected others."""
    mine = re.compile(r"^(" + TESTS_OF_ROOM[mutant.room] + ")")
    reaching = sorted((entry for name, entry in known.items() if name in tests.slots and entry["passed"] and number in entry["reached"]),
                      key=lambda entry: (mine.match(entry["test"]) is None, entry["seconds"] / (1 + kills[entry["test"]])))
    spent, ran = 0, 0
    for entry in reaching:
        if spent > patience:
            break
        ran += 1
        passed, seconds = tests.passes(entry["test"], 30 + 5 * entry["seconds"], GEARSHIFT_MUTANT=number)
        spent += seconds
        if not passed:
            kills[entry["test"]] += 1
            return {"killed": entry["test"], "ran": ran}
    return {"killed": None, "ran": ran, "reaching": len(reaching)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--source", required=True, type=pathlib.Path)
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=95, help="per cent of the mutants that tests must notice")
    parser.add_argument("--tests", default=".", help="a regular expression: only tests of such names")
    parser.add_argument("--jobs", type=int, default=2, help="cores")
    parser.add_argument("--patience", type=float, default=900, help="seconds of tests for one mutant")
    parser.add_argument("--check", action="store_true", help="only draw, and see that the lines of by_hand.py are there")
    given = parser.parse_args()
    original = given.source.resolve()
    mutants = dict(enumerate(drawn(original, given.count, given.seed)))
    if given.check:
        print(f"{len(mutants)} mutants drawn of {sum(1 for _ in all_mutants(original))}")
        return 0
    folder = given.folder.resolve()
    copy = folder / "source"
    mutants = build(original, copy, folder / "build", mutants, given.jobs)
    mutants = dict(list(mutants.items())[:given.count + len(BY_HAND)])
    print(f"{len(mutants)} mutants are built", flush=True)
    tests = Tests(original, folder / "build", given.tests, given.jobs)
    known = baseline(tests, folder, given.jobs)
    results = folder / "results.jsonl"
    judged = map(json.loads, results.read_text().splitlines()) if results.exists() else ()
    done = {entry["mutant"]: entry for entry in judged if entry["killed"]}  # survivors are tested by new tests
    kills = Counter(entry["killed"] for entry in done.values())
    out = results.open("a")

    def run(number):
        entry = {"mutant": mutants[number].describe(), **judge(number, mutants[number], tests, known, kills, given.patience)}
        done[entry["mutant"]] = entry
        out.write(json.dumps(entry) + "\n")
        out.flush()
        print(f"{number} {'killed by ' + entry['killed'] if entry['killed'] else 'SURVIVES ' + str(entry['ran']) + ' tests'}: "
              f"{entry['mutant']}", flush=True)

    with ThreadPoolExecutor(2 * given.jobs) as pool:
        list(pool.map(run, [number for number in mutants if mutants[number].describe() not in done]))
    of_kind, killed = Counter(), Counter()
    for number, mutant in mutants.items():
        of_kind[mutant.room, mutant.kind] += 1
        killed[mutant.room, mutant.kind] += done[mutant.describe()]["killed"] is not None
    for key in sorted(of_kind):
        print(f"{key[0]}, {key[1]}: {killed[key]} of {of_kind[key]}")
    for number, mutant in mutants.items():
        if not done[mutant.describe()]["killed"]:
            print(f"survives {done[mutant.describe()]['ran']} tests: {mutant.describe()}\n    {mutant.text.strip().format(number=number)}")
    share = 100 * sum(killed.values()) / len(mutants)
    print(f"{sum(killed.values())} of {len(mutants)} mutants were noticed, {share:.1f} %")
    return 0 if share >= given.least else 1


if __name__ == "__main__":
    sys.exit(main())
