#!/usr/bin/env bash
# Installs, builds and runs gearshift. It is safe to run it again: finished parts are kept.
#
#   bash cmake/quickstart.sh              install missing packages, build, run the flag on two ranks, print the place of the result
#   bash cmake/quickstart.sh --pictures   also install the packages for colour pictures (VTK and matplotlib: 0.8 GB more)
#   bash cmake/quickstart.sh test         install the packages for the tests, build, run the tests (labels heavy, tutorials, faults,
#                                         fuzz, indices64, soak, simd, cases, mutants, petsc_* left out)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

mode=${1:-run}
[[ $# -le 1 && ($mode == run || $mode == test || $mode == --pictures) ]] ||
  fail "usage: bash cmake/quickstart.sh [--pictures | test]"
kept=build/packages.log  # output of apt

# Succeeds if a PETSc is available: the user's (PETSC_DIR) or one that pkg-config finds.
have_petsc() {
  [[ -n ${PETSC_DIR:-} ]] && return 0
  command -v pkg-config >/dev/null && pkg-config --exists PETSc
}

installed() { dpkg-query -W -f='${Status}\n' "$1" 2>/dev/null | grep -q '^install ok installed'; }

# Prints the packages of one section of cmake/packages.txt.
section() { sed -n "/^# $1: $2/,/^\$/p" cmake/packages.txt | sed -e '/^#/d' -e '/^$/d'; }

# Prints the packages on stdin that are missing. PETSc, and the packages that depend on it, count as missing only if
# there is no other PETSc.
missing() {
  local package
  while read -r package; do
    case $package in
      petsc-dev | libhdf5-openmpi-dev | libpetsc*-examples | slepc-dev | libdeal.ii-dev | python3-petsc4py-real | \
        python3-dolfinx-real)
        have_petsc && ! installed petsc-dev && continue
        ;;
    esac
    installed "$package" || echo "$package"
  done
}

sections() {  # required|optional
  section "first command" "$1"
  case $mode in
    --pictures) section pictures "$1" ;;
    test)
      section pictures "$1"
      section "second command" "$1"
      ;;
  esac
}

apt_quietly() { "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0 "$@" >>"$kept" 2>&1; }

install_packages() {
  local package required=() optional=() sudo=() known=()
  mapfile -t required < <(sections required | missing)
  mapfile -t optional < <(sections optional | missing)
  if ! command -v apt-get >/dev/null; then
    mapfile -t required < <(sections required)
    say "This system is not Debian or Ubuntu: nothing is installed. Install the equivalents of: ${required[*]}"
    have_petsc || fail "no PETSc found: set PETSC_DIR (and PETSC_ARCH), or put PETSc.pc on PKG_CONFIG_PATH"
    return
  fi
  ((${#required[@]} + ${#optional[@]} > 0)) || { say "All packages are installed"; return; }
  if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
      ((${#required[@]} == 0)) || fail "not root and no sudo: ask your administrator to install ${required[*]}"
      say "Not root and no sudo: these optional packages are not installed: ${optional[*]}"
      return
    fi
    sudo=(sudo)
  fi
  mkdir -p build
  : >"$kept"
  say "Updating the package lists"
  "${sudo[@]}" dpkg --configure -a >>"$kept" 2>&1 || true  # in case an earlier run was interrupted
  apt_quietly update || say "The package lists could not be updated (see $kept); the existing lists are used"
  for package in ${optional[@]+"${optional[@]}"}; do
    if apt-get install -s --no-install-recommends "$package" >/dev/null 2>&1; then
      known+=("$package")
    else
      say "Left out: $package (optional; this release does not have it)"
    fi
  done
  local all=(${required[@]+"${required[@]}"} ${known[@]+"${known[@]}"})
  ((${#all[@]} > 0)) || return 0
  say "Installing ${all[*]}"
  apt-get install --assume-no --no-install-recommends "${all[@]}" 2>/dev/null | grep -E '^(Need to get|After this)' || true
  echo "(takes a minute or more with a fast connection; details in $kept)"
  if ((${#required[@]} > 0)); then
    apt_quietly install -y --no-install-recommends "${required[@]}" ||
      { tail -n 5 "$kept" >&2; fail "apt-get could not install ${required[*]}: see $kept, and run this command again"; }
  fi
  for package in ${known[@]+"${known[@]}"}; do
    apt_quietly install -y --no-install-recommends --no-remove "$package" ||
      say "Left out: $package (optional; it could not be installed, see $kept)"
  done
}

build() {  # PRESET TARGET OPTION...
  local preset=$1 target=$2
  shift 2
  say "Building (preset $preset) in build/$preset on $jobs cores: $minutes. Run the command again to continue an interrupted build"
  cmake --preset "$preset" "$@"
  cmake --build "build/$preset" -j "$jobs" --target "$target"
}

jobs=$(env -u OMP_NUM_THREADS -u OMP_THREAD_LIMIT nproc)  # all cores: nproc respects these variables
within() { echo "about $((($1 + jobs - 1) / jobs)) to $(((2 * $1 + jobs - 1) / jobs)) minutes"; }  # of processor time

# Open MPI: allow root (containers) and more ranks than cores.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMP_NUM_THREADS=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

install_packages
if [[ $mode == test ]]; then
  minutes=$(within 13)
  build ci all
  say "Running the tests of the preset ci, $(within 18)"
  ctest --preset ci -j "$((3 * jobs))"
  exit
fi

minutes=$(within 4)
build release gearshift-solid -DGEARSHIFT_TESTS=OFF -DGEARSHIFT_EXAMPLES=OFF -DGEARSHIFT_KERNELS=native
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
if src/app/gearshift-picture results/flag --view -90 60 --time greatest --outline >/dev/null 2>&1; then
  echo "   Picture:  results/flag/picture.png (the bar at its largest deflection; the line is the undeformed bar)"
else
  echo "   Picture:  bash cmake/quickstart.sh --pictures, then: src/app/gearshift-picture results/flag"
fi
say "Next"
if ((EUID == 0)); then
  echo "   Open MPI refuses to run as root by default. Allow it in this shell:"
  echo "     export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
fi
echo "   For more ranks than the $jobs cores of this machine: mpirun --oversubscribe -np 4 ..."
echo "   Build the examples in C++, C, Fortran and Python: cmake --preset release && cmake --build build/release"
echo "   Run with another load and another folder for the results:"
echo "     mpirun -np 2 $program -options_file examples/03_flag/csm3.yaml -gravity 0,-4,0 -output results/heavier"
