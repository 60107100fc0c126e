#!/usr/bin/env bash
# A search over a few systems: the one-step method follows the exact motions, its error decreases with the tolerance, a
# run beyond its limit is given up, and the tables are printed.   search_smoke.sh program folder
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
program=$1 folder=$2/search
rm -rf "$folder"
mkdir -p "$folder"
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

"$program" --seed 3 --systems 8 --solvers sdirk,cvode --tolerances 1e-2,1e-4 >"$folder/lines"
awk -F'\t' '
  $1 == "#seed" { next }
  NF < 21 { print "a short line: " $0; exit failed = 1 }
  $11 == "cvode" { ++cvode; next }
  { ++sdirk }
  $20 != "ok" || !($18 > 0 && $18 < 100 * $12) { print "far from the exact motion: " $0; failed = 1 }
  $12 == 0.01 { loose[$2] = $18 }
  $12 == 0.0001 && !($18 < 0.1 * loose[$2]) { print "does not converge: " $0; failed = 1 }
  $19 != -1 && $19 > 1.05 { print "gains energy: " $0; failed = 1 }
  $15 < 5 * $13 || $16 < $15 { print "more solves or forces are needed: " $0; failed = 1 }
  END { exit failed || sdirk != 16 || cvode != 16 }
' "$folder/lines" || fail "the runs are wrong"

"$program" --seed 3 --systems 1 --solvers gear,cvode --tolerances 1e-6 --limit 20 >"$folder/short"
[[ $(grep -c $'\tinf\t.*\tlimit\t' "$folder/short") == 2 ]] || fail "a run beyond its limit was not given up"

bash "$here/search.sh" --program "$program" --output "$folder" --seed 9 --systems 2 --tolerances 1e-3 \
  --solvers gear,bdf >"$folder/table"
[[ -f $folder/peer.sdirk.seed9.tsv ]] || fail "the peers' runs were not kept"
awk '
  $2 == "all" { ++rows; runs += $3; solves[$1] = $NF; bad[$1] = $22 }
  END { exit !(rows == 3 && runs == 6 && solves["gear"] > 0 && solves["oracle"] > 0 && bad["oracle"] < bad["bdf"]) }
' "$folder/table" ||
  fail "no table: $(cat "$folder/table")"
