#!/usr/bin/env bash
# ex43_order.sh <ex43> <libgearshift.so> <damping>: the observed order of -ts_type gear in PETSc's tutorial ex43,
# compared with the tutorial's exact solution at t = 10, is k - 0.3 or more for k = 1..5.
set -euo pipefail
program=$1 plugin=$2 damping=$3

error() {  # order dt
  "$program" -dll_append "$plugin" -ts_type gear -damping "$damping" -ts_gear_order "$1" -ts_dt "$2" -ts_max_time 10 \
    -ts_exact_final_time matchstep -snes_rtol 1e-14 -snes_atol 1e-14 -snes_stol 0 -ts_monitor_error |
    awk '/norm of error/ { last = $NF } END { print last }'
}

for order in 1 2 3 4 5; do
  # With the steps of the other orders, order 5 with damping is at rounding level.
  [[ $order == 5 ]] && steps="0.1 0.05" || steps="0.02 0.01"
  read -r coarse fine <<<"$steps"
  awk -v k="$order" -v dt="$steps" -v a="$(error "$order" "$coarse")" -v b="$(error "$order" "$fine")" 'BEGIN {
    p = log(a / b) / log(2)
    printf "order %d: dt %s, error %.3e -> %.3e, observed order %.2f\n", k, dt, a, b, p
    exit !(p >= k - 0.3)
  }'
done
