#!/usr/bin/env bash
# bash dry_run.sh <tolerance> <folder> -- command...: with -dry_run the command prints its memory estimate
# without warnings and creates no folder. Without -dry_run the peak in summary.json must agree with the estimate
# within the relative tolerance.
set -euo pipefail
tolerance=$1 folder=$2
shift 3
rm -rf "$folder"
estimate=$("$@" -output "$folder" -dry_run 2>&1)
printf '%s\n' "$estimate"
grep -Eq "^dry run: [0-9]+ cells of degree [0-9], [0-9]+ DoFs on [0-9]+ ranks" <<<"$estimate"
for part in "mesh and nodes" "operator" "quadrature points" "vectors" "multigrid levels" "coarse matrix"; do
  grep -Eq "^$part|$part.*[0-9]" <<<"$estimate" || { echo "no line for $part"; exit 1; }
done
! grep -q "^warning" <<<"$estimate" || { echo "a dry run warned"; exit 1; }
[[ ! -e $folder ]] || { echo "a dry run wrote $folder"; exit 1; }
"$@" -output "$folder"
bytes=$(sed -n 's/.*"memory_per_rank": \([0-9.e+]*\).*/\1/p' "$folder/summary.json")
[[ -n $bytes ]] || { echo "skipped: this system does not report the memory of a process"; exit 77; }
awk -v measured="$bytes" -v tolerance="$tolerance" '
  /^peak of the run, without the program/ { estimate = $(NF - 1) * 1048576 }
  END {
    print "estimate", estimate, "measured", measured, "ratio", estimate / measured
    exit !(estimate > (1 - tolerance) * measured && estimate < (1 + tolerance) * measured)
  }' <<<"$estimate"
