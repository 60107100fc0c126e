#!/usr/bin/env bash
# ex44_bounces.sh <order> <ranks> <command that runs ex44 with -ts_type gear ...>: the bounces of PETSc's
# tutorial ex44 (ball r starts at height 5 r with speed 20; each bounce keeps 0.9 of the speed) are within
# 1e-3 s of their exact times.
set -euo pipefail
ranks=$1
shift
"$@" -ts_event_monitor | awk -v ranks="$ranks" '
  BEGIN {
    g = 9.8
    for (r = 0; r < ranks; ++r) {
      v = sqrt(400 + 2 * g * 5 * r)
      t = (20 + v) / g
      for (i = 0; i < 10; ++i) {
        exact[r * 10 + i] = t
        v *= 0.9
        t += 2 * v / g
      }
    }
  }
  (/zero crossing located at time/ && / Event 0 /) || /at time .* vector state has been changed by PostEvent/ {
    end = $0
    sub(/.* at time /, "", end)  # a tolerance may follow
    end += 0
    best = 1e30
    for (i in exact) {
      d = exact[i] - end
      if (d < 0) d = -d
      if (d < best) { best = d; which = i }
    }
    if (best > worst) worst = best
    found[which] = 1
  }
  END {
    for (i in exact)
      if (exact[i] < end + 1e-3) { ++due; if (!(i in found)) ++missed }
    printf "%d bounces, %d missed, largest error of a time %.1e s\n", due, missed, worst
    exit !(due >= 10 && missed == 0 && worst < 1e-3)
  }'
