# The Krylov iterations are those of the last load step.
solve inclusions_4 gallery/inclusions/inclusions.yaml -degree 4
finest=$(value "$run/probe_corner.csv" ux)
krylov_4=$(value "$run/steps.csv" krylov)
solve even gallery/inclusions/inclusions.yaml -material_inclusions_E 1e6
krylov_even=$(value "$run/steps.csv" krylov)
solve inclusions_2 gallery/inclusions/inclusions.yaml
row "[stiff inclusions](inclusions)" "u_x of a corner" "$(printf %.6g "$finest")" "gearshift, degree 4" 0.09 "$(value "$run/probe_corner.csv" ux)" \
  "8 x 8 x 8, degree 2" "static, 5 load steps"
row "" "Krylov iterations, last load step" "$krylov_even" "gearshift, without contrast" 1.5 "$(value "$run/steps.csv" krylov)" \
  "8 x 8 x 8, degree 2" "static, 5 load steps"
row "" "the same, degree 4" "$krylov_even" "gearshift, without contrast" 2 "$krylov_4" "8 x 8 x 8, degree 4" "static, 5 load steps"
