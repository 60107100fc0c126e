#!/usr/bin/env bash
# bash start.sh BUILD FOLDER [UNKNOWNS]: the cost of starting compared with one static solve. Prints a table row for
# each run: processor seconds of the slowest rank, medians of ROUNDS runs. Environment: RANKS, DEGREES and ROUNDS.
set -euo pipefail
bench=$1/src/bench/gearshift-bench folder=$2 dofs=${3:-1e6}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$folder"
fields="dofs mesh_cpu_s body_cpu_s setup_cpu_s solve_cpu_s memory_mesh_B/DoF"
echo "| mesh | degree | ranks | DoF | mesh | body | set-up | solve | start / static solve | mesh B/DoF |"
echo "|---|---|---|---|---|---|---|---|---|---|"
for mesh in box file; do
  for kind in hexahedra tetrahedra; do
    for degree in ${DEGREES:-1 2 4}; do
      [[ $kind == tetrahedra && $degree -gt 3 ]] && degree=3
      n=$(awk -v d="$dofs" -v p="$degree" 'BEGIN { n = int(((d / 3) ^ (1 / 3) - 1) / p + 0.5); print n < 1 ? 1 : n }')
      options=(-degree "$degree" -dm_plex_box_faces "$n,$n,$n" -dm_plex_simplex "$([[ $kind == hexahedra ]] && echo 0 || echo 1)" -clamp zmin)
      if [[ $mesh == file ]]; then
        awk -v n="$n" -v kind=$kind -f "$here/box_msh.awk" >"$folder/$kind.msh"
        options=(-degree "$degree" -dm_plex_filename "$folder/$kind.msh" -clamp bottom)
      fi
      for ranks in ${RANKS:-1 2}; do
        : >"$folder/runs"
        for ((round = 0; round < ${ROUNDS:-3}; ++round)); do
          line=$(${MPIRUN:-mpirun -np} "$ranks" "$bench" solve "${options[@]}")
          for field in $fields; do
            sed -n "s|.*\"$field\": \([0-9.e+-]*\).*|$field \1|p" <<<"$line"
          done >>"$folder/runs"
        done
        sort -k1,1 -k2,2g "$folder/runs" | awk -v name="$kind, $mesh" -v p="$degree" -v ranks="$ranks" '
          { value[$1, ++count[$1]] = $2 }
          function median(key) { return value[key, int((count[key] + 1) / 2)] }
          END {
            if (!count["mesh_cpu_s"]) { print "start.sh: no figures" > "/dev/stderr"; exit 1 }
            mesh = median("mesh_cpu_s"); body = median("body_cpu_s"); up = median("setup_cpu_s"); solve = median("solve_cpu_s")
            printf "| %s | %d | %d | %d | %.2f | %.2f | %.2f | %.2f | %.2f | %.0f |\n", name, p, ranks, median("dofs"), mesh, body,
              up, solve, (mesh + body) / (up + solve), median("memory_mesh_B/DoF")
          }'
      done
    done
  done
done
rm -f "$folder"/*.msh "$folder/runs"
