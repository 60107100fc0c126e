#!/usr/bin/env bash
# ex40_bounces.sh <folder> <command that runs ex40 with -ts_type gear ...>: both solves of PETSc's tutorial
# ex40 (a ball thrown up at speed 20, each bounce keeps 0.9 of the speed; the second solve requests the steps
# of the first) find ten bounces.
set -euo pipefail
mkdir -p "$1"
"${@:2}" -ts_trajectory_dirname "$1/trajectory" | awk '
  /Ball hit the ground/ {
    if (found % 10 == 0) { t = 0; v = 20 }
    t += 2 * v / 9.8
    v *= 0.9
    error = $8 - t
    if (error < 0) error = -error
    if (error > worst) worst = error
    ++found
  }
  END {
    printf "%d bounces, largest error of a time %.1e s\n", found, worst
    exit !(found == 20 && worst < 0.02)  # times are printed to 0.01
  }'
