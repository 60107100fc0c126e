#!/usr/bin/env bash
# bent.sh GEARSHIFT_SOLID FOLDER [CELLS:LENGTH...]: cantilevers bent by a pressure in one load step, to once to four times the deflection
# at which linear theory gives half of their length. One line for each: cells and size, pressure that follows the face or
# not, law, deflection, and the last line of the run.
set -euo pipefail
program=$1 folder=$2
shift 2
[ $# -gt 0 ] || set -- 20,2,2:10 40,2,2:20 20,1,1:20 100,2,2:50
mkdir -p "$folder"
for shape; do
  for follow in true false; do
    for times in 0.3 1 2 4; do
      for law in neo_hookean st_venant_kirchhoff; do
        cells=${shape%:*} length=${shape#*:}
        pressure=$(awk -v n="$times" -v L="$length" 'BEGIN { printf "%.17g", n * 8 * 1e3 / 12 / L ^ 3 / 2 }')
        "$program" -dm_plex_box_faces "$cells" -dm_plex_box_upper "$length,1,1" -degree 2 -material "$law" -E 1e3 -nu 0.3 -rho 1 \
          -clamp xmin -pressure_zmax "$pressure" -pressure_zmax_follow "$follow" -static -output "$folder/out" -overwrite \
          >"$folder/log" 2>&1 || true
        echo "$cells 1:$length follow $follow $law $times: $(grep -E '^done|^error|^stopped' "$folder/log" | tail -1)"
      done
    done
  done
done
