#!/usr/bin/env bash
# plot.sh <oscillator program> [output.png]: plots the error of |q| at t = 10 against dt for orders 1..6 with gnuplot.
set -euo pipefail
program=$1 png=${2:-error.png}
tight="-snes_rtol 1e-12 -snes_atol 1e-13 -snes_stol 0 -ksp_rtol 1e-12"
table=$(mktemp)
trap 'rm -f "$table"' EXIT

size() {  # order dt
  "$program" -gear_order "$1" -gear_dt "$2" $tight | sed -n 's/.*|q| //p'
}

reference=$(size 6 0.002)
for order in 1 2 3 4 5 6; do
  for dt in 0.08 0.04 0.02 0.01 0.005; do
    awk -v dt="$dt" -v q="$(size "$order" "$dt")" -v r="$reference" 'BEGIN { e = q - r; print dt, e < 0 ? -e : e }'
  done
  printf '\n\n'
done >"$table"
cat "$table"
gnuplot -e "table = '$table'; png = '$png'" "$(dirname "$0")/error.gp"
