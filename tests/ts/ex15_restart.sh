#!/usr/bin/env bash
# bash ex15_restart.sh <folder> mpirun -np <ranks> ex15 ...: PETSc's tutorial (heat on a grid, ILU kept over several
# steps), stopped and continued, ends with the same bytes as an uninterrupted run.
set -euo pipefail
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder"
fail() { echo "ex15_restart: $*"; exit 1; }
options=(-ts_rtol 1e-5 -da_grid_x 20 -da_grid_y 20)
"$@" "${options[@]}" -ts_view_solution "binary:$folder/whole"
"$@" "${options[@]}" -ts_gear_checkpoint "$folder/state.h5" -ts_gear_checkpoint_every 5 -ts_max_steps 21
output=$("$@" "${options[@]}" -ts_gear_restart "$folder/state.h5" -ts_view_solution "binary:$folder/parted")
printf '%s\n' "$output"
grep -q "^continues from the checkpoint.*step 20$" <<<"$output" || fail "it does not continue from step 20"
cmp "$folder/whole" "$folder/parted" || fail "another solution than in one piece"
