#!/usr/bin/env bash
# bash stop.sh <folder> -- mpirun ... gearshift-solid options...
# Signals, also to a single rank, and the wall limit end a run with a checkpoint, its last fields, a summary with this
# status, and exit code 75; a subsequent restart leaves the same files as an undisturbed run.
set -uo pipefail
folder=$1
shift 2
fail() { echo "stop: $*"; cat "$folder/run.log"; exit 1; }
rm -rf "$folder"
mkdir -p "$folder"
out=$folder/out state=$folder/state.h5
"$@" -output "$folder/reference" >"$folder/run.log" 2>&1 || fail "the run itself fails"

stopped() {
  local how=$1 code=$2
  [[ $code == 75 ]] || fail "$how: exit code $code, wanted 75"
  grep -Eq "^stopped at t = .* of .*-gear_restart $state" "$folder/run.log" || fail "$how: it does not print how to continue"
  grep -q '"status": "stopped"' "$out/summary.json" || fail "$how: the summary does not say so"
  [[ -s $state ]] || fail "$how: no checkpoint"
  # The last fields belong to the time at which the run stopped.
  local t last
  t=$(sed -n 's/.*"t": \([^,]*\),.*/\1/p' "$out/summary.json")
  last=$(sed -n 's/.*timestep="\([^"]*\)".*/\1/p' "$out/solution.pvd" | tail -1)
  awk -v a="$t" -v b="$last" 'BEGIN { exit !(a == b) }' || fail "$how: it stopped at $t, the last fields are those of $last"
}

start() { exec "$@" -output "$out" -gear_checkpoint "$state" -gear_restart "$state"; }

# Each signal is sent only to the first rank, each time a little later.
for signal in USR1 TERM INT XCPU; do
  rows=0
  [[ -e $out/steps.csv ]] && rows=$(wc -l <"$out/steps.csv")
  start "$@" >"$folder/run.log" 2>&1 &
  launcher=$!
  for ((i = 0; i < 1000; ++i)); do
    # It has truncated its files and continued.
    grep -q "t / t_end" "$folder/run.log" && (($(wc -l <"$out/steps.csv") > rows)) && break
    sleep 0.01
  done
  rank=$(ps -o pid= --ppid $launcher | tail -1)
  kill -$signal ${rank:-$launcher} 2>/dev/null
  wait $launcher
  stopped "SIG$signal" $?
done
(start "$@" -gear_max_wall 0.1) >"$folder/run.log" 2>&1
stopped "-gear_max_wall" $?
(start "$@") >"$folder/run.log" 2>&1 || fail "the last run fails"
grep -q '^done' "$folder/run.log" || fail "the last run does not say done"
diff -r -x summary.json -x steps.csv "$folder/reference" "$out" || fail "the files differ from those of an undisturbed run"
diff <(cut -d, -f1-8 "$folder/reference/steps.csv") <(cut -d, -f1-8 "$out/steps.csv") >/dev/null || fail "steps.csv differs"
