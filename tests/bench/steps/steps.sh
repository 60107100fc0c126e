#!/usr/bin/env bash
# bash steps.sh BUILD FOLDER: the number of steps that error control takes, and the error that is left, for beams on finer
# and finer meshes and for default runs of bodies over ten periods of their first mode. Prints two tables.
# Environment: MESHES, TOLERANCES (beam), CASES, PERIODS (bodies), REFERENCE (rtol of the runs that errors refer to).
set -euo pipefail
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
solid=$1/src/app/gearshift-solid folder=$2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$folder"

# run NAME OPTIONS: a run with its results in the folder NAME
run() {
  local name=$1
  shift
  "$solid" -output "$folder/$name" -output_every 0 "$@" >"$folder/$name.log" 2>&1 ||
    { echo "steps.sh: $name failed: $(tail -n 1 "$folder/$name.log")" >&2; exit 1; }
}
number() { sed -n "s/^ *\"$2\": \([0-9.e+-]*\),*$/\1/p" "$folder/$1/summary.json"; }
# difference NAME REFERENCE: the largest difference of uz at the probe, relative to its largest value [%]
difference() { awk -F, -f "$here/difference.awk" "$folder/$2/probe_tip.csv" "$folder/$1/probe_tip.csv"; }

beam=(-dm_plex_box_upper 1,0.1,0.1 -degree 2 -material neo_hookean -E 1e7 -nu 0.3 -rho 1000 -gravity 0,0,-9.81 -clamp xmin
  -probe_tip 1,0.05,0.05 -gear_t_end 0.1 -gear_adapt order -gear_cutoff_frequency -2)
echo "| beam | rtol | steps | rejected | Newton | Krylov | error of the tip / rtol |"
echo "|---|---|---|---|---|---|---|"
for mesh in ${MESHES:-10,1,1 20,2,2 40,4,4}; do
  run beam -dm_plex_box_faces "$mesh" "${beam[@]}" -gear_rtol "${REFERENCE:-1e-6}"
  for rtol in ${TOLERANCES:-1e-2 1e-3 1e-4}; do
    run beam_run -dm_plex_box_faces "$mesh" "${beam[@]}" -gear_rtol "$rtol"
    echo "| ${mesh//,/x} | $rtol | $(number beam_run steps) | $(number beam_run rejected) | $(number beam_run newton_iterations) | $(
      number beam_run krylov_iterations) | $(difference beam_run beam | awk -v tol="$rtol" '{ printf "%.2g", $1 / 100 / tol }') |"
  done
done

steel=(-degree 2 -material neo_hookean -E 2.1e11 -nu 0.3 -rho 7850)
slender=("${steel[@]}" -dm_plex_box_upper 1,0.02,0.02 -dm_plex_box_faces 25,1,1 -gravity 0,0,-9.81 -clamp xmin -probe_tip 1,0.01,0.01)
stocky=("${steel[@]}" -dm_plex_box_upper 3,1,1 -dm_plex_box_faces 6,2,2 -traction_xmax 0,0,-1e6 -clamp xmin -probe_tip 3,0.5,0.5)
springs=("${steel[@]}" -dm_plex_box_upper 1,1,1 -dm_plex_box_faces 3,3,3 -gravity 0,0,-9.81 -foundation_zmin 3.1e7,3.1e7
  -probe_tip 0.5,0.5,1)
# three that the constants were not chosen with
stub=("${steel[@]}" -dm_plex_box_upper 2,1,1 -dm_plex_box_faces 4,2,2 -traction_xmax 0,0,-1e6 -clamp xmin -probe_tip 2,0.5,0.5)
bar=("${steel[@]}" -dm_plex_box_upper 1,0.05,0.05 -dm_plex_box_faces 20,1,1 -traction_xmax 0,0,-1e5 -clamp xmin
  -probe_tip 1,0.025,0.025)
rubber=(-degree 2 -material neo_hookean -E 1e7 -nu 0.45 -rho 1100 -dm_plex_box_upper 5,1,1 -dm_plex_box_faces 8,2,2
  -traction_xmax 0,0,-100 -clamp xmin -probe_tip 5,0.5,0.5)
periods=${PERIODS:-10}
echo
echo "| default run | period of the first mode | steps | a period | rejected | Newton | Krylov | error [% of the largest u] |"
echo "|---|---|---|---|---|---|---|---|"
for name in ${CASES:-slender stocky springs stub bar rubber}; do
  declare -n options=$name
  run modes "${options[@]}" -modes 1
  frequency=$(awk -F, 'NR == 2 { print $2 }' "$folder/modes/modes.csv")
  end=$(awk -v f="$frequency" -v n="$periods" 'BEGIN { printf "%.8g", n / f }')
  run "$name" "${options[@]}" -gear_t_end "$end" -gear_adapt order -gear_rtol "${REFERENCE:-1e-5}"
  run "${name}_run" "${options[@]}" -gear_t_end "$end"
  steps=$(number "${name}_run" steps)
  echo "| $name | $(awk -v f="$frequency" 'BEGIN { printf "%.3g", 1 / f }') | $steps | $(awk -v s="$steps" -v n="$periods" \
    'BEGIN { printf "%.1f", s / n }') | $(number "${name}_run" rejected) | $(number "${name}_run" newton_iterations) | $(
    number "${name}_run" krylov_iterations) | $(difference "${name}_run" "$name") |"
done
