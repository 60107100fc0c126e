#!/usr/bin/env bash
# bash restart.sh FOLDER PROGRAM LAUNCH...: a coupled run continued from a checkpoint.
. "$(dirname "${BASH_SOURCE[0]}")/bar.sh"

# Checkpoints are written at the ends of windows, however often these are repeated, and a restarted run continues
# without a trace: the first run was ended by its partners after 4 windows of 8, or by the wall limit after the first.
goes_on() {
  local name=$1 first=$2 code=$3 iterations=$4 rc=0
  shift 4
  settings 'windows 8' 'window 0.1' "iterations $iterations" 'force 2 1 0' 'rate 5'
  run whole "${coupled[@]}" -output_every 3 "$@"
  rm -f coupled.h5*
  [ "$code" = 75 ] || settings "windows $first" 'window 0.1' "iterations $iterations" 'force 2 1 0' 'rate 5'
  "${launch[@]}" "$program" "${bar[@]}" "${coupled[@]}" -output "$name" -output_every 3 -gear_checkpoint coupled.h5 \
    -gear_checkpoint_every 2 "$@" $([ "$code" != 75 ] || echo -gear_max_wall 1e-9) >"$name.log" 2>&1 || rc=$?
  [ "$rc" = "$code" ] || fail "$name ends with $rc: $(cat "$name.log")"
  settings "windows $((8 - first))" 'window 0.1' "first $first" "iterations $iterations" 'force 2 1 0' 'rate 5'
  run "$name" "${coupled[@]}" -output_every 3 -gear_restart coupled.h5 "$@"
  grep -q "continues from the checkpoint coupled.h5: t = $(awk -v n="$first" 'BEGIN { print n / 10 }')" "$name.log" ||
    fail "$name: $(cat "$name.log")"
  grep -q 'initialize="true"' "$name.err" || fail "$name: no word about the data to begin with"
  for file in probe_p.csv energy.csv; do cmp "whole/$file" "$name/$file" || fail "$name: another $file"; done
  [ "$code" = 0 ] || cmp whole/solution.pvd "$name/solution.pvd" || fail "$name: other frames"
  cmp <(cut -d, -f1-8 whole/steps.csv) <(cut -d, -f1-8 "$name/steps.csv") || fail "$name: other steps"
}
goes_on by_partners 4 0 3 -gear_adapt order -gear_rtol 1e-5
goes_on by_wall 1 75 3 -gear_dt 0.03 -gear_order 4
