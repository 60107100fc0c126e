"""Effect of the constants of the stepper: halves and doubles each of them, and counts the linear solves of the search.

    python3 tests/bench/time/sensitivity.py FOLDER [--rooms control,bdf] [--systems 24] [--seed 1]
                                            [--tolerances 1e-2,1e-3,1e-4] [--names a,b] [--tests REGEX]
                                            [--problems pend,hertz]

Copies the sources to FOLDER, where constants.hpp of these rooms (src/bdf, src/dynamics/*) reads the factor of one
constant from the environment, and builds gearshift-bench-search there. Prints a row for each constant and factor: the
ratio of the number of solves, the medians of the ratios of solves and of errors, the runs with another number of
solves, and the change in the number of bad runs: they failed, reached the limit, warned of energy, or have an error
above 50 tolerances that they did not have before. With --tests, the tests of these names run instead, and the row
lists those that fail: a constant that changes neither the search nor a test can go. With --problems, the nonlinear
problems of gearshift-bench-time run instead. The row has the geometric means of the ratios of F + Jv and of the errors,
the largest ratio of F + Jv, and the runs with another number.
"""
import argparse
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess

READER = '''
#include <cstdlib>
#include <cstring>
namespace gearshift {
/// The value times the factor in the environment variable GEARSHIFT_TUNED, "name=factor".
inline double tuned(const char* name, double value) {
  const char* wish = std::getenv("GEARSHIFT_TUNED");
  const std::size_t length = std::strlen(name);
  if (!wish || std::strncmp(wish, name, length) != 0 || wish[length] != '=') return value;
  return value * std::atof(wish + length + 1);
}
}  // namespace gearshift
'''
EXPLICIT = 'free2 pend pend4 bar0 steep rotor frame blast duffing beam1 beam01'.split()  # as in run.sh
DECLARATION = re.compile(r'inline constexpr (PetscReal|double|PetscInt|int|long|std::size_t) ([^;\[]+);')


def tunable(text, room):
    """Returns constants.hpp with numbers that are read at the start of the program, and their names and values."""
    names = []

    def replace(match):
        kind, out = match[1], []
        for part in match[2].split(','):
            name, value = (word.strip() for word in part.split('='))
            names.append((f'{room}::{name}', value))
            call = f'tuned("{room}::{name}", {value})'
            if kind not in ('PetscReal', 'double'):
                call = f'static_cast<{kind}>({call} + 0.5)'
            out.append(f'inline const {kind} {name} = {call};')
        return ' '.join(out)

    text = DECLARATION.sub(replace, text)
    reader = READER if room == 'bdf' else '\n#include "bdf/constants.hpp"'
    return text.replace('#pragma once', '#pragma once' + reader, 1), names


def run(program, options, tuned=''):
    environment = dict(os.environ, GEARSHIFT_TUNED=tuned, OMP_NUM_THREADS='1')
    lines = subprocess.run([program, *options], env=environment, capture_output=True, text=True, check=True).stdout
    rows = [line.split('\t') for line in lines.splitlines()]
    head = [name.lstrip('#') for name in rows[0]]
    return [dict(zip(head, row)) for row in rows[1:]]


def run_problems(program, folder, asked, tuned=''):
    """Returns F + Jv and the error of each problem at each tolerance; None for a run that failed."""
    environment, found = dict(os.environ, GEARSHIFT_TUNED=tuned, OMP_NUM_THREADS='1'), {}
    for problem in asked.problems.split(','):
        for tol in asked.tolerances.split(','):
            ended = subprocess.run([program, '-problem', problem, '-solver', 'gear', '-tol', tol, '-reference',
                                    folder / f'{problem}.reference'],
                                   env=environment, capture_output=True, text=True, check=False)
            line = json.loads(ended.stdout) if ended.returncode == 0 else {}
            found[problem, tol] = (line['F'] + line['Jv'], max(line['err_q'], line['err_v'])) if line else None
    return found


def compare_problems(program, folder, asked, chosen):
    for problem in asked.problems.split(','):
        if not (folder / f'{problem}.reference').exists():
            tight = ['erk8', '1e-12'] if problem in EXPLICIT else ['cvode', '1e-10']
            subprocess.run([program, '-problem', problem, '-solver', tight[0], '-tol', tight[1], '-save',
                            folder / f'{problem}.reference'], check=True, stdout=subprocess.DEVNULL)
    usual = run_problems(program, folder, asked)
    print('| constant | value | factor | F + Jv | error | largest F + Jv | other runs | failed |')
    print('|---|---|---|---|---|---|---|---|')
    for name, value, factor in chosen:
        new = run_problems(program, folder, asked, f'{name}={factor}')
        both = [(usual[key], new[key], key) for key in usual if usual[key] and new[key]]
        work = [(b[0] / a[0], key) for a, b, key in both]
        errors = [b[1] / a[1] for a, b, _ in both]
        worst, where = max(work)
        print(f'| `{name}` | {value} | {factor} | {statistics.geometric_mean(w for w, _ in work):.3f} | '
              f'{statistics.geometric_mean(errors):.2f} | {worst:.2f} ({" ".join(where)}) | '
              f'{sum(a != b for a, b, _ in both)} of {len(usual)} | '
              f'{" ".join(" ".join(key) for key in usual if usual[key] and not new[key])} |', flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--rooms', default='bdf,control')
    parser.add_argument('--systems', default='24')
    parser.add_argument('--seed', default='1')
    parser.add_argument('--tolerances', default='1e-2,1e-3,1e-4')
    parser.add_argument('--names', default='')
    parser.add_argument('--tests', default='')
    parser.add_argument('--problems', default='')
    parser.add_argument('--cmake', action='append', default=[], help='an argument for cmake, such as -DPETSC_DIR=...')
    asked = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[3]
    copy, build = asked.folder / 'source', asked.folder / 'build'
    shutil.copytree(root, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns('build', 'build-*', 'results', asked.folder.name, '.git', '*.png', '*.msh'))
    constants = []
    for room in sorted({'bdf', 'control', *asked.rooms.split(',')}):  # these two depend on each other
        path = copy / 'src' / ('' if room == 'bdf' else 'dynamics') / room / 'constants.hpp'
        text, names = tunable(path.read_text(), room)
        path.write_text(text)
        constants += names if room in asked.rooms.split(',') else []

    def build_targets(*targets):
        subprocess.run(['cmake', '--build', build, '--target', *targets], check=True, stdout=subprocess.DEVNULL)

    def failing_tests(tuned):
        environment = dict(os.environ, GEARSHIFT_TUNED=tuned)
        found = subprocess.run(['ctest', '--test-dir', build, '-R', asked.tests, '-j', '2', '--timeout', '30'],
                               env=environment, text=True, capture_output=True, check=False).stdout
        return re.findall(r'Test +#\d+: (\S+) .*\*\*\*(?!Skipped)', found)

    subprocess.run(['cmake', '-S', copy, '-B', build, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release',
                    '-DGEARSHIFT_SOLID=OFF', '-DGEARSHIFT_TS=OFF', *asked.cmake], check=True, stdout=subprocess.DEVNULL)
    wanted = asked.names.split(',') if asked.names else []
    chosen = [(name, value, factor) for name, value in constants for factor in ('0.5', '2')
              if not wanted or name.split('::')[1] in wanted]
    if asked.tests:
        names = subprocess.run(['ctest', '--test-dir', build, '-N', '-R', asked.tests], text=True, capture_output=True,
                               check=True).stdout
        build_targets(*sorted({test.rsplit('.', 1)[0] for test in re.findall(r'Test +#\d+: (\S+)', names)}))
        usual = failing_tests('')
        print('| constant | value | factor | failing tests |\n|---|---|---|---|')
        for name, value, factor in chosen:
            fail = ', '.join(test for test in failing_tests(f'{name}={factor}') if test not in usual)
            print(f'| `{name}` | {value} | {factor} | {fail} |', flush=True)
        return
    if asked.problems:
        build_targets('gearshift-bench-time')
        return compare_problems(build / 'tests' / 'bench' / 'time' / 'gearshift-bench-time', asked.folder, asked, chosen)
    build_targets('gearshift-bench-search')
    program = build / 'tests' / 'bench' / 'time' / 'gearshift-bench-search'
    options = ['--systems', asked.systems, '--seed', asked.seed, '--solvers', 'gear,bdf', '--limit', '5000',
               '--tolerances', asked.tolerances]
    usual = run(program, options)

    def is_bad(row, before=None):
        far = float(row['error']) > 50 * float(row['tol'])
        return row['status'] != 'ok' or (far and not (before and float(before['error']) > 50 * float(before['tol'])))

    print('| constant | value | factor | solves | median | error, median | other runs | more bad runs |')
    print('|---|---|---|---|---|---|---|---|')
    for name, value, factor in chosen:
        try:
            rows = run(program, options, f'{name}={factor}')
        except subprocess.CalledProcessError as error:
            print(f'| `{name}` | {value} | {factor} | ends with {error.returncode} | | | | |', flush=True)
            continue
        pairs = list(zip(usual, rows))
        solves = [int(new['solves']) / max(int(old['solves']), 1) for old, new in pairs]
        ended = [(old, new) for old, new in pairs if old['status'] == new['status'] == 'ok']
        errors = [float(new['error']) / float(old['error']) for old, new in ended]
        total = sum(int(r['solves']) for r in rows) / sum(int(r['solves']) for r in usual)
        bad = sum(is_bad(new, old) for old, new in pairs) - sum(is_bad(old, old) for old in usual)
        print(f'| `{name}` | {value} | {factor} | {total:.3f} | {statistics.median(solves):.3f} | '
              f'{statistics.median(errors):.3f} | {sum(s != 1 for s in solves)} of {len(pairs)} | {bad:+d} |',
              flush=True)


if __name__ == '__main__':
    main()
