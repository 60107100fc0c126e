#!/usr/bin/env bash
# bash smoke.sh BUILD OUTPUT: compare.sh runs every part that needs no other program; every table must have its rows.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
ROUNDS=1 DOFS=1e3 SIZES=1e3 COUNT_DOFS=1e3 COUNT_RANKS="1 4 8" bash "$here/compare.sh" "$1" "$2" product solve count 2>&1 | tee "$2.log"
for row in '^| neo_hookean general tangent | [0-9.]* | [0-9.]* | [0-9.]* | [0-9.]* |' '^| baij | [0-9.]* | [0-9.]* | - | - |' \
  '^| 1 | [0-9]* | [0-9]* |.*| [0-9.]* | [0-9.]* | [0-9.]* | [0-9.]* |$' '^| 4 | [0-9]* | [0-9]* |' \
  '^| 2 | [0-9]* | 8 | [1-9]' '^| 4 | [0-9]* | [1-9][0-9]* |' '^| 100000 | 1e5 | [0-9.]* | 0\.[0-9]* |'; do
  grep -q "$row" "$2.log" || { echo "no row like $row"; exit 1; }
done
# More ranks, whose number is smaller as a text, do not change the model, which takes the fewest.
more=$(sed -n 's/"ranks": 8,/"ranks": 16,/; s/\("reductions_iteration"\): [0-9.]*/\1: 99/; /"bench": "solve".*"ranks": 16,/p' "$2/counts.jsonl")
[ -n "$more" ] || { echo "no runs on 8 ranks"; exit 1; }
if { cat "$2/counts.jsonl"; echo "$more"; } | awk -f "$here/scaling.awk" | grep "99.0 reductions"; then
  echo "the model is that of 16 ranks"
  exit 1
fi
! grep -q "failed" "$2.log" || { echo "a run failed"; exit 1; }
