#!/usr/bin/env bash
# bash checkpoint.sh gearshift-solid <cells along the shorter sides> <steps> <folder> -- mpirun -np 2
# The cost of a checkpoint compared with a step: a neo-Hookean beam of degree 2 under its weight, adaptive step and
# order, BDF (with the cheapest steps), a checkpoint every second step. Prints one line of JSON; 27 cells: 1e6 unknowns.
set -euo pipefail
program=$1 cells=$2 steps=$3 folder=$4
shift 5
mkdir -p "$folder"
"$@" "$program" -dm_plex_box_faces $((2 * cells)),$cells,$cells -dm_plex_box_upper 4,2,2 -degree 2 -material neo_hookean \
  -E 1e6 -nu 0.3 -rho 1000 -clamp xmin -gravity 0,0,-3 -gear_adapt order -gear_family bdf -gear_t_end 10 -gear_max_steps "$steps" \
  -vtk_every 0 -output "$folder/out" -overwrite -gear_checkpoint "$folder/state.h5" -gear_checkpoint_every 2 \
  -log_view ":$folder/log" >"$folder/run.log" 2>&1 || [[ $? == 2 ]] || { cat "$folder/run.log"; exit 1; }
bytes=$(stat -c %s "$folder/state.h5")
rm -f "$folder"/state.h5*
awk -v bytes="$bytes" -v folder="$folder" '
  /^gearshift-solid:/ { for (i = 2; i <= NF; ++i) if ($i ~ /^DoFs/) dofs = $(i - 1) }
  /^stopped at|^done/ { match($0, /[0-9]+ steps/); steps = substr($0, RSTART) + 0 }
  / gearshift steps: / && !stepping { sub(/.*gearshift steps: */, ""); stepping = $1 }
  /^GearCheckpoint/ { count = $2; writing = $4 }
  END {
    if (!(steps > 0 && count > 0)) { print "checkpoint.sh: no times in " folder > "/dev/stderr"; exit 1 }
    step = stepping / steps; checkpoint = writing / count
    printf "{\"dofs\": %d, \"steps\": %d, \"seconds_per_step\": %.3g, \"checkpoints\": %d, \"megabytes\": %.1f, ", dofs, steps, step, count, bytes / 1e6
    printf "\"seconds_per_checkpoint\": %.3g, \"checkpoint_over_step\": %.2f}\n", checkpoint, checkpoint / step
  }' "$folder/run.log" "$folder/log"
