#!/usr/bin/env bash
# Passes if a command ends with the expected exit code and prints the expected message the given number of times.
#
#   bash expect_failure.sh CODE REGEX [COUNT] -- command...
#
# CODE   the exit code, or "nonzero" (mpirun after an abort)
# REGEX  extended regular expression (grep -E) that matches a line of the output (stdout and stderr)
# COUNT  number of matching lines; default: one or more
# A command that runs into CTest's time limit fails, so that a hang is never mistaken for the expected end.
set -uo pipefail

usage() { echo "usage: expect_failure.sh CODE REGEX [COUNT] -- command..." >&2; exit 2; }
(($# >= 4)) || usage
code=$1 regex=$2 count=
shift 2
[[ $1 == -- ]] || { count=$1; shift; }
[[ $1 == -- && $# -ge 2 ]] || usage
shift

source "$(dirname "$0")/output_of.sh"
output_of "$@"
printf '%s\n' "$output"
lines=$(grep -cE -- "$regex" <<<"$output")
if [[ $code == nonzero ]]; then
  ((ended != 0)) || { echo "expect_failure: exit code 0, expected another"; exit 1; }
elif ((ended != code)); then
  echo "expect_failure: exit code $ended, expected $code"
  exit 1
fi
if ((lines == 0)) || [[ -n $count && $lines != "$count" ]]; then
  echo "expect_failure: $lines lines match '$regex', expected ${count:-one or more}"
  exit 1
fi
