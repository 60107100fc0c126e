#!/usr/bin/env bash
# Passes if a command succeeds and its JSON line of one kind has these fields, each with a number or a text.
#
#   bash expect_fields.sh KIND field... [field=value~tolerance]... -- command...
#
# KIND is the kind given in the line ("bench": "KIND"); if there are several such lines, the last one counts.
set -uo pipefail
kind=$1
shift
fields=()
while (($#)) && [[ $1 != -- ]]; do
  fields+=("$1")
  shift
done
(($# >= 2)) || { echo "usage: expect_fields.sh KIND field... -- command..." >&2; exit 2; }
shift
output=$("$@") || { printf '%s\n' "$output"; exit 1; }
printf '%s\n' "$output"
line=$(grep -F "\"bench\": \"$kind\"" <<<"$output" | tail -n 1)
[[ $line == "{"*"}" ]] || { echo "no line of $kind"; exit 1; }
failed=0
for field in "${fields[@]}"; do
  name=${field%%=*}
  value=$(awk -v name="\"$name\": " '{ at = index($0, name); if (at) { rest = substr($0, at + length(name)); sub(/[,}].*/, "", rest); print rest } }' <<<"$line")
  if [[ -z $value || $value == null ]]; then
    echo "$name is missing"
    failed=1
  elif [[ $field == *=* ]]; then
    wanted=${field#*=}
    awk -v x="$value" -v y="${wanted%~*}" -v t="${wanted#*~}" 'BEGIN { exit !(x - y <= t && y - x <= t) }' ||
      { echo "$name is $value, wanted $wanted"; failed=1; }
  fi
done
exit $failed
