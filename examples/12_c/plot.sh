#!/usr/bin/env bash
# plot.sh <windows program> [output.png]: plots the largest error against the number of windows for orders 1..5 with
# gnuplot.
set -euo pipefail
program=$1 png=${2:-windows_error.png}
table=$(mktemp)
trap 'rm -f "$table"' EXIT

for order in 1 2 3 4 5; do
  for windows in 10 20 40 80 160; do
    "$program" -order $order -windows $windows -ksp_rtol 1e-12 -snes_rtol 1e-12 | sed -nE "s/.*error (.*)/$windows \1/p"
  done
  printf '\n\n'
done >"$table"
cat "$table"
gnuplot -e "table = '$table'; png = '$png'" "$(dirname "$0")/windows.gp"
