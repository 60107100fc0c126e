#!/usr/bin/env bash
# bash connected.sh FOLDER PROGRAM LAUNCH...: coupling meshes with triangles and edges, distributed over all ranks.
. "$(dirname "${BASH_SOURCE[0]}")/bar.sh"

# A face distributed over all ranks: its triangles cover it once, and a force that arrives at one of a
# node's copies is not lost.
wide=(-dm_plex_box_faces 4,2,2 -degree 2 -gear_dt 0.05 -gear_order 4 -gear_t_end 0.2)
settings 'windows 2' 'window 0.1' 'force 2 1 0' 'rate 5'
run apart "${wide[@]}" -precice settings -precice_faces ymax
settings 'windows 2' 'window 0.1' 'force 2 1 0' 'rate 5' 'connectivity 64' 'measure 2'
run connected "${wide[@]}" -precice settings -precice_faces ymax
read -r error rows < <(difference apart connected)
below "$error" 1e-9 || fail "copies of vertices: error $error"
settings 'windows 2' 'window 0.1' 'force 2 1 0' 'rate 5' 'connectivity 320' 'measure 10'
run all_around "${wide[@]}" -precice settings -precice_faces xmin,xmax,ymin,ymax,zmin,zmax
settings 'windows 1' 'window 0.1' 'force 2 1' 'rate 5' 'dimensions 2' 'connectivity 24' 'measure 6'
run edges "${wide[@]}" -precice settings -precice_faces xmin,xmax,ymin,ymax
settings 'windows 1' 'window 0.1' 'force 2 1 0' 'rate 5' 'connectivity 16' 'measure 2'
run tetrahedra "${wide[@]}" -dm_plex_simplex 1 -precice settings -precice_faces ymax
