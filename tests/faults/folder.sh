#!/usr/bin/env bash
# bash folder.sh <folder> -- gearshift-solid command...: a folder belongs to one running program; a crashed run does not
# block it, and its results are moved to FOLDER.previous. A summary that cannot be written is one error on all ranks.
set -uo pipefail
folder=$1
shift 2
source "$(dirname "$0")/../output_of.sh"
rm -rf "$folder" "$folder.previous"
fail() { echo "folder: $*"; kill -9 "${first:-0}" 2>/dev/null; exit 1; }

"$@" -output "$folder" -gear_t_end 1e6 >"$folder.log" 2>&1 &
first=$!
for ((i = 0; i < 300; ++i)); do
  [[ -s $folder/steps.csv && $(wc -l <"$folder/steps.csv") -gt 2 ]] && break
  sleep 0.1
done
((i < 300)) || fail "the first run does not begin"
output_of "$@" -output "$folder"
printf '%s\n' "$output"
[[ $ended == 1 ]] || fail "the second run ends with $ended, wanted 1"
[[ $(grep -c "^error: another run writes into the folder" <<<"$output") == 1 ]] || fail "the reason is not printed exactly once"
kill -9 $first
pkill -9 -f -- "-output $folder -gear_t_end 1e6"  # Open MPI 5 leaves the ranks running
wait $first 2>/dev/null
for ((i = 0; i < 300; ++i)); do  # they need a moment to end
  output_of "$@" -output "$folder"
  grep -q "another run writes" <<<"$output" || break
  sleep 0.1
done
printf '%s\n' "$output"
[[ $ended == 0 ]] || fail "after the first one's death the run ends with $ended"
grep -q "results of an earlier run were moved to .*previous" <<<"$output" || fail "it does not say where earlier results are"
[[ $(wc -l <"$folder.previous/steps.csv") -gt 2 && ! -e $folder.previous/summary.json ]] || fail "the earlier results are not there"
[[ $(wc -l <"$folder/steps.csv") == 3 ]] || fail "the new results are not there"

mkdir "$folder/summary.json.part"
output_of "$@" -output "$folder" -overwrite
printf '%s\n' "$output"
[[ $ended == 1 ]] || fail "without a summary the run ends with $ended, wanted 1"
[[ $(grep -c "^error: .*summary.json" <<<"$output") == 1 ]] || fail "the reason is not printed exactly once"
[[ ! -e $folder/summary.json ]] || fail "the summary of the run before is still there"
output_of "$@" -output "$folder" -overwrite -gear_max_steps 1 -gravity "0,0,sqrt(-1-t)"
[[ $(grep -c "^error: .*summary.json" <<<"$output") == 0 ]] || fail "the summary hides the first reason: $output"
grep -q "^error: " <<<"$output" || fail "no reason: $output"
exit 0
