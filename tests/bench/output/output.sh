#!/usr/bin/env bash
# bash output.sh BUILD FOLDER [CELLS]: the cost of a frame. A displacement of degree 2 on CELLS^3 hexahedra (43: 2e6
# unknowns), two ranks: ROUNDS frames (default 5) by gearshift-solid in both formats, and the same number by PETSc's
# HDF5 viewer, mesh and field. Prints a table row for each: the seconds of the quickest frame, and megabytes.
set -euo pipefail
solid=$1/src/app/gearshift-solid folder=$2 cells=${3:-43} rounds=${ROUNDS:-5}
here=$(cd "$(dirname "$0")" && pwd)
read -ra launch <<<"${MPIRUN:-mpirun -np}"
mkdir -p "$folder"
echo "| | unknowns | s | MB |"
echo "|---|---|---|---|"
for format in vtkhdf vtu; do
  # A body at rest; each run writes two frames.
  for ((round = 0; round < rounds; ++round)); do
    "${launch[@]}" 2 "$solid" -dm_plex_box_faces "$cells,$cells,$cells" -degree 2 -material linear_elastic -E 1 -nu 0 -rho 1 -clamp xmin \
      -solver jacobi -gear_dt 1 -gear_t_end 1 -csv_every 0 -fields displacement -output_every 1 \
      -output_format $format -output "$folder/$format" -overwrite -log_view ":$folder/log" >"$folder/run.log"
    sed -nE 's/^gearshift-solid: .* ([0-9]+) DoFs.*/\1/p' "$folder/run.log"
    awk '/^GearOutput/ { print $4 / $2; exit }' "$folder/log"
  done >"$folder/found"
  megabytes=$(du -cb "$folder/$format"/solution/000001* | awk 'END { printf "%.1f", $1 / 1e6 }')
  awk -v name="gearshift, $format" -v size="$megabytes" 'NR % 2 { dofs = $1; next } NR == 2 || $1 < best { best = $1 }
    END { if (!best) exit 1; printf "| %s | %d | %.3g | %s |\n", name, dofs, best, size }' "$folder/found"
  rm -rf "${folder:?}/$format"
done
"${launch[@]}" 2 "${PYTHON:-/usr/bin/python3}" "$here/petsc_viewer.py" "$cells" "$folder" "$rounds"
