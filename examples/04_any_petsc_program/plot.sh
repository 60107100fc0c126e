#!/usr/bin/env bash
# plot.sh <string program> <libgearshift.so> [output.png]: plots the errors of u and u' at t = 1.9 against dt with
# gnuplot, for PETSc's own integrator and for the plug-in.
set -euo pipefail
program=$1 plugin=$2 png=${3:-string_error.png}
table=$(mktemp)
trap 'rm -f "$table"' EXIT

for method in alpha2 "gear -ts_gear_order 2" "gear -ts_gear_order 4"; do
  for dt in 0.02 0.01 0.005 0.0025; do
    # shellcheck disable=SC2086
    "$program" -dll_append "$plugin" -ts_type $method -ts_dt $dt -ksp_rtol 1e-12 |
      sed -nE "s/.*error of u ([^,]+), of u' (.*)/$dt \1 \2/p"
  done
  printf '\n\n'
done >"$table"
cat "$table"
gnuplot -e "table = '$table'; png = '$png'" "$(dirname "$0")/error.gp"
