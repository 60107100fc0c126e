#!/usr/bin/env bash
# bash dry_run_ranks.sh RANKS TOLERANCE LAUNCH NUMPROC command...: the estimates that one rank and two ranks print with
# -dry_run_ranks RANKS agree with that of -dry_run on so many ranks, within a relative tolerance: for the fullest rank
# and for all ranks.
set -euo pipefail
ranks=$1 tolerance=$2 launch=$3 numproc=$4
shift 4
estimate() { # estimate RANKS option...
  local on=$1
  shift
  $launch "$numproc" "$on" "${command[@]}" "$@" | tee /dev/stderr | awk -v ranks="$ranks" '
    /^dry run:/ { good = $0 ~ " on " ranks " ranks;" }
    /^peak of the run, without the program/ { print good ? $(NF - 1) " " $NF : "none" }'
}
command=("$@")
expected=$(estimate "$ranks" -dry_run)
for on in 1 2; do
  awk -v found="$(estimate $on -dry_run_ranks "$ranks")" -v expected="$expected" -v tolerance="$tolerance" 'BEGIN {
    print "estimate", found, "expected", expected
    if (split(found, f, " ") != 2 || split(expected, e, " ") != 2) exit 1
    for (i = 1; i <= 2; ++i)
      if (!(f[i] > (1 - tolerance) * e[i] && f[i] < (1 + tolerance) * e[i])) exit 1
  }'
done
