#!/usr/bin/env bash
# Runs the beam of `gearshift-bench step` with CalculiX (Debian: calculix-ccx) and prints a line of JSON with the fields
# of gearshift-bench: seconds per step are from increment to increment, memory is the peak of the process.
#
#   calculix.sh NX NY NZ STEPS      cells, and steps of 0.01; threads: OMP_NUM_THREADS
set -euo pipefail
nx=$1 ny=$2 nz=$3 steps=$4
command -v ccx >/dev/null || { echo "error: CalculiX is not installed (Debian: calculix-ccx)" >&2; exit 1; }
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk -v nx="$nx" -v ny="$ny" -v nz="$nz" -v dt=0.01 -v steps="$steps" -f "$here/calculix_beam.awk" >"$work/beam.inp"
dofs=$(awk -v x="$nx" -v y="$ny" -v z="$nz" 'BEGIN {
  print 3 * ((x + 1) * (y + 1) * (z + 1) + x * (y + 1) * (z + 1) + (x + 1) * y * (z + 1) + (x + 1) * (y + 1) * z) }')
cd "$work"
start=$EPOCHREALTIME
(stdbuf -oL ccx beam & echo $! >pid; wait $!) 2>err |
  while IFS= read -r line; do [[ $line != *"increment "*attempt* ]] || echo "$EPOCHREALTIME"; done >marks &
pipe=$!
peak=0
while kill -0 "$pipe" 2>/dev/null; do
  now=$(sed -n 's/^VmHWM:[ \t]*\([0-9]*\).*/\1/p' "/proc/$(cat pid 2>/dev/null || echo 0)/status" 2>/dev/null || true)
  ((${now:-0} > peak)) && peak=$now
  sleep 0.2
done
wait "$pipe"
end=$EPOCHREALTIME
[[ -s beam.dat ]] || { echo "error: CalculiX wrote no results" >&2; cat err >&2; exit 1; }
awk -v start="$start" -v end="$end" -v dofs="$dofs" -v peak="$peak" -v threads="${OMP_NUM_THREADS:-1}" '
  FNR == NR { mark[++n] = $1; next }
  NF == 4 && $1 ~ /^[0-9]+$/ { uz = $4 }
  END {
    mark[n + 1] = end
    for (i = 1; i <= n; ++i) time[i] = mark[i + 1] - mark[i]
    for (i = 1; i <= n; ++i) for (j = i + 1; j <= n; ++j) if (time[j] < time[i]) { t = time[i]; time[i] = time[j]; time[j] = t }
    printf "{\"bench\": \"calculix\", \"threads\": %d, \"dofs\": %d, \"steps\": %d, \"start_s\": %.5g, \"s/step\": %.5g, " \
           "\"total_s\": %.5g, \"memory_B/DoF\": %.5g, \"tip_uz\": %s}\n", threads, dofs, n, mark[1] - start,
           time[int(n / 2) + 1], end - start, peak * 1024 / dofs, uz
  }' marks beam.dat
