#!/usr/bin/env bash
# plot.sh <string program> [output.png]: plots the errors of u and u' at t = 1.9 for the orders 1..6 and a step of 0.01
# with gnuplot.
set -euo pipefail
program=$1 png=${2:-string_orders.png}
table=$(mktemp)
trap 'rm -f "$table"' EXIT

for order in 1 2 3 4 5 6; do
  "$program" -ts_gear_order $order -ksp_rtol 1e-12 | sed -nE "s/.*error of u ([^,]+), of u' (.*)/$order \1 \2/p"
done >"$table"
cat "$table"
gnuplot -e "table = '$table'; png = '$png'" "$(dirname "$0")/orders.gp"
