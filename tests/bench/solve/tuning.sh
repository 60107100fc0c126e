#!/usr/bin/env bash
# Costs and savings of solver options with 1e5 unknowns; prints the table of the manual's page on tuning (Markdown):
# Newton and Krylov iterations, and the processor time of a whole run on one rank relative to the defaults. Runs with and without
# the option take turns, so that the ratio does not depend on other programs.
#
#   tuning.sh BUILD OUTPUT
#
# Environment: STEPS (10), ROUNDS (3) from which the median of the ratio is taken, REFINE (2) of the flag, CELLS ("24,7,7")
# of the beam, LIMIT (600) seconds per run.
set -euo pipefail
program=$(realpath "$1/src/app/gearshift-solid")
output=$2
steps=${STEPS:-10} rounds=${ROUNDS:-3}
cd "$(dirname "$0")/../../.."
mkdir -p "$output"
output=$(realpath "$output")
flag=(-options_file examples/03_flag/csm3.yaml -dm_plex_filename examples/03_flag/meshes/csm_bar_l0.msh -dm_refine "${REFINE:-2}"
  -gear_t_end "$(awk -v n="$steps" 'BEGIN { print 0.005 * n }')")
beam=(-dm_plex_box_faces "${CELLS:-24,7,7}" -dm_plex_box_upper 4,1,1 -degree 3 -material neo_hookean -E 1e6 -nu 0.3 -rho 1000
  -gravity 0,0,-9.81 -clamp xmin -gear_dt 0.02 -gear_t_end "$(awk -v n="$steps" 'BEGIN { print 0.02 * n }')")

# run CASE OPTION...: sets `seconds` of processor time; fails if the run does.
run() {
  local -n of=$1
  shift
  TIMEFORMAT='%U'
  rm -rf "$output/run"
  { time timeout "${LIMIT:-600}" "$program" "${of[@]}" "$@" -vtk_every 0 -csv_every 0 -output "$output/run" >"$output/log.txt" 2>&1; } \
    2>"$output/time.txt" || return 1
  seconds=$(tail -1 "$output/time.txt")
}

# measure CASE OPTION...: prints a cell of the table.
measure() {
  local ratios=() seconds before
  for ((round = 0; round < rounds; ++round)); do
    run "$1"
    before=$seconds
    run "$@" || { echo "none"; return; }
    ratios+=("$(awk -v a="$seconds" -v b="$before" 'BEGIN { printf "%.2f", a / b }')")
  done
  echo "$(sed -nE 's/^done: .* ([0-9]+) Newton, ([0-9]+) Krylov.*/\1 \/ \2/p' "$output/log.txt") /" \
    "$(printf '%s\n' "${ratios[@]}" | sort -g | sed -n "$(((rounds + 1) / 2))p")"
}

echo "| option | flag: Newton / Krylov / time | cantilever: Newton / Krylov / time |"
echo "|---|---|---|"
while read -r -a options; do
  name="\`${options[*]}\`"
  ((${#options[@]} > 0)) || name=defaults
  echo "| $name | $(measure flag ${options[@]+"${options[@]}"}) | $(measure beam ${options[@]+"${options[@]}"}) |"
done <<'END'

-snes_rtol 1e-8
-ksp_rtol 1e-3
-ksp_rtol 1e-8
-snes_ksp_ew
-snes_rtol 1e-5
-gear_pc_update simulation
-gear_pc_update step
-gear_pc_update newton
-mg_levels_ksp_max_it 8
-mg_coarse_pc_type lu
-mg_corner_cycles 1
-mg_corner_cycles 2
-solid_levels double
-pc_type gamg
-solver jacobi -ksp_max_it 20000
END
