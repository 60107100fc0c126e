#!/usr/bin/env bash
# From nothing to a result. Safe to run again: what is there already is kept.
#
#   bash cmake/quickstart.sh        install what is missing, build, run the flag on two ranks, say where the result is
#   bash cmake/quickstart.sh test   install what is missing, build, run the tests (labels heavy, tutorials, faults, fuzz, indices64, soak, simd, cases, mutants left out)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

mode=${1:-run}
[[ $# -le 1 && ($mode == run || $mode == test) ]] || fail "usage: bash cmake/quickstart.sh [test]"

# Whether a PETSc is there already: the user's (PETSC_DIR) or one that pkg-config finds.
have_petsc() {
  [[ -n ${PETSC_DIR:-} ]] && return 0
  command -v pkg-config >/dev/null && pkg-config --exists PETSc
}

installed() { dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q '^install ok installed'; }

install_packages() {
  local package wanted=() missing=() required=() optional=()
  mapfile -t wanted < <(sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' cmake/packages.txt)
  if ! command -v apt-get >/dev/null; then
    say "This is no Debian or Ubuntu: nothing is installed. Needed here are the equivalents of: ${wanted[*]}"
    have_petsc || fail "no PETSc found: set PETSC_DIR (and PETSC_ARCH), or put PETSc.pc on PKG_CONFIG_PATH"
    return
  fi
  for package in "${wanted[@]}"; do
    case $package in
      petsc-dev | libhdf5-openmpi-dev | libpetsc*-examples | slepc-dev | libdeal.ii-dev | python3-petsc4py-real | \
        python3-dolfinx-real)
        have_petsc && [[ -z $(dpkg-query -W petsc-dev 2>/dev/null) ]] && continue
        ;;
    esac
    installed "$package" || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then
    say "All packages of cmake/packages.txt are installed"
    return
  fi
  for package in "${missing[@]}"; do
    if sed '1,/^# optional/d' cmake/packages.txt | grep -qx "$package"; then
      optional+=("$package")
    else
      required+=("$package")
    fi
  done
  local sudo=()
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      ((${#required[@]} == 0)) || fail "not root and no sudo: ask your administrator to install ${missing[*]}"
      say "Not root and no sudo, so these optional packages are left out: ${missing[*]}"
      return
    fi
    sudo=(sudo)
  fi
  say "Installing ${missing[*]}"
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    ${required[@]+"${required[@]}"}
  for package in ${optional[@]+"${optional[@]}"}; do
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends --no-remove "$package" ||
      say "Left out: $package (optional; it could not be installed)"
  done
}

build() {
  say "Configuring and building (preset $1) in build/$1"
  cmake --preset "$@"
  cmake --build "build/$1" -j "$jobs"
}

jobs=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)  # all cores: nproc obeys these

# Open MPI: allow root (containers) and more ranks than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMP_NUM_THREADS=1

install_packages
if [[ $mode == test ]]; then
  build ci
  say "Running the tests (everything but the labels heavy, tutorials, faults, fuzz, indices64, soak, simd, cases, mutants)"
  ctest --preset ci -j "$((2 * jobs))"  # a core is two of its slots: cmake/testing.cmake
  exit
fi

build release -DGEARSHIFT_TESTS=OFF
say "Running the flag (Turek and Hron, CSM3) on two ranks"
program=$(find build/release -type f -name gearshift-solid -perm -u+x | head -n 1)
[[ -n $program ]] || fail "gearshift-solid was not built: is GEARSHIFT_SOLID on?"
mpirun -np 2 "$program" -options_file examples/03_flag/csm3.yaml

say "The result: results/flag (energy.csv, steps.csv, probe_*.csv, summary.json)"
echo "   ParaView: results/flag/solution.pvd"
if command -v gnuplot >/dev/null; then
  if gnuplot examples/03_flag/plot.gp >/dev/null 2>&1; then
    echo "   Plot:     $(ls -t results/flag/*.png | head -n 1)"
  else
    echo "   Plot:     gnuplot failed: see gnuplot examples/03_flag/plot.gp"
  fi
else
  echo "   Plot:     install gnuplot, then: gnuplot examples/03_flag/plot.gp"
fi
if src/app/gearshift-picture results/flag --view -90 60 >/dev/null 2>&1; then
  echo "   Picture:  results/flag/picture.png"
else
  echo "   Picture:  install python3-vtk9 and python3-matplotlib, then: src/app/gearshift-picture results/flag"
fi
