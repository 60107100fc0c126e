#!/usr/bin/env bash
# The cost of contrast: a block of rubber with stiff balls, sheared in load steps. Runs all builds alternately on the
# same meshes and prints a table of medians; runs.csv contains the single runs.
#
#   block.sh OUTPUT BUILD [BUILD...]     BUILD: a build folder, of this or of an earlier version
#
# Environment: DOFS (3e4), approximate unknowns for every degree; DEGREES ("1 2"), CONTRASTS ("1 10 100 1000"),
# RANKS (1), ROUNDS (1), STEPS (5) load steps; OPTIONS, further options of gearshift-solid.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,8p' "$0"; exit 1; }
output=$1
shift
here=$(cd "$(dirname "$0")" && pwd)
maker=$here/../../../examples/gallery/inclusions/block.py
dofs=${DOFS:-3e4} degrees=${DEGREES:-1 2} contrasts=${CONTRASTS:-1 10 100 1000} ranks=${RANKS:-1} rounds=${ROUNDS:-1}
read -r -a more <<<"${OPTIONS:-}"
mkdir -p "$output"
output=$(realpath "$output")
runs=$output/runs.csv
echo "build,degree,contrast,dofs,newton,krylov,whole_s,steps_s,cpu_s,memory,corner" >"$runs"

# Prints an entry of the run's summary.json.
entry() { sed -n "s/.*\"$1\": \([-0-9.e+]*\).*/\1/p" "$output/run/summary.json"; }

# run BUILD DEGREE CONTRAST MESH
run() {
  local program=$1/src/app/gearshift-solid whole user system failed=0
  [ -x "$program" ] || { echo "$program is missing: build gearshift-solid" >&2; exit 1; }
  rm -rf "$output/run"
  TIMEFORMAT='%R %U %S'
  {
    time mpirun --oversubscribe --bind-to none --mca mpi_yield_when_idle "${OMPI_MCA_mpi_yield_when_idle:-0}" -np "$ranks" \
      "$program" -dm_plex_filename "$4" -degree "$2" -material neo_hookean -nu 0.3 -rho 1000 -E 1e6 \
      -material_inclusions_E "${3}e6" -clamp bottom -traction_top 6e4,0,0 -static -load_steps "${STEPS:-5}" \
      -probe_corner 1,1,1 -vtk_every 0 -output "$output/run" ${more[@]+"${more[@]}"} >"$output/log.txt" 2>&1 || failed=1
  } 2>"$output/time.txt"
  if [ "$failed" = 1 ]; then
    echo "block.sh: $1, degree $2, contrast $3 failed: $(tail -1 "$output/log.txt")" >&2
    return
  fi
  read -r whole user system <"$output/time.txt"
  local corner
  corner=$(tail -1 "$output/run/probe_corner.csv" | cut -d, -f5)
  echo "$1,$2,$3,$(entry dofs),$(entry newton_iterations),$(entry krylov_iterations),$whole,$(entry wall_seconds),$(
    awk -v u="$user" -v s="$system" 'BEGIN { print u + s }'),$(entry memory_per_rank),$corner" >>"$runs"
}

for degree in $degrees; do
  # Nodes along a side are the cube root of a third of the unknowns.
  cells=$(awk -v d="$dofs" -v p="$degree" 'BEGIN { n = int(((d / 3) ^ (1 / 3) - 1) / p + 0.5); print (n > 1 ? n : 2) }')
  mesh=$output/block_$cells.msh
  [ -s "$mesh" ] || python3 "$maker" "$cells" >"$mesh"
  for ((round = 0; round < rounds; ++round)); do
    for contrast in $contrasts; do
      for build in "$@"; do run "$(realpath -s "$build")" "$degree" "$contrast" "$mesh"; done
    done
  done
done
awk -v ranks="$ranks" -v steps="${STEPS:-5}" -f "$here/table.awk" "$runs" | tee "$output/table.txt"
