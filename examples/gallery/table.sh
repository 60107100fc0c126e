#!/usr/bin/env bash
# bash examples/gallery/table.sh BUILD [TABLE [RESULTS]]: runs the gallery on two ranks (some minutes) and writes its
# table, examples/gallery/table.md. Exit code 1: the difference between a number and its reference exceeds its limit.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
[ $# -ge 1 ] || { sed -n '2,3p' "$0"; exit 1; }
solid=$(cd "$1" && pwd)/src/app/gearshift-solid
table=$(realpath -m "${2:-$here/table.md}")
results=$(realpath -m "${3:-$1/gallery}")
[ -x "$solid" ] || { echo "$solid is missing: build gearshift-solid" >&2; exit 1; }
cd "$here/../.."
. "$here/tools.sh"
mkdir -p "$results"
bad=0
modes_known=false # without SLEPc the rows of frequencies are left out
"$solid" -modes 1 -dm_plex_box_faces 1,1,1 -E 1 -nu 0 -rho 1 -clamp xmin -output "$results/probe" -overwrite >/dev/null 2>&1 && modes_known=true

# solve RUN CASE [option ...]: runs a case; sets $run to its folder and $seconds to its wall time.
solve() {
  run=$results/$1
  local case=examples/$2
  shift 2
  echo "$run: $case $*"
  mpirun -np 2 "$solid" -options_file "$case" "$@" -output "$run" -overwrite -vtk_every 0 >"$run.log" 2>&1 || { tail -3 "$run.log"; exit 1; }
  seconds=$(sed -nE 's/.*done: .* ([0-9.]+) s, [0-9]+ DoFs.*/\1/p' "$run.log" | tail -1)
  # A modal analysis has no steps; its time is on the line that reports the modes.
  seconds=$(sed -nE 's/^[0-9]+ modes by .* ([0-9.]+) s$/\1/p' "$run.log" | grep . || echo "$seconds")
}

# row PROBLEM QUANTITY REFERENCE SOURCE LIMIT OURS MESH STEP
row() {
  local difference shown form=%.7g
  [ -n "$6" ] || { echo "$1, $2: no value"; bad=1; return 0; }
  difference=$(off "$6" "$3")
  within "$difference" "$5" || { echo "$1, $2: $6 instead of $3, farther off than $5"; bad=1; }
  shown=$(awk -v d="$difference" -v r="$3" 'BEGIN { printf r == 0 ? "%.1g" : d * d < 1 ? "%.2g %%" : "%.0f %%", r ? 100 * d : d }')
  case $3 in 0) form=%.1g ;; *e*) form=%.6e ;; esac
  echo "| $1 | $2 | $3 | $4 | $(printf $form "$6") | $shown | $7 | $8 | $(printf %.1f "$seconds") |" >>"$table.new"
}

cat >"$table.new" <<'END'
<!-- Written by table.sh. -->
# The gallery compared with published and independent solutions

Differences are (ours - reference) / |reference|, or ours if the reference is 0. Times are wall-clock seconds on two
ranks of a machine shared with other jobs.

| problem | quantity | reference | source | ours | difference | mesh | step | time [s] |
|---|---|---|---|---|---|---|---|---|
END

for problem in cook bracket columns l_block hole beam_modes frame inclusions balloon bushing rotor contact bodies cantilever; do
  . "$here/$problem/rows.sh"
done
. "$here/earlier.sh"
mv "$table.new" "$table"
echo "table in $table"
exit $bad
