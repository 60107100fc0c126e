# The memory estimate of a dry run compared with the memory that the run uses, for a smaller mesh.
estimate=$(mpirun -np 2 "$solid" -options_file examples/gallery/cantilever/cantilever.yaml -dm_plex_box_faces 48,6,6 -dry_run |
  awk '/^peak of the run, without the program/ { print $(NF - 1) }')
solve cantilever gallery/cantilever/cantilever.yaml -dm_plex_box_faces 48,6,6 -gear_t_end 1e-3
memory=$(sed -nE 's/.*"memory_per_rank": ([0-9.e+]*).*/\1/p' "$run/summary.json")
[ -z "$memory" ] || row "[cantilever of 1e8 unknowns](cantilever)" "memory of a rank at 361,875 unknowns [MiB]" "$estimate" "-dry_run" 0.1 \
  "$(awk -v m="$memory" 'BEGIN { print m / 1048576 }')" "48 x 6 x 6, degree 4" "-gear_rtol 1e-4"
