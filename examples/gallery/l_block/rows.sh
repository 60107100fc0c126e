solve l_block gallery/l_block/l_block.yaml
mesh="117 cells, degree 3" step="-gear_rtol 1e-4"
row "[tumbling L block](l_block)" "angular momentum L_z, t = 2" 12993.461538 "exact" 1e-6 "$(value "$run/momentum.csv" lz)" "$mesh" "$step"
row "" "momentum p_x, t = 2" 0 "exact" 1e-4 "$(value "$run/momentum.csv" px)" "$mesh" "$step"
row "" "energy, t = 2" 7548.951923 "exact" 1e-5 "$(awk -F, '{ e = $2 + $3 } END { printf "%.9g", e }' "$run/energy.csv")" "$mesh" "$step"
row "" "u_x of (6, 0, 0), t = 2" -0.8415 "independent solver, same mesh" 5e-4 "$(value "$run/probe_corner.csv" ux)" "$mesh" "$step"
row "" "u_y, t = 2" 8.2159 "independent solver, same mesh" 5e-4 "$(value "$run/probe_corner.csv" uy)" "$mesh" "$step"
row "" "u_z, t = 2" -2.6378 "independent solver, same mesh" 5e-4 "$(value "$run/probe_corner.csv" uz)" "$mesh" "$step"
