#!/usr/bin/env bash
# bash smoke.sh BUILD OUTPUT: block.sh with few unknowns compares a build with itself; its table must have every row.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
ln -s "$1" "$2/same"
trap "rm '$2/same'" EXIT  # otherwise programs that walk through the build would never end
DOFS=600 CONTRASTS="1 100" STEPS=1 bash "$here/block.sh" "$2" "$1" "$2/same" 2>&1 | tee "$2.log"
! grep -q failed "$2.log" || { echo "a run failed"; exit 1; }
for degree in 1 2; do
  for contrast in 1 100; do
    rows=$(grep -E "^\| $degree \| [0-9]+ \| $contrast \| [12] \| [1-9][0-9]* \| [1-9][0-9]* \|" "$2.log" | cut -d'|' -f6,7 | sort | uniq -c | awk '{ print $1 }')
    [ "$rows" = 2 ] || { echo "degree $degree, contrast $contrast: not two rows of the same counts"; exit 1; }
  done
done
