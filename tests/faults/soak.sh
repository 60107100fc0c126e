#!/usr/bin/env bash
# bash soak.sh <steps> <folder> -- mpirun ... gearshift-solid: a small body takes a tenth of the steps, then all of
# them, with frames and checkpoints; at fixed steps, and with adaptive step, order and method. The memory of a rank
# grows by less than half a megabyte, also if algebraic multigrid is rebuilt in each Newton iteration.
set -uo pipefail
steps=$1 folder=$2
shift 3
fail() { echo "soak: $*"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
memory() { # name steps option ...
  local name=$1 most=$2
  shift 2
  "${launch[@]}" -dm_plex_box_faces 2,1,1 -degree 1 -E 1e6 -nu 0.3 -rho 1000 -clamp xmin -gravity "0,0,0-sin(3*t)" -probe_tip 1,0.5,0.5 \
    -output_every $((most / 20)) -gear_checkpoint "$folder/$name.h5" -gear_checkpoint_every $((most / 20)) -gear_max_steps "$most" \
    -gear_t_end 1e6 "$@" -output "$folder/$name" >"$folder/$name.log" 2>&1
  [ $? -eq 2 ] || fail "$name: $(tail -3 "$folder/$name.log")"
  grep -q "stopped at .* $most steps" "$folder/$name.log" || fail "$name: $(tail -1 "$folder/$name.log")"
  sed -nE 's/.*"memory_per_rank": ([0-9.e+]+).*/\1/p' "$folder/$name/summary.json"
}
launch=("$@")
for kind in "fixed -gear_dt 0.01" "adaptive -gear_adapt order -gear_rtol 1e-4" \
  "gamg -gear_dt 0.01 -pc_type gamg -gear_pc_update newton" "rebuilt -gear_dt 0.01 -gear_pc_update newton"; do
  # shellcheck disable=SC2086
  set -- $kind
  name=$1
  shift
  early=$(memory "$name.early" $((steps / 10)) "$@") || fail "$early"
  late=$(memory "$name.late" "$steps" "$@") || fail "$late"
  echo "$name: memory of a rank $early bytes after $((steps / 10)) steps, $late after $steps"
  awk -v a="$early" -v b="$late" 'BEGIN { exit !(a > 0 && b - a < 5e5) }' || fail "memory grows with the steps"
done
