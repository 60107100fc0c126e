#!/usr/bin/env bash
# Errors and work of gearshift compared with Newmark's method: the rows of the README's table.
#
#   bash compare.sh BEAM FOLDER [options of all runs]
set -euo pipefail
beam=$1 folder=$2
shift 2
mkdir -p "$folder"
"$beam" "$@" -matrix_free -gear_family esdirk -gear_rtol 1e-7 -tip "$folder/exact.txt" | tail -n 1
# The largest error of the tip's deflection at 60 times, relative to its largest deflection.
run() {
  local words
  words=$("$beam" "$@" -tip "$folder/tip.txt" 2>"$folder/warnings.txt" | tail -n 2 | tr '\n' ' ')
  awk -v words="$words" 'NR == FNR { exact[FNR] = $2; if ($2 * $2 > most) most = $2 * $2; next }
    { if (($2 - exact[FNR]) ^ 2 > worst) worst = ($2 - exact[FNR]) ^ 2 }
    END { printf "error %.2e  %s\n", sqrt(worst / most), words }' "$folder/exact.txt" "$folder/tip.txt"
}
for tolerance in 3e-3 1e-3 3e-4; do
  printf 'tolerance %s  ' $tolerance && run "$@" -gear_rtol $tolerance
done
for tolerance in 3e-3 1e-3 3e-4; do
  printf 'matrix-free, tolerance %s  ' $tolerance && run "$@" -matrix_free -gear_rtol $tolerance
done
for steps in 480 960 1920 2400; do
  printf 'Newmark  ' && run "$@" -newmark $steps
  printf 'Newmark, one iteration  ' && run "$@" -newmark $steps -newmark_rtol 1e-2
done
