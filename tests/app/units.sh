#!/bin/bash
# A steel block in metres, millimetres, micrometres and nanometres (kg, s): fixed steps, adaptive ones and statics take
# the same steps and iterations to 5 %. Limits of PETSc that have a unit would cause differences.
# usage: units.sh <folder> <command of gearshift-solid ...>
set -eu
folder=$1
shift
rm -rf "$folder"
mkdir -p "$folder"
for kind in fixed adaptive static; do
  case $kind in
    fixed) how="-gear_dt 1e-5 -gear_t_end 8e-5" ;;
    adaptive) how="-gear_adapt order -gear_rtol 1e-3 -gear_t_end 5e-5" ;;
    static) how="-static" ;;
  esac
  first=
  for power in 0 3 6 9; do
    # E and pressures are scaled by 10^-p, densities by 10^-3p
    "$@" -degree 1 -dm_plex_box_faces 3,3,3 -dm_plex_box_upper "1e$power,1e$power,1e$power" \
      -material neo_hookean -E "2.1e$((11 - power))" -nu 0.3 -rho "7.8e$((3 - 3 * power))" -clamp zmin \
      -traction_zmax "0,1e$((9 - power)),0" $how -vtk_every 0 -output "$folder/$kind.$power" > "$folder/log" 2>&1 ||
      { cat "$folder/log"; exit 1; }
    # Steps, rejected steps and Newton iterations in the last line.
    now=$(sed -n 's/^done: .* \([0-9]*\) steps.* \([0-9]*\) rejected, \([0-9]*\) Newton.*/\1 \2 \3/p' "$folder/log")
    first=${first:-$now}
    echo "$first $now" | awk -v at="$kind, 10^-$power m" 'function far(x, y) { return (x > y ? x - y : y - x) > 0.05 * x }
      NF != 6 || far($1, $4) || far($2, $5) || far($3, $6) { print "error: " at ": " $0; exit 1 }'
  done
done
# Assembled preconditioners are independent of the unit of forces: it causes no zero pivot and no
# badly scaled constrained row.
for case in lu:1e-20 cholesky:1e-20 gamg:1e-9 gamg:1e20; do
  first=
  for unit in 1 "${case#*:}"; do
    "$@" -degree 1 -dm_plex_box_faces 4,2,2 -dm_plex_box_upper 4,1,1 -material neo_hookean -E "$unit" -nu 0.3 -rho 1 -clamp xmin \
      -traction_xmax "0,0,$(awk "BEGIN { print 1e-3 * $unit }")" -static -pc_type "${case%:*}" -vtk_every 0 \
      -output "$folder/pc" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
    now=$(sed -n 's/^done: .* \([0-9]*\) Newton, \([0-9]*\) Krylov.*/\1 \2/p' "$folder/log")
    first=${first:-$now}
    [ -n "$now" ] && [ "$first" = "$now" ] || { echo "error: $case: $now Newton and Krylov iterations, in forces of 1: $first"; exit 1; }
  done
done
# Rollers constrain single components of nodes; degree 3 uses the multigrid's coarsest level.
for case in "-degree 1 -pc_type gamg:1e-7" "-degree 3:1e-16"; do
  first=
  for unit in 1 "${case##*:}"; do
    "$@" ${case%:*} -dm_plex_box_faces 3,2,1 -dm_plex_box_upper 3,1,0.5 -material neo_hookean -E "$unit" -nu 0.3 -rho 1 \
      -fix_x xmin -fix_y xmin,ymin -fix_z xmin,zmin -traction_xmax "0,$(awk "BEGIN { print 1e-3 * $unit }"),0" -static -vtk_every 0 \
      -snes_rtol 1e-10 -ksp_rtol 1e-10 -output "$folder/rollers" > "$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
    now=$(sed -n 's/^done: .* \([0-9]*\) Newton, \([0-9]*\) Krylov.*/\1 \2/p' "$folder/log")
    first=${first:-$now}
    [ -n "$now" ] && [ "$first" = "$now" ] || { echo "error: $case: $now Newton and Krylov iterations, in forces of 1: $first"; exit 1; }
  done
done
