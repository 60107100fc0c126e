"""Effect of the constants of the multigrid: halves and doubles each of them, and counts iterations of bench_robust.

    python3 tests/bench/solve/sensitivity.py FOLDER [--dofs 3000] [--degrees 1,2] [--cases ""] [--names a,b]

Copies the sources to FOLDER, where src/solid/multigrid/constants.hpp reads the factor of one constant from the
environment (tests/bench/time/sensitivity.py). Prints a row for each constant and factor: the ratio of the sum of
iterations, the number of linear systems with another number, and the two largest changes.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / 'tests' / 'bench' / 'time'))
from sensitivity import tunable  # noqa: E402


def iterations(program, asked, tuned=''):
    """Returns the iterations of each linear system: {(case, degree, contrast): number}."""
    environment = dict(os.environ, GEARSHIFT_TUNED=tuned, OMP_NUM_THREADS='1')
    options = ['-dofs', asked.dofs, '-degrees', asked.degrees, '-repeat', '1']
    options += ['-cases', asked.cases] if asked.cases else []
    table = subprocess.run([program, *options], env=environment, capture_output=True, text=True, check=True).stdout
    found = {}
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip('| \n').split('|')]
        for degree, cell in zip(asked.degrees.split(','), cells[2:]):
            for place, number in enumerate(re.findall(r'-?\d+', cell.split('(')[0])):
                found[cells[0], degree, place] = int(number)
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('folder', type=pathlib.Path)
    parser.add_argument('--dofs', default='3000')
    parser.add_argument('--degrees', default='1,2')
    parser.add_argument('--cases', default='')
    parser.add_argument('--names', default='')
    parser.add_argument('--cmake', action='append', default=[], help='an argument for cmake, such as -DPETSC_DIR=...')
    asked = parser.parse_args()
    copy, build = asked.folder / 'source', asked.folder / 'build'
    shutil.copytree(ROOT, copy, dirs_exist_ok=True, ignore=shutil.ignore_patterns('build', 'build-*', '.git', '*.png'))
    for room, path in (('bdf', 'src/bdf/constants.hpp'), ('control', 'src/dynamics/control/constants.hpp'),
                       ('multigrid', 'src/solid/multigrid/constants.hpp')):  # the first two depend on each other
        text, constants = tunable((copy / path).read_text(), room)
        (copy / path).write_text(text)
    derived = copy / 'src/solid/multigrid/coarse/stiff_inclusions.cpp'
    derived.write_text(derived.read_text().replace('constexpr double comparable', 'const double comparable'))
    subprocess.run(['cmake', '-S', copy, '-B', build, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DGEARSHIFT_TS=OFF',
                    '-DGEARSHIFT_KERNELS=all', *asked.cmake], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(['cmake', '--build', build, '--target', 'bench_robust'], check=True, stdout=subprocess.DEVNULL)
    program = build / 'tests' / 'bench' / 'solve' / 'bench_robust'
    usual = iterations(program, asked)
    print('| constant | value | factor | iterations | other systems | largest changes |\n|---|---|---|---|---|---|')
    for name, value in constants:
        if asked.names and name.split('::')[1] not in asked.names.split(','):
            continue
        for factor in ('0.5', '2'):
            try:
                new = iterations(program, asked, f'{name}={factor}')
            except subprocess.CalledProcessError as error:
                print(f'| `{name}` | {value} | {factor} | ends with {error.returncode} | | |', flush=True)
                continue
            other = sorted((abs(new[key] - usual[key]), key) for key in usual if new.get(key) != usual[key])[::-1]
            largest = '; '.join(f'{case}, degree {degree}: {usual[case, degree, place]} to {new[case, degree, place]}'
                                for _, (case, degree, place) in other[:2])
            print(f'| `{name}` | {value} | {factor} | {sum(new.values()) / sum(usual.values()):.3f} | '
                  f'{len(other)} of {len(usual)} | {largest} |', flush=True)


if __name__ == '__main__':
    main()
