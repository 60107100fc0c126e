#!/usr/bin/env bash
# Products, solves and steps of gearshift compared with those of assembled matrices with PETSc's GAMG and of CalculiX,
# run alternately on the same machine. Writes runs.jsonl, table.txt, and with gnuplot products.png and solves.png. Counts
# of messages are written to counts.jsonl, and together with the model of scaling.md to scaling.txt.
#
#   compare.sh BUILD OUTPUT [part...]       parts: product solve robust step count (all); table: only tables and plots
#
# BUILD: a build folder (release or ci). Environment: ROUNDS (3) of each run, from which medians are taken; RANKS ("1
# 2") of products and solves, the last one of which is used for steps; DOFS (1e6) of products; SIZES ("1e4 3e4 1.2e5 5e5
# 2e6") of solves; FIRST_MOST (5e5), the largest size of degree 1; ASSEMBLED_MOST (5e5 1.2e5), the largest sizes of
# assembled matrices of degree 1 and 2; STEPS (4); COUNT_RANKS ("1 2 4 8 16 32 64") and COUNT_DOFS (5e4) of counts.
set -euo pipefail
build=$(realpath "$1") output=$2
shift 2
parts=${*:-product solve robust step count}
rounds=${ROUNDS:-3} all_ranks=${RANKS:-1 2} dofs=${DOFS:-1e6} sizes=${SIZES:-1e4 3e4 1.2e5 5e5 2e6} steps=${STEPS:-4}
first_most=${FIRST_MOST:-5e5}
read -r -a assembled_most <<<"${ASSEMBLED_MOST:-5e5 1.2e5}"
ranks=${all_ranks##* }
here=$(cd "$(dirname "$0")" && pwd)
bench=$build/src/bench/gearshift-bench
assembled=$build/tests/bench/solve/bench_assembled
mkdir -p "$output"
output=$(realpath "$output")
lines=$output/runs.jsonl
export OMP_NUM_THREADS=1

# run RANKS PROGRAM ARGUMENT...: appends the lines of a run; a failed run is reported and the others continue.
run() {
  local count=$1
  shift
  mpirun --oversubscribe --bind-to none --mca mpi_yield_when_idle "${idle:-${OMPI_MCA_mpi_yield_when_idle:-0}}" -np "$count" "$@" >"$output/last.txt" 2>"$output/last_error.txt" ||
    echo "compare.sh: ${*:1:8} failed: $(grep -m 1 error "$output/last_error.txt" || true)" >&2
  grep '^{' "$output/last.txt" >>"$lines" || true
}
fits() { awk -v x="$1" -v most="$2" 'BEGIN { exit !(x <= 1.01 * most) }'; }

products() {
  for degree in 1 2 3 4; do
    for cells in general cartesian; do
      for count in $all_ranks; do run "$count" "$bench" operator -degree "$degree" -cells "$cells" -dofs "$dofs" -repeat 5; done
    done
    for count in $all_ranks; do
      run "$count" "$bench" operator -degree "$degree" -cells cartesian -material linear_elastic -dofs "$dofs" -repeat 5
    done
    if ((degree < 3)); then run 1 "$assembled" multiply -node_order lines -degree "$degree" -dofs "$dofs" -aspect 1 -repeat 5; fi
  done
}
solves() {
  for count in $all_ranks; do solves_on "$count"; done
}
solves_on() {
  local ranks=$1
  for size in $sizes; do
    for degree in 1 2 3 4; do
      if ((degree > 1)) || fits "$size" "$first_most"; then
        run "$ranks" "$bench" solve -degree "$degree" -dofs "$size"
      fi
      if ((degree < 3)) && fits "$size" "${assembled_most[degree - 1]}"; then
        run "$ranks" "$assembled" solve -peer gamg -node_order lines -degree "$degree" -dofs "$size"
      fi
    done
  done
}
# Iterations in difficult and in easy cases for preconditioners.
robust() {
  for degree in 1 2 3 4; do
    if ((degree > 1)); then run "$ranks" "$bench" solve -degree "$degree" -dofs 1.2e5 -nu 0.49; fi
    run "$ranks" "$bench" solve -degree "$degree" -dofs 1.2e5 -stretch 10 -aspect 10
    for dt in 1 0.1 0.01; do run "$ranks" "$bench" solve -degree "$degree" -dofs 1.2e5 -dt "$dt"; done
  done
}
# The tip is computed with CalculiX's law, the time with neo-Hooke; Newton to 1e-4, where CalculiX's default is 5e-3.
whole_steps() {
  local solver=(-gear_order 3 -snes_rtol 1e-4 -ksp_rtol 1e-2)
  if ! grep -qs '"bench": "reference"' "$lines"; then
    run "$ranks" "$bench" step -material st_venant_kirchhoff -degree 3 -dofs 3e4 -gear_family sdirk \
      -gear_dt 0.0025 -steps $((4 * steps))
    sed -i '/"bench": "step"/d; s/"bench": "steps", \(.*"degree": 3, .*"material": "st_ve\)/"bench": "reference", \1/' "$lines"
  fi
  run "$ranks" "$bench" step -steps "$steps" -material st_venant_kirchhoff "${solver[@]}"
  OMP_NUM_THREADS=$ranks bash "$here/calculix.sh" 100 10 10 "$steps" >>"$lines" || true
  # More steps, since the first ones set up the preconditioner.
  run "$ranks" "$bench" step -steps $((4 * steps)) "${solver[@]}"
  run "$ranks" "$bench" step -steps $((2 * steps)) -dofs 1.4e6 "${solver[@]}"
}
# The messages of each rank do not depend on its speed: one run, on more ranks than there are cores.
communication() {
  local all=$lines idle=1
  lines=$output/counts.jsonl
  : >"$lines"
  for count in ${COUNT_RANKS:-1 2 4 8 16 32 64}; do
    for degree in 1 2 4; do run "$count" "$bench" solve -aspect 1 -degree "$degree" -dofs "${COUNT_DOFS:-5e4}"; done
  done
  for count in 1 2 4 8; do
    run "$count" "$bench" step -dofs "${COUNT_DOFS:-5e4}" -steps 12 -gear_order 3 -snes_rtol 1e-4 -ksp_rtol 1e-2
  done
  lines=$all
  awk -f "$here/scaling.awk" "$output/counts.jsonl" | tee "$output/scaling.txt"
}

for ((round = 0; round < rounds; ++round)); do
  for part in $parts; do
    case $part in
      product) products ;;
      solve) solves ;;
      robust) ((round > 0)) || robust ;;
      step) whole_steps ;;
      count) ((round > 0)) || communication ;;
      table) ;;
      *) echo "error: no part is called $part" >&2; exit 1 ;;
    esac
  done
done
if [[ ! -s $lines ]]; then
  [[ -s $output/counts.jsonl ]] || { echo "error: no runs in $lines" >&2; exit 1; }
  exit 0
fi

data=$output/data
rm -rf "$data"
mkdir -p "$data"
awk -v folder="$data" -f "$here/table.awk" "$lines" | tee "$output/table.txt"
if command -v gnuplot >/dev/null; then
  gnuplot -e "folder='$data'; output='$output'" "$here/plot.gp"
else
  echo "no plots: gnuplot is not installed"
fi
