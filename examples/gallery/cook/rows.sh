for degree in 2 3 4; do
  solve cook_$degree gallery/cook/cook.yaml -degree $degree
  row "[Cook's membrane](cook)" "u_y of the tip" 6.1488 "independent solver" 1.2e-3 "$(value "$run/probe_tip.csv" uy)" \
    "12 x 12 graded, degree $degree" "static, 4 load steps"
done
row "" "the same" 6.1469 "Müller 2015, another volumetric term" 5e-4 "$(value "$run/probe_tip.csv" uy)" "12 x 12 graded, degree 4" "static, 4 load steps"
while IFS=: read -r mesh cells degree; do
  solve cook_rubber_${mesh}_$degree gallery/cook/cook.yaml -nu 0.4999 -formulation mixed -load_steps 1 \
    -dm_plex_filename examples/gallery/cook/$mesh.msh -degree $degree </dev/null
  row "" "u_y, nu = 0.4999, mixed" 5.5317 "ours, finest" 1e-2 "$(value "$run/probe_tip.csv" uy)" \
    "$cells, degree $degree" "static, 1 load step"
done <<'END'
even_8:8 x 8 even:2
cook:12 x 12 graded:4
END
solve cook_svk gallery/cook/cook.yaml -material st_venant_kirchhoff -degree 2 -dm_plex_filename examples/gallery/cook/even_16.msh
row "" "u_y, St. Venant-Kirchhoff" 5.9593 "independent solver, same mesh" 1e-5 "$(value "$run/probe_tip.csv" uy)" "16 x 16 even, degree 2" "static, 4 load steps"
row "" "the same" 5.9681 "CalculiX, C3D20, 32 x 32" 2e-3 "$(value "$run/probe_tip.csv" uy)" "16 x 16 even, degree 2" "static, 4 load steps"
