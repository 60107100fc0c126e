#!/usr/bin/env bash
# ex15_economy.sh <ex15> <libgearshift.so>: PETSc's tutorial ex15 (heat equation in 2D, TSSetIFunction) with -ts_type
# bdf and with -ts_type gear at the same tolerances: gear, with adaptive order, is ten times as accurate with up to 1.3
# times the number of solves.
set -euo pipefail
program=$1 plugin=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

solve() {  # name tolerance options: prints the number of linear solves; writes the end state to a file of that name
  local name=$1 tolerance=$2
  shift 2
  "$program" -Jtype 0 -da_refine 2 -pc_type lu -ts_max_time 0.1 -ts_exact_final_time matchstep -ts_max_steps 100000 \
    -ts_dt 1e-4 -ts_rtol "$tolerance" -ts_atol "$tolerance" -ksp_converged_reason \
    -ts_view_solution "ascii:$folder/$name" "$@" | grep -c 'Linear solve converged'
}
gear=(-dll_append "$plugin" -ts_type gear)

solve reference 1e-9 "${gear[@]}" -ts_dt 1e-7 >/dev/null
of_bdf=$(solve bdf 1e-4 -ts_type bdf)
of_gear=$(solve gear 1e-4 "${gear[@]}")
error() {
  paste "$folder/reference" "$folder/$1" |
    awk '$1 + 0 == $1 { d += ($1 - $2) ^ 2; s += $1 ^ 2 } END { printf "%.3e", sqrt(d / s) }'
}
awk -v nb="$of_bdf" -v ng="$of_gear" -v eb="$(error bdf)" -v eg="$(error gear)" 'BEGIN {
  printf "TSBDF: %d solves, error %.2e; gear: %d solves, error %.2e\n", nb, eb, ng, eg
  exit !(eg > 0 && 10 * eg < eb && ng < 1.3 * nb)
}'
