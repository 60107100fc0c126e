#!/usr/bin/env bash
# Work-precision benchmark of time integrators: runs every problem with every solver at every tolerance, prints the
# table and draws the plots.
#
#   bash tests/bench/time/run.sh [--quick] [--build folder | --program file] [--output folder] [--problems "bar cant2"]
#                                [--solvers "gear cvode"] [--tolerances "1e-3 1e-4"] [--limit seconds] [--rounds n]
#                                [--table-only]
#
# From a build folder, or with --build, the program is built there first; --program names an existing one. The output
# folder (default: bench/time in the build folder) contains reference states, JSON lines by problem, table.txt and the
# PNGs. References and the peers' lines are kept and not run again; remove their files to repeat them. gearshift's are
# always run again. Runs of less than five seconds by gear and CVODE are repeated alternately (--rounds, 5; --quick:
# once), and their median times are used, since other users of a machine disturb single runs. At the end forms.sh
# compares the form of length N with that of length 2N (not with --problems or --solvers).
set -euo pipefail
export LC_ALL=C OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

fail() { printf 'error: %s\n' "$*" >&2; exit 1; }
say() { printf '== %s\n' "$*" >&2; }

build=$PWD program='' output='' limit=200 rounds=5 table_only=false quick='' forms=true
problems="bar cant2 free2 pend pend4 bar0 steep hertz kelvin rotor frame blast stick duffing vdp beam1 beam01 lift cant3"
gear="gear gear_bdf gear_unguarded gear2 gear_ndf2 gear_sdirk gear_esdirk"
peers="cvode cvode2 cvode_stald ida dirk3 dirk4 tsbdf2 tsbdf3 tsbdf4 tsbdf5 alpha2
       tsbdf2_tuned tsbdf3_tuned tsbdf4_tuned tsbdf5_tuned alpha2_tuned ida_tuned dirk3_tuned dirk4_tuned"
tolerances="1e-2 1e-3 1e-4 1e-5 1e-6 1e-7"
while (($# > 0)); do
  case $1 in
    --quick)
      quick=--quick tolerances="1e-3 1e-4 1e-5" limit=20 rounds=1
      problems="bar cant2 pend pend4 bar0 hertz kelvin rotor frame blast stick duffing vdp beam1 beam01 lift"
      gear="gear gear_bdf gear2 gear_esdirk" peers="cvode cvode2 ida_tuned dirk4_tuned tsbdf2_tuned alpha2_tuned"
      ;;
    --build) build=$2; shift ;;
    --program) program=$2; shift ;;
    --output) output=$2; shift ;;
    --problems) problems=$2 forms=false; shift ;;
    --solvers)
      gear=$(tr ' ' '\n' <<<"$2" | grep '^gear' || true)
      peers=$(tr ' ' '\n' <<<"$2" | grep -v '^gear' || true)
      forms=false
      shift
      ;;
    --tolerances) tolerances=$2; shift ;;
    --limit) limit=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --table-only) table_only=true ;;
    *) fail "unknown argument '$1'; see the head of $0" ;;
  esac
  shift
done
[[ -n $program || -f $build/CMakeCache.txt ]] || fail "$build is not a build folder: run this script from one, or give --build"
output=${output:-$build/bench/time}
mkdir -p "$output"

# reference <problem>: computes its end state by a tight run; a run of a different method must agree with it.
reference() {
  local file=$output/$1.reference tight check
  [[ -f $file ]] && return
  case $1 in
    free2 | pend | pend4 | bar0 | steep | rotor | frame | blast | duffing | beam1 | beam01) tight="-solver erk8 -tol 1e-12" check="-solver dirk4_tuned -tol 1e-6" ;;
    cant3) tight="-solver cvode -tol 1e-9" check="-solver cvode -tol 1e-7" ;;  # DIRK takes hours here
    *) tight="-solver cvode -tol 1e-10" check="-solver dirk4_tuned -tol 1e-6" ;;
  esac
  say "$1: reference by $tight"
  # shellcheck disable=SC2086
  "$program" -problem "$1" $tight -save "$file.new" >"$output/$1.reference.jsonl"
  # shellcheck disable=SC2086
  "$program" -problem "$1" $check -label check -reference "$file.new" >>"$output/$1.reference.jsonl"
  mv "$file.new" "$file"
  say "$1: the reference differs from $check by $(tail -n 1 "$output/$1.reference.jsonl" | grep -o '"err_q": [^,]*')"
}

# Prints a number in the format of the program.
plain() { awk -v x="$1" 'BEGIN { printf "%g", x }'; }

# Prints the text that identifies the line of <solver> <tolerance>.
key_of() { printf '"solver": "%s", "tol": %s,' "$1" "$(plain "$2")"; }

# run <file> <problem> <solver> <tolerance>: appends a line; a run that fails or takes too long
# leaves a line that says so.
run() {
  local line code=0 why
  line=$(timeout "$limit" "$program" -problem "$2" -solver "$3" -tol "$4" -reference "$output/$2.reference" \
    2>"$output/last_error.txt") || code=$?
  if ((code != 0)); then
    why="$(head -n 1 "$output/last_error.txt" | tr -d '"\\' | cut -c 1-150)"
    if ((code == 124)); then why="no result within $limit s"; fi
    say "$2 $3 $4: $why"
    line=$(printf '{"problem": "%s", "solver": "%s", "tol": %s, "failure": "%s"}' "$2" "$3" "$(plain "$4")" "$why")
  fi
  printf '%s\n' "$line" >>"$1"
}

# time_in_turn <problem> <tolerance>: repeats both solvers' runs and writes the median times into their lines.
time_in_turn() {
  local solver round file line median
  local -A file_of=([gear]="$output/$1.gear.jsonl" [cvode]="$output/$1.peers.jsonl")
  for solver in gear cvode; do
    line=$(grep -sF "$(key_of "$solver" "$2")" "${file_of[$solver]}" || true)
    awk -v cpu="$(sed -n 's/.*"cpu": \([^,]*\),.*/\1/p' <<<"$line")" 'BEGIN { exit !(cpu != "" && cpu < 5) }' || return 0
    : >"$output/times.$solver"
  done
  for ((round = 0; round < rounds; ++round)); do
    for solver in gear cvode; do
      "$program" -problem "$1" -solver "$solver" -tol "$2" 2>/dev/null |
        sed -n 's/.*"cpu": \([^,]*\), "wall": \([^,]*\),.*/\1 \2/p' >>"$output/times.$solver"
    done
  done
  for solver in gear cvode; do
    file=${file_of[$solver]}
    median=$(sort -g "$output/times.$solver" | sed -n "$(((rounds + 1) / 2))p")
    awk -v key="$(key_of "$solver" "$2")" -v cpu="${median% *}" -v wall="${median#* }" '
      index($0, key) { sub(/"cpu": [^,]*, "wall": [^,]*,/, "\"cpu\": " cpu ", \"wall\": " wall ",") } { print }
    ' "$file" >"$file.new"
    mv "$file.new" "$file"
  done
  rm -f "$output"/times.{gear,cvode}
}

if ! $table_only; then
  if [[ -z $program ]]; then
    cmake --build "$build" --target gearshift-bench-time >"$output/build.txt" || { cat "$output/build.txt"; exit 1; }
    program=$build/tests/bench/time/gearshift-bench-time
  fi
  for problem in $problems; do
    reference "$problem"
    for solver in $peers; do
      for tolerance in $tolerances; do
        lines=$output/$problem.peers.jsonl
        grep -qsF "$(key_of "$solver" "$tolerance")" "$lines" || run "$lines" "$problem" "$solver" "$tolerance"
      done
    done
    rm -f "$output/$problem.gear.jsonl"
    for solver in $gear; do
      for tolerance in $tolerances; do run "$output/$problem.gear.jsonl" "$problem" "$solver" "$tolerance"; done
    done
    if ((rounds > 1)) && [[ " $gear $peers " == *" gear "* && " $gear $peers " == *" cvode "* ]]; then
      for tolerance in $tolerances; do time_in_turn "$problem" "$tolerance"; done
    fi
    say "$problem: done"
  done
  if $forms; then bash "$here/forms.sh" "$program" "$output" "$quick" >"$output/forms.log"; fi
fi

lines=$(for problem in $problems; do ls "$output/$problem".{gear,peers}.jsonl 2>/dev/null || true; done)
[[ -n $lines ]] || fail "no runs in $output"
data=$output/data
rm -rf "$data"
mkdir -p "$data"
# shellcheck disable=SC2086
awk -v folder="$data" -f "$here/table.awk" $lines | tee "$output/table.txt"
if command -v gnuplot >/dev/null; then
  for problem in $problems; do
    ls "$data/$problem".*.dat >/dev/null 2>&1 || continue
    gnuplot -e "folder='$data'; problem='$problem'; output='$output/$problem.png'" "$here/plot.gp"
    say "drawn: $output/$problem.png"
  done
else
  say "no plots: gnuplot is not installed"
fi
[[ ! -f $output/forms.txt ]] || cat "$output/forms.txt"
say "the tables are in $output"
