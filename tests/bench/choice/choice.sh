#!/usr/bin/env bash
# bash choice.sh BUILD FOLDER [CASE...]: what the preconditioner that inertia chooses costs. Each case is an adaptive run
# of gearshift-solid with the default, with smoothing only, with all levels, and with -solver jacobi, in turns. Prints
# a table row for each case: processor seconds (medians of ROUNDS runs, default 3) and the ratio of the default to the
# least of the others. Row's names give the cells, the degree if it is not 2, and the
# tolerance; CASE is a part of a name. Environment: ROUNDS, STEPS (accepted steps of a run, default 40).
set -euo pipefail
solid=$1/src/app/gearshift-solid folder=$2
here=$(cd "$(dirname "$0")" && pwd)
shift 2
mkdir -p "$folder"
rubber="-material neo_hookean -E 1e7 -nu 0.3 -rho 1000 -gravity 0,0,-9.81"
box() { echo "-dm_plex_box_faces $1 -dm_plex_box_upper $2 -degree $3 -clamp xmin"; }
beam() { echo "$(box "$1" 1,0.1,0.1 2) $rubber -gear_t_end 10"; }
cases=(
  "beam 20x2x2, 1e-3|$(beam 20,2,2) -gear_rtol 1e-3"
  "beam 40x4x4, 1e-2|$(beam 40,4,4) -gear_rtol 1e-2"
  "beam 40x4x4, 1e-3|$(beam 40,4,4) -gear_rtol 1e-3"
  "beam 40x4x4, 1e-4|$(beam 40,4,4) -gear_rtol 1e-4"
  "beam 60x10x10, 1e-2|$(beam 60,10,10) -gear_rtol 1e-2"
  "beam 60x10x10, 1e-3|$(beam 60,10,10) -gear_rtol 1e-3"
  "beam 40x4x4 of tetrahedra, 1e-3|$(beam 40,4,4) -dm_plex_simplex 1 -gear_rtol 1e-3"
  "beam 80x10x10, degree 1, 1e-3|$(box 80,10,10 1,0.1,0.1 1) $rubber -gear_t_end 10 -gear_rtol 1e-3"
  "block 10x10x10, degree 3, 1e-3|$(box 10,10,10 1,1,1 3) $rubber -gear_t_end 10 -gear_rtol 1e-3"
  "plate 40x40x1, 1e-3|$(box 40,40,1 1,1,0.025 2) $rubber -gear_t_end 10 -gear_rtol 1e-3"
  "bracket, 1e-3|-dm_plex_filename $here/../../../examples/manual/bracket.msh -degree 2 -material neo_hookean -E 2e6 -nu 0.3 -rho 1200 -clamp wall -gravity 0,0,-9.81 -gear_t_end 10 -gear_rtol 1e-3"
  "beam 110x18x18, 1e-3|$(beam 110,18,18) -gear_rtol 1e-3"
)
variants=(default "-mg_inertia 0,0" "-mg_inertia 1e30,1e30" "-solver jacobi")
echo "| case | DoF | steps | default | smoothing only | all levels | Jacobi | default / least of the others |"
echo "|---|---|---|---|---|---|---|---|"
for case in "${cases[@]}"; do
  name=${case%%|*} options=${case#*|}
  if (($#)); then
    wanted=0
    for part in "$@"; do [[ $name == *"$part"* ]] && wanted=1; done
    ((wanted)) || continue
  fi
  : >"$folder/times"
  for ((round = 0; round < ${ROUNDS:-3}; ++round)); do
    for v in "${!variants[@]}"; do
      variant=${variants[v]}
      [[ $variant == default ]] && variant=
      # shellcheck disable=SC2086  # the options are several words
      TIMEFORMAT='%U %S'
      { time "$solid" $options $variant -gear_adapt order -gear_max_steps "${STEPS:-40}" -output "$folder/run" -overwrite \
        >"$folder/log" 2>&1 || true; } 2>"$folder/time"
      grep -q '^stopped\|^done' "$folder/log" || { cat "$folder/log" >&2; exit 1; }
      awk -v v="$v" '{ print v, $1 + $2 }' "$folder/time" >>"$folder/times"
    done
  done
  steps=$(($(wc -l <"$folder/run/steps.csv") - 1)) dofs=$(sed -n 's/.*, \([0-9]*\) DoFs.*/\1/p' "$folder/log")
  sort -k1,1n -k2,2g "$folder/times" | awk -v name="$name" -v steps="$steps" -v dofs="$dofs" '
    { t[$1, ++n[$1]] = $2 }
    function median(v) { return t[v, int((n[v] + 1) / 2)] }
    END {
      least = median(1)
      for (v = 2; v < 4; ++v) if (median(v) < least) least = median(v)
      printf "| %s | %d | %d | %.2f | %.2f | %.2f | %.2f | %.2f |\n", name, dofs, steps, median(0), median(1), median(2), median(3), median(0) / least
    }'
done
rm -rf "$folder/run" "$folder/log" "$folder/time" "$folder/times"
