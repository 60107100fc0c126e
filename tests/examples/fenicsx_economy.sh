#!/usr/bin/env bash
# The beam of dolfinx: gear has a smaller error than alpha2, with a third of its Newton solves and half its assemblies.
#
#   bash fenicsx_economy.sh PYTHON beam.py FOLDER
set -euo pipefail
folder=$3
mkdir -p "$folder"
run() { "$@" -cells 2,1,1 -ts_max_time 2.5 -samples 20 2>&1; }
run "$1" "$2" -ts_gear_adapt order -ts_rtol 1e-6 -ts_atol 1e-7 -tip "$folder/exact.txt"
for kind in "gear -ts_gear_order 4 -ts_dt 0.015625" "alpha2 -ts_dt 0.00390625"; do
  # shellcheck disable=SC2086
  run "$1" "$2" -ts_type $kind -reference "$folder/exact.txt" | grep 'CPU' | tee "$folder/${kind%% *}.txt"
done
awk '{ for (i = 1; i < NF; i++) n[NR, $i] = $(i + 1) }
  END { few = n[1, "solves"] <= n[2, "solves"] / 3
        cheap = n[1, "tangents"] + n[1, "residuals"] <= (n[2, "tangents"] + n[2, "residuals"]) / 2
        good = n[1, "error"] + 0 <= n[2, "error"] + 0 && n[2, "error"] + 0 < 2e-3
        print few && cheap && good ? "economic" : "error: gear is dearer or less accurate than it was"
        exit !(few && cheap && good) }' "$folder/gear.txt" "$folder/alpha2.txt"
