#!/usr/bin/env bash
# bash smoke.sh BUILD OUTPUT: steps.sh with few steps; its tables must have their rows, and errors near the tolerance.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
MESHES="4,1,1 8,1,1" TOLERANCES=1e-2 CASES=springs PERIODS=2 REFERENCE=1e-5 bash "$here/steps.sh" "$1" "$2" 2>&1 | tee "$2/table"
awk -F'|' '
  $2 ~ /x/ { if (!($4 > 0 && $8 > 0 && $8 < 3)) bad = 1; ++beams; steps[beams] = $4 }
  $2 ~ /springs/ { if (!($5 > 0 && $5 <= 20 && $9 > 0 && $9 < 1)) bad = 1; ++bodies }
  END { exit bad || beams != 2 || bodies != 1 || steps[2] > 1.15 * steps[1] || steps[1] > 1.15 * steps[2] }
' "$2/table" || { echo "a row is missing or wrong"; exit 1; }
