#!/usr/bin/env bash
# bash ending.sh <folder> <code> <message> <status> -- command...: the command ends with this exit code, prints
# this message (grep -E), no error twice, and the folder's summary has this status ("none": there is no summary). Only
# successful runs are "done".
set -uo pipefail
folder=$1 code=$2 message=$3 status=$4
shift 5
rm -rf "$folder" "$folder.previous"
source "$(dirname "$0")/../output_of.sh"
output_of "$@"
printf '%s\n' "$output"
[[ $ended == "$code" ]] || { echo "exit code $ended, wanted $code"; exit 1; }
grep -Eq -- "$message" <<<"$output" || { echo "no line matches '$message'"; exit 1; }
while read -r error; do
  [[ $(grep -cF -- "${error:0:60}" <<<"$output") == 1 ]] || { echo "an error is printed twice"; exit 1; }
done < <(sed -n 's/^error: //p' <<<"$output")
if [[ $code != 0 ]] && grep -q "^done" <<<"$output"; then echo "it says done"; exit 1; fi
if [[ $status == none ]]; then
  [[ ! -e $folder/summary.json ]] || { echo "there is a summary"; exit 1; }
else
  grep -q "\"status\": \"$status\"" "$folder/summary.json" || { echo "another status"; cat "$folder/summary.json"; exit 1; }
fi
[[ ! -e $folder/.gearshift-lock ]] || { echo "the lock stayed"; exit 1; }
