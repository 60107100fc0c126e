#!/usr/bin/env bash
# Searches random linear systems with exact solutions for bad runs: work and error compared with CVODE and with the
# one-step method. Prints tables by search.awk; with the solver bdf also the result of always choosing the better of
# bdf and the one-step method.
#
#   bash tests/bench/time/search.sh [--build folder | --program file] [--output folder] [--systems n] [--seed s]
#                                   [--solvers gear,bdf] [--tolerances 1e-3,1e-4] [--atol-v default|scale] [--fresh]
#                                   [--label text] [-- options of gearshift]
#
# From a build folder, or with --build, the program is built there first. The solvers named (gear) are always run
# again, with the options after --. The peers, CVODE of orders 1-5 and 1-2 and the pure family sdirk, are run once:
# their lines are kept in the output folder (default: bench/search in the build folder). --fresh runs the peers
# again; use it after a change of sdirk. The label is part of the kept file's name, so that variants
# can be compared later with
#   awk -f search.awk <peers' files> <variant's file>.
set -euo pipefail
export LC_ALL=C OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

build=$PWD program='' output='' systems=200 seed=1 solvers=gear atol_v=default fresh=false label=''
tolerances=1e-2,1e-3,1e-4,1e-5,1e-6
while (($# > 0)); do
  case $1 in
    --build) build=$2; shift ;;
    --program) program=$2; shift ;;
    --output) output=$2; shift ;;
    --systems) systems=$2; shift ;;
    --seed) seed=$2; shift ;;
    --solvers) solvers=$2; shift ;;
    --tolerances) tolerances=$2; shift ;;
    --atol-v) atol_v=$2; shift ;;
    --label) label=.$2; shift ;;
    --fresh) fresh=true ;;
    --) shift; break ;;
    *) fail "unknown argument '$1'; see the head of $0" ;;
  esac
  shift
done
[[ -n $program || -f $build/CMakeCache.txt ]] || fail "$build is not a build folder: run this script from one, or give --build"
output=${output:-$build/bench/search}
mkdir -p "$output"
if [[ -z $program ]]; then
  cmake --build "$build" --target gearshift-bench-search >&2
  program=$build/tests/bench/time/gearshift-bench-search
fi

# The first line of a kept file contains the number of systems; a file gets its name only once it is complete.
kept() {
  local file=$output/peer.$1.seed$seed.tsv most=0
  if [[ -f $file ]]; then read -r _ most <"$file"; fi
  if $fresh || ((most < systems)); then
    { echo "#systems $systems" && "$program" --seed "$seed" --systems "$systems" --solvers "$1"; } >"$file.part"
    mv "$file.part" "$file"
  fi
}

files=()
for peer in cvode cvode2 sdirk; do
  kept $peer
  files+=("$output/peer.$peer.seed$seed.tsv")
done
for solver in ${solvers//,/ }; do
  file=$output/$solver$label.atol_v_$atol_v.seed$seed.tsv
  if [[ $solver == cvode* ]]; then continue; fi
  # its name as a peer is used for the finer grid
  "$program" --seed "$seed" --systems "$systems" --solvers "$solver" --tolerances "$tolerances" --atol-v "$atol_v" "$@" |
    awk -F'\t' -v OFS='\t' '$11 == "sdirk" { $11 = "sdirk_alone" } { print }' >"$file"
  files+=("$file")
done
echo "$systems systems of seed $seed, atol_v: $atol_v, options: ${*:-none}"
awk -v oracle=bdf -f "$here/search.awk" "${files[@]}"
