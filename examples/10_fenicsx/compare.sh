#!/usr/bin/env bash
# Errors and work of gear compared with PETSc's own types: the rows of the README's table.
#
#   bash compare.sh FOLDER [options of all runs]
set -euo pipefail
beam=$(realpath "$(dirname "$0")")/beam.py
folder=$1
shift
mkdir -p "$folder"
run() { /usr/bin/python3 "$beam" "$@" -reference "$folder/exact.txt" 2>&1 | grep 'CPU'; }
/usr/bin/python3 "$beam" "$@" -ts_gear_adapt order -ts_rtol 1e-8 -ts_atol 1e-9 -tip "$folder/exact.txt"
for dt in 0.025 0.020833333333333333 0.017857142857142856 0.0125 0.01 0.0078125; do
  printf 'dt %s  ' $dt && run "$@" -ts_gear_order 4 -ts_dt $dt
done
for tolerance in 1e-4 3e-5 1e-5 3e-6 1e-6; do
  printf 'tolerance %s  ' $tolerance && run "$@" -ts_gear_adapt order -ts_rtol $tolerance -ts_atol $tolerance
done
for dt in 0.0125 0.00625 0.003125 0.0015625; do
  printf 'dt %s  ' $dt && run "$@" -ts_type alpha2 -ts_dt $dt
done
for dt in 0.00625 0.003125 0.0015625; do
  printf 'dt %s  ' $dt && run "$@" -ts_type theta -ts_dt $dt
done
for tolerance in 1e-4 1e-5 1e-6 3e-7; do
  printf 'tolerance %s  ' $tolerance && run "$@" -ts_type bdf -ts_bdf_order 4 -ts_rtol $tolerance -ts_atol $tolerance
done
